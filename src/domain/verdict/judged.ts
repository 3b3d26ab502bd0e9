import type { NodeView } from '../node';
import type { ExpectationId } from '../plan/plan';
import type { ReasonCause, RunView, TesterLimit, Verdict } from '../run';
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
  /** What happened to the run on its way. */
  readonly course?: RunCourse;
}

/** What happened to a run besides what was measured. */
export interface RunCourse {
  /** Why it could not be started at all. */
  readonly failure?: string;
  /** Testers that stopped before the plan's end. */
  readonly lostTesters?: readonly LostTester[];
  /** Why the testers were lost, where it was the console's doing. */
  readonly consolePause?: string;
  /** Origins that stopped answering while viewers were pulled from them, and did not answer again. */
  readonly lostOrigins?: readonly LostOrigin[];
  /** The plan's stop condition that ended it. */
  readonly stopCondition?: StopReached;
}

export interface LostTester {
  readonly node: string;
  readonly timeMs: number;
  /** With the tester's name and why it stopped. */
  readonly sentence: string;
}

export interface LostOrigin {
  readonly node: string;
  readonly timeMs: number;
  /** `lab (origin) stopped answering at 00:00:13.` */
  readonly sentence: string;
  /** Why, where that is known. */
  readonly detail?: string;
}

export interface StopReached {
  readonly timeMs: number;
  readonly sentence: string;
  /** The condition, as the plan has it. */
  readonly expected: string;
  readonly node?: string;
  /** Which of the expectations, or which series, it is about. */
  readonly expectation?: ExpectationId;
  readonly series?: SeriesId;
  /** What the condition allows, what was measured last, and for how long it had been beyond it. */
  readonly limit?: { readonly comparison: '<=' | '>='; readonly value: number; readonly forMs: number };
  readonly value?: number;
  /** It speaks of what viewers saw, which a tester at its own limit may have caused. */
  readonly isOfViewers?: boolean;
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

/** What made a figure worse without the origin's doing: a tester at its own limit, or other programs on the machine. */
export interface Spoiler {
  readonly cause: Extract<ReasonCause, 'machine' | 'tester'>;
  /** A whole sentence with its figures. */
  readonly sentence: string;
  readonly expected: string;
  readonly timeMs: number;
  readonly node?: string;
}

/**
 * What came of one expectation. `missing`: it was to be judged and could not be measured; `skipped`: the same of a rule of thumb that the
 * plan did not write; `inapplicable`: there was nothing that it is about.
 */
export interface Finding {
  readonly result: 'met' | 'failed' | 'missing' | 'skipped' | 'inapplicable';
  readonly expectation?: ExpectationId;
  /** Of an expectation of a series. */
  readonly series?: SeriesId;
  /** A whole sentence with its figures. */
  readonly sentence: string;
  readonly expected: string;
  readonly timeMs: number;
  readonly node?: string;
  /** Of a failed one: it would have been met, or may have been, without these. So it proves nothing against the origin. */
  readonly spoiltBy?: readonly Spoiler[];
}
