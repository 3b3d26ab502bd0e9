import type { ImportedRange } from './imported';
import type { MachineFingerprint, NodeView } from './node';
import type { NamedLayout } from './layout/chartLayout';
import type { ExpectationId, Plan } from './plan/plan';
import type { PreflightReport } from './preflight/report';
import type { HostBaseline, OtherLoad } from './otherLoad/otherLoad';
import type { LimitFound } from './search/found';
import type { SeriesId } from './series';
import type { ViewerDetail } from './viewerDetail';

export type RunId = string;

export type PhaseName = 'prepare' | 'baseline' | 'ramp' | 'hold' | 'drain';

/** A phase of a run; `endMs` is absent while it lasts. Unix ms UTC. */
export interface Phase {
  readonly name: PhaseName;
  readonly startMs: number;
  readonly endMs?: number;
}

export type VerdictName = 'pass' | 'fail' | 'inconclusive' | 'stopped' | 'interrupted';

/**
 * What a reason of a verdict is about: the origin, or one that stopped answering; other programs on the machine or the tester, so that the
 * figure proves nothing against the origin; a tester that stopped; or that something was not measured.
 */
export const reasonCauses = [
  'origin',
  'origin-lost',
  'machine',
  'tester',
  'tester-lost',
  'unmeasured',
] as const;
export type ReasonCause = (typeof reasonCauses)[number];

export interface VerdictReason {
  /** 1, 2, 3: the same number as its mark in the charts. */
  readonly number: number;
  /** A whole sentence with its figures. */
  readonly sentence: string;
  /** What was expected, e.g. `expected <= 80 %`. */
  readonly expected: string;
  readonly expectation?: ExpectationId;
  /** Of an expectation of a series. */
  readonly series?: SeriesId;
  /** The moment that shows it. */
  readonly timeMs: number;
  readonly node?: string;
  /** Absent in runs of older versions: `causeOf` in `verdict/cause.ts` derives it. */
  readonly causedBy?: ReasonCause;
}

/** What was expected and decided nothing, e.g. because it was not measured. */
export interface VerdictNote {
  readonly sentence: string;
  readonly expectation?: ExpectationId;
  readonly node?: string;
}

export interface Verdict {
  readonly verdict: VerdictName;
  /** One sentence for the headline. */
  readonly sentence: string;
  /** What decided the verdict comes first; numbered in this order. */
  readonly reasons: readonly VerdictReason[];
  /** What had room, one sentence each. */
  readonly room: readonly string[];
  /** Expectations that were skipped, and why; absent where none was. */
  readonly notes?: readonly VerdictNote[];
}

/** What a tester ran out of. */
export const testerLimitKinds = [
  'cpu',
  'socket-buffers',
  'open-files',
  'ports',
  'memory',
  'network',
  'arrivals',
] as const;
export type TesterLimitKind = (typeof testerLimitKinds)[number];

/** A stretch in which a tester, not the server, bounded what its viewers saw: their figures are tester-limited. */
export interface TesterLimit {
  /** Id of the tester's node. */
  readonly node: string;
  readonly kind: TesterLimitKind;
  /** Unix ms. */
  readonly fromMs: number;
  /** Absent while it lasts, and when it lasted to the end. */
  readonly toMs?: number;
  /** Viewers that the tester had connected at `fromMs`. */
  readonly viewers: number;
  /** A whole sentence with its figures. */
  readonly sentence: string;
  /** The bound, e.g. `a tester needs CPU to spare, <= 90 %`. */
  readonly expected: string;
}

/** What ended a run before its plan's own end. */
export const earlyEndKinds = ['person', 'stop-condition', 'no-viewers', 'not-started'] as const;
export interface EarlyEnd {
  readonly kind: (typeof earlyEndKinds)[number];
  /** Unix ms. */
  readonly timeMs: number;
  /** Why, where there is more to say. */
  readonly sentence?: string;
}

export type RunState = 'preparing' | 'running' | 'stopping' | 'ended';

export type FailureStage =
  'name' | 'tcp' | 'tls' | 'signalling' | 'ice' | 'dtls' | 'first-packet' | 'first-frame' | 'media';
