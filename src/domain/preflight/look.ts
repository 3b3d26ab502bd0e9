import type { PreflightFinding, PreflightReport } from './report';

export const preflightNodeStates = ['waiting', 'reading', 'judged', 'unreadable'] as const;
/** `unreadable`: nothing of its host could be read, and `problem` says why. */
export type PreflightNodeState = (typeof preflightNodeStates)[number];

/** How far the look at one node is. */
export interface PreflightNode {
  /** The plan's name. */
  readonly node: string;
  readonly state: PreflightNodeState;
  /** Rules that apply to it. */
  readonly rules: number;
  readonly problem?: string;
}

/** A look before the load while it goes on, and when it is over. */
export interface PreflightLook {
  /** Chosen by whoever asked for it. */
  readonly id: string;
  readonly state: 'running' | 'done' | 'cancelled' | 'failed';
  readonly nodes: readonly PreflightNode[];
  /** What has been judged so far. */
  readonly findings: readonly PreflightFinding[];
  /** Once it is done. */
  readonly report?: PreflightReport;
  /** Why it failed, one sentence. */
  readonly problem?: string;
}
