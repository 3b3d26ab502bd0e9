import type { NodeView } from '../model/node';
import type { ExpectationId } from '../model/plan';
import type { ReasonCause, RunView, TesterLimit, TesterLimitKind, Verdict, VerdictFinding } from '../model/run';
import type { SeriesId } from '../series/series';
import type { Values } from '../series/windows';

/** The data of a verdict; `docs/plans.md` describes how each expectation is judged. */
export interface JudgedRun {
  /** The view when the hold ended or the run was stopped: plan, nodes, phases, figures and failures are used. */
  readonly view: RunView;
  /** When the user stopped it before the planned end; absent if it ran as planned. */
  readonly stoppedMs?: number;
  /** The samples of a node (its id in the view) and series; empty if nothing was measured. */
  readonly values: (node: string, series: SeriesId) => Values;
  /** Testers that could not run their share at all, which no sample shows. */
  readonly refused?: readonly TesterLimit[];
  /** When the hold of each audience ended, by its id, in a run with several; Unix ms. */
  readonly audienceEnds?: AudienceEnds;
  /** When each audience had started: all of its viewers had connected or failed. */
  readonly audienceStarts?: AudienceEnds;
  /** What happened during the run. */
  readonly runEvents?: RunEvents;
}

/** Unix ms by the id of an audience; one that was not started is absent. */
export type AudienceEnds = Readonly<Record<string, number>>;

/** What happened during a run besides the measurements. */
export interface RunEvents {
  /** Why it could not be started. */
  readonly failure?: string;
  /** Audiences that could not be started beside others. */
  readonly failedAudiences?: readonly FailedAudience[];
  /** Testers that stopped before the planned end. */
  readonly lostTesters?: readonly LostTester[];
  /** Tester groups that started with fewer members than they have. */
  readonly shortGroups?: readonly ShortGroup[];
  /** Why the testers were lost, if the console caused it. */
  readonly consolePause?: string;
  /** Origins that stopped responding while viewers were pulled from them, and did not recover. */
  readonly lostOrigins?: readonly LostOrigin[];
  /** Those that were gone for a time meanwhile. */
  readonly originOutages?: readonly OriginOutage[];
  /** The plan's stop condition that ended it. */
  readonly stopCondition?: StopReached;
}

export interface FailedAudience {
  /** Its name in the run. */
  readonly audience: string;
  readonly timeMs: number;
  /** Why. */
  readonly sentence: string;
}

export interface LostTester {
  readonly node: string;
  readonly timeMs: number;
  /** With the tester's name and the reason. */
  readonly sentence: string;
}

/** A tester group that the plan lets start with fewer members. */
export interface ShortGroup {
  readonly node: string;
  /** With the numbers of members, and the reasons of the missing ones. */
  readonly sentence: string;
}

export interface LostOrigin {
  readonly node: string;
  readonly timeMs: number;
  /** `lab (origin) stopped responding at 00:00:13.` */
  readonly sentence: string;
  /** The reason, if known. */
  readonly detail?: string;
}

/** An interval in which an origin refused connections or had no process, which no busy machine explains. */
export interface OriginOutage {
  readonly node: string;
  /** Unix ms: when it was noticed, and when the origin responded again. */
  readonly fromMs: number;
  readonly toMs: number;
  /** `origin did not respond from 00:00:15 to 00:00:23 (8 s): connections were refused.` */
  readonly sentence: string;
}

/** How the sentence of a reached stop condition starts. */
export const stopReachedText = 'Stop condition reached';

export interface StopReached {
  readonly timeMs: number;
  readonly sentence: string;
  /** The condition, as in the plan. */
  readonly expected: string;
  readonly node?: string;
  /** The expectation or series concerned. */
  readonly expectation?: ExpectationId;
  readonly series?: SeriesId;
  /** The limit of the condition, the last value, and for how long it was exceeded. */
  readonly limit?: { readonly comparison: '<=' | '>='; readonly value: number; readonly forMs: number };
  readonly value?: number;
  /** A viewer metric, which a tester at its own limit may have caused. */
  readonly isOfViewers?: boolean;
}

/** Access to a run for the rules: nodes by role, and the judged time. */
export interface Judged {
  readonly view: RunView;
  readonly time: JudgedTime;
  /** The origin of the first audience. */
  readonly origin: NodeView;
  /** The origins of all audiences, each once. */
  readonly origins: readonly NodeView[];
  readonly testers: readonly NodeView[];
  readonly values: JudgedRun['values'];
  readonly refused?: readonly TesterLimit[];
  readonly audienceEnds?: AudienceEnds;
  readonly audienceStarts?: AudienceEnds;
  /** Testers that stopped: what happened from then on proves nothing. */
  readonly lostTesters?: readonly LostTester[];
  /** Origins that stopped, each of which fails the run. */
  readonly lostOrigins?: readonly LostOrigin[];
  readonly originOutages?: readonly OriginOutage[];
  /** When the user stopped it. */
  readonly stoppedMs?: number;
}

/** Unix ms. The judged time is from the first arrival to the end of the last hold. */
export interface JudgedTime {
  readonly runStartMs: number;
  readonly fromMs: number;
  readonly holdFromMs?: number;
  readonly toMs: number;
}

/** The result of a verdict with its data. */
export interface Judgement {
  readonly verdict: Verdict;
  /** Intervals in which testers were at their own limit, including those that refused. */
  readonly testerLimits: readonly TesterLimit[];
}

/**
 * What degraded a figure without the origin causing it: a tester at its own limit, other programs on the machine, or a
 * publisher of the plan that sent nothing.
 */
export interface Influence {
  readonly cause: Extract<ReasonCause, 'machine' | 'tester' | 'publisher'>;
  /** A complete sentence with its figures. */
  readonly sentence: string;
  readonly expected: string;
  readonly timeMs: number;
  readonly node?: string;
  /** The machine whose CPU others used (as in a node's view), and how much. */
  readonly machine?: { readonly host: string; readonly percent: number };
  /** Which limit a tester had reached. */
  readonly limit?: TesterLimitKind;
}

/** The result of one expectation. */
export interface Finding extends VerdictFinding {
  /** Without these a failed one would or might have been met, so it proves nothing about the origin. */
  readonly invalidatedBy?: readonly Influence[];
}