export const failureStages: readonly FailureStage[] = [
  'name',
  'tcp',
  'tls',
  'signalling',
  'ice',
  'dtls',
  'first-packet',
  'first-frame',
  'media',
];

/** Viewers that failed alike. */
export interface FailureGroup {
  readonly tester: string;
  readonly stage: FailureStage;
  readonly cause: string;
  readonly count: number;
  readonly example: { readonly viewer: number; readonly timeMs: number; readonly detail: string };
}

export type JobState = 'starting' | 'arriving' | 'holding' | 'leaving' | 'ended' | 'failed';

/** A pull by one tester, or a publication. */
export type JobView =
  | {
      readonly id: string;
      readonly kind: 'pull';
      readonly node: string;
      readonly stream: string;
      readonly state: JobState;
      readonly requested: number;
      readonly connected: number;
      readonly present: number;
      readonly problem?: string;
    }
  | {
      readonly id: string;
      readonly kind: 'publish';
      readonly node: string;
      readonly stream: string;
      readonly source: string;
      readonly state: JobState;
      readonly fps?: number;
      readonly problem?: string;
    };

/** The headline: one consistent set of figures, made once a second. */
export interface RunFigures {
  readonly timeMs: number;
  readonly requested: number;
  readonly connecting: number;
  readonly connected: number;
  readonly connectedPeak: number;
  readonly failed: number;
  readonly degraded: number;
  readonly degradedPeak: number;
  /** Largest share of connected viewers that were degraded, in percent. */
  readonly degradedPercentPeak: number;
  /** Sessions or sockets still held by the testers; 0 proves that nobody is left. */
  readonly present: number;
  readonly rateAsked: number;
  readonly rateAchieved: number;
  /** Extrapolated time until everybody is in; absent when not arriving. */
  readonly fullInMs?: number;
  /** From the first arrival to all connected; absent until then. */
  readonly timeToAllMs?: number;
  /** The origin's own count, absent when it does not answer. */
  readonly originViewers?: number;
  readonly originDegraded?: number;
  readonly originOutMbps?: number;
  readonly mediaInMbps: number;
  readonly packetsPerSecond: number;
}

export interface RunView {
  readonly id: RunId;
  readonly name: string;
  readonly state: RunState;
  readonly plan: Plan;
  readonly nodes: readonly NodeView[];
  readonly startedMs: number;
  readonly endedMs?: number;
  /** When it will end by itself; absent when it has no end of its own. */
  readonly endsMs?: number;
  readonly phases: readonly Phase[];
  readonly figures: RunFigures;
  readonly failures: readonly FailureGroup[];
  /** In the order of time; absent in runs of versions that did not look. */
  readonly testerLimits?: readonly TesterLimit[];
  /** What was looked at before the load, where somebody asked for it. */
  readonly preflight?: PreflightReport;
  /** The hosts as measured before the first viewer; absent in runs of versions without a baseline phase. */
  readonly baseline?: readonly HostBaseline[];
  /** The programs that used most of a host's CPU besides the test, while they used much. */
  readonly otherLoad?: readonly OtherLoad[];
  /** What a search for the limit has found so far. */
  readonly limit?: LimitFound;
  readonly verdict?: Verdict;
  /** Absent in a run that ended by its plan, and in runs of older versions; see `endingOf`. */
  readonly earlyEnd?: EarlyEnd;
  /** Nobody made this run: it is what a Prometheus kept of a time. */
  readonly imported?: ImportedRange;
  /** How the charts were arranged while it ran; absent where that was the default. */
  readonly layout?: NamedLayout;
  /** True for a run read from a file. */
  readonly readOnly: boolean;
  /** Of a run read from a file that is damaged or unverified; absent otherwise. */
  readonly integrity?: RunIntegrity;
}

/** Whether the rows of a saved run are what was recorded, by the checksum of each. */
export interface RunIntegrity {
  /** `unverified`: the run was recorded without checksums, so that a changed value would not be noticed. */
  readonly state: 'verified' | 'unverified' | 'damaged';
  /** What is damaged or missing and thus left out, and why a run is unverified. */
  readonly sentences: readonly string[];
}

