import type { NodeView } from '../node';
import type { ExpectationId } from '../plan/plan';
import type { RunView, TesterLimit, Verdict } from '../run';
import type { SeriesId } from '../series';
import type { Values } from '../windows';

/** What a verdict is made of; `docs/plans.md` says how each expectation is judged. */
export interface JudgedRun {
  /** As it was when the hold ended or the run was stopped: plan, nodes, phases, figures and failures are read. */
  readonly view: RunView;
  /** When a person stopped it before its own end; absent when it ran as planned. */
  readonly stoppedMs?: number;
  /** The samples of a node (its id in the view) and series; empty where nothing was measured. */
  readonly values: (node: string, series: SeriesId) => Values;
  /** Testers that could not take their part of the viewers at all, which no sample tells. */
  readonly refused?: readonly TesterLimit[];
}

/** The rules' way to a run: nodes by their part in it, and the time that is judged. */
export interface Judged {
  readonly view: RunView;
  readonly time: JudgedTime;
  /** The first audience's. */
  readonly origin: NodeView;
  /** Those of all audiences, each once. */
  readonly origins: readonly NodeView[];
  readonly testers: readonly NodeView[];
  readonly values: JudgedRun['values'];
  readonly refused?: readonly TesterLimit[];
}

/** Unix ms. What is judged reaches from the first arrival to the end of the last hold. */
export interface JudgedTime {
  readonly runStartMs: number;
  readonly fromMs: number;
  readonly holdFromMs?: number;
  readonly toMs: number;
}

/** What a verdict and all that it was made of come to. */
export interface Judgement {
  readonly verdict: Verdict;
  /** Stretches in which testers were at their own limit, those that refused included. */
  readonly testerLimits: readonly TesterLimit[];
}

/** What came of one expectation. */
export interface Finding {
  readonly result: 'met' | 'failed' | 'missing';
  readonly expectation?: ExpectationId;
  /** Of an expectation of a series. */
  readonly series?: SeriesId;
  /** A whole sentence with its figures. */
  readonly sentence: string;
  readonly expected: string;
  readonly timeMs: number;
  readonly node?: string;
  /** It failed where testers were at their own limit, so it proves nothing against the server. */
  readonly isDoubtful?: boolean;
}
