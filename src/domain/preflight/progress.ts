import type { PreflightFinding, PreflightReport } from '../model/preflightReport';

export const preflightNodeStates = ['waiting', 'reading', 'judged', 'unreadable'] as const;
/** `unreadable`: nothing of its host could be read; `problem` states why. */
export type PreflightNodeState = (typeof preflightNodeStates)[number];

/** Progress of the preflight of one node. */
export interface PreflightNode {
  /** The plan's name of the node. */
  readonly node: string;
  readonly state: PreflightNodeState;
  /** Rules that apply to it. */
  readonly rules: number;
  readonly problem?: string;
}

/** A preflight, while active and when complete. */
export interface PreflightProgress {
  /** Chosen by the caller. */
  readonly id: string;
  readonly state: 'running' | 'done' | 'cancelled' | 'failed';
  readonly nodes: readonly PreflightNode[];
  /** The findings so far. */
  readonly findings: readonly PreflightFinding[];
  /** Once complete. */
  readonly report?: PreflightReport;
  /** Why it failed, one sentence. */
  readonly problem?: string;
}