/** A row of the runs list. */
export interface RunSummary {
  readonly id: RunId;
  readonly name: string;
  readonly startedMs: number;
  readonly endedMs?: number;
  readonly verdict: VerdictName | 'running' | 'damaged';
  readonly origin: string;
  readonly requested: number;
  readonly connectedPeak: number;
  readonly cpuMaxPercent?: number;
  readonly degradedPercentPeak: number;
  readonly gcMaxMs?: number;
  /** About 40 values of viewers connected over the run, for the small picture. */
  readonly viewersTrace: readonly number[];
  readonly bytes: number;
  /** For `damaged`: one sentence. */
  readonly problem?: string;
  /** The plan's testers by name, and the verdict's first reason: what a search looks through besides the name. */
  readonly testers?: readonly string[];
  readonly reason?: string;
  /** Lower case, without duplicates, in the order of adding. */
  readonly tags?: readonly string[];
  /** What a person has written of it. */
  readonly note?: string;
  /** Later runs of the same plan and origin are held against it. */
  readonly isBaseline?: boolean;
  readonly limit?: LimitFound;
  /** Colour slot that the origin had in the run. */
  readonly originSlot?: number;
  /** What tells repeats of one test from other runs: the plan's own name, its `planShape`, the origin's software and GC. */
  readonly planName?: string;
  readonly planShape?: string;
  readonly setup?: string;
}

export type EventKind =
  'run' | 'phase' | 'threshold' | 'node' | 'stream' | 'player' | 'failure' | 'disagreement' | 'note';
/** How the event is drawn on the axis. */
export type EventMark = 'limit' | 'degraded' | 'lost' | 'back' | 'note' | 'freeze' | 'phase' | 'none';

/** A row of the log and a mark on the axis. */
export interface RunEvent {
  readonly id: number;
  readonly timeMs: number;
  readonly kind: EventKind;
  readonly mark: EventMark;
  /** Node it speaks of; absent for `run`, `audience`, `player`, `you`. */
  readonly node?: string;
  /** Who speaks: a node's name, `run`, `audience`, `player` or `you`. */
  readonly who: string;
  /** One sentence with its numbers. */
  readonly sentence: string;
  /** What came of it, e.g. `reason 1`, `still kept`. */
  readonly outcome?: string;
  /** Of a note that was written to the kept run. */
  readonly annotation?: EventAnnotation;
}

/** How a note that was written later is told from what was recorded; see `annotation.ts`. */
export interface EventAnnotation {
  readonly uid: string;
  readonly writtenMs: number;
  readonly writtenBy: string;
  readonly editedMs?: number;
  /** Written on this installation, so it can be changed here; absent where nobody asked. */
  readonly isOwn?: boolean;
}

/** A still of the control player, kept in the run. */
export interface Still {
  readonly id: number;
  readonly timeMs: number;
  /** Why it was taken, e.g. `kept`, `freeze 0.8 s`. */
  readonly cause: string;
  readonly mime: 'image/png' | 'image/jpeg';
  readonly bytes: number;
}

/** One viewer with its own figures, as the tester lists it. */
export interface ViewerRow {
  readonly tester: string;
  readonly job: string;
  readonly viewer: number;
  readonly state: 'waiting' | 'connecting' | 'connected' | 'failed' | 'leaving' | 'left';
  readonly arrivedMs?: number;
  readonly connectMs?: number;
  readonly firstFrameMs?: number;
  readonly packets: number;
  readonly bytes: number;
  readonly lost: number;
  /** Absent where the protocol tells of no loss, as RTMP's. */
  readonly lossPercent?: number;
  readonly jitterMs?: number;
  readonly frames: number;
  readonly fps?: number;
  readonly freezes: number;
  readonly frozenMs: number;
  readonly roundTripMs?: number;
  readonly degraded: boolean;
  readonly degradedBecause?: string;
  /** The whole time of being degraded. */
  readonly degradedMs?: number;
  readonly failure?: { readonly stage: FailureStage; readonly cause: string; readonly detail: string };
  /** Of the few whose details a run file keeps, see `detailedViewers`. */
  readonly detail?: ViewerDetail;
}

export type { MachineFingerprint };
