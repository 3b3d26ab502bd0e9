import { z } from 'zod';
import type { BrowserViewersResult } from './browserViewers';
import type { ImportedRange } from './imported';
import type { MachineFingerprint, NodeView } from './node';
import type { NamedLayout } from './chartLayout';
import { expectationIds, type Plan } from './plan';
import { outages } from './outages';
import type { PublishedGroup } from './publisherGroup';
import type { PublisherOutage } from './publisherOutage';
import type { PreflightReport } from './preflightReport';
import type { HostBaseline, OtherLoad } from './otherLoad';
import { limitFound, type LimitResult } from './limitFound';
import { distributionIds } from '../series/distributions';
import { count, immutable, runId, seriesId, timeMs } from './schema';
import { spotCheck } from './spotCheck';
import type { WatchedRange } from './watched';

export type RunId = string;

/** A phase of a run; `endMs` is absent while it is active. Unix ms UTC. */
export const phase = immutable(
  z.object({
    name: z.enum(['prepare', 'baseline', 'ramp', 'hold', 'drain']),
    startMs: timeMs,
    endMs: timeMs.optional(),
  }),
);
export type Phase = z.infer<typeof phase>;
export type PhaseName = Phase['name'];

export const verdictNames = ['pass', 'fail', 'inconclusive', 'stopped', 'interrupted', 'not-started'] as const;
export type VerdictName = (typeof verdictNames)[number];

/**
 * Cause of a verdict's reason: the origin, or one that stopped responding; other programs on the machine, or the
 * tester, so that the figure proves nothing about the origin; a tester that stopped; a publisher of the plan that ended,
 * so that its viewers received nothing; or a missing measurement.
 */
const reasonCauses = ['origin', 'origin-lost', 'machine', 'tester', 'tester-lost', 'publisher', 'unmeasured'] as const;
export type ReasonCause = (typeof reasonCauses)[number];

/** The expectation that decided, and its series. */
const decided = { expectation: z.enum(expectationIds).optional(), series: seriesId.optional() };

const verdictReason = immutable(
  z.object({
    /** 1, 2, 3: the same number as its mark in the charts. */
    number: count,
    /** A complete sentence with its figures. */
    sentence: z.string(),
    /** The expectation, e.g. `expected <= 80 %`. */
    expected: z.string(),
    ...decided,
    /** The time that shows it. */
    timeMs,
    node: z.string().optional(),
    /** Absent in runs of older versions: `causeOf` in `verdict/cause.ts` derives it. */
    causedBy: z.enum(reasonCauses).optional(),
  }),
);
export type VerdictReason = z.infer<typeof verdictReason>;

/** An expectation that decided nothing, e.g. because it was not measured. */
const verdictNote = immutable(
  z.object({ sentence: z.string(), expectation: decided.expectation, node: z.string().optional() }),
);
export type VerdictNote = z.infer<typeof verdictNote>;

/**
 * The result of an expectation of the plan, on one node or audience. `missing`: it could not be measured; `skipped`: the
 * same for a default that the plan does not state; `inapplicable`: it does not apply to the run.
 */
const verdictFinding = immutable(
  z.object({
    result: z.enum(['met', 'failed', 'missing', 'skipped', 'inapplicable']),
    ...decided,
    /** A complete sentence with its figures. */
    sentence: z.string(),
    expected: z.string(),
    timeMs,
    node: z.string().optional(),
    /** Name of an audience beside others. */
    audience: z.string().optional(),
    /** The figure that was compared, in the unit of the expectation; absent where it was not measured. */
    measured: z.number().optional(),
  }),
);
export type VerdictFinding = z.infer<typeof verdictFinding>;

export const verdict = immutable(
  z.object({
    verdict: z.enum(verdictNames),
    /** One sentence for the headline. */
    sentence: z.string(),
    /** The deciding one first; numbered in this order. */
    reasons: z.array(verdictReason),
    /** Resources with headroom, one sentence each. */
    headroom: z.array(z.string()),
    /** The figures of each of several audiences in a sentence. */
    audiences: z.array(z.string()).optional(),
    /** Skipped expectations with the reason; absent if none. */
    notes: z.array(verdictNote).optional(),
    /** The finding of each expectation; absent in runs of older versions, and where none was judged. */
    findings: z.array(verdictFinding).optional(),
    /** Absent in runs of older versions, and where nothing was judged. */
    outages: outages.optional(),
  }),
);
export type Verdict = z.infer<typeof verdict>;

/** The exhausted resource of a tester. */
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

/** An interval in which a tester, not the server, limited its viewers: their figures are tester-limited. */
export const testerLimit = immutable(
  z.object({
    /** Id of the tester's node. */
    node: z.string(),
    kind: z.enum(testerLimitKinds),
    /** Unix ms. */
    fromMs: timeMs,
    /** Absent while active, and if it lasted to the end. */
    toMs: timeMs.optional(),
    /** Viewers that the tester had connected at `fromMs`. */
    viewers: count,
    /** A complete sentence with its figures. */
    sentence: z.string(),
    /** The limit, e.g. `a tester needs CPU headroom, <= 90 %`. */
    expected: z.string(),
  }),
);
export type TesterLimit = z.infer<typeof testerLimit>;

/** Why a run ended before the planned end. */
const earlyEndKinds = ['user', 'stop-condition', 'no-viewers', 'not-started'] as const;
export const earlyEnd = immutable(
  z.object({
    kind: z.enum(earlyEndKinds),
    /** Unix ms. */
    timeMs,
    /** Details, if any. */
    sentence: z.string().optional(),
  }),
);
export type EarlyEnd = z.infer<typeof earlyEnd>;

export type RunState = 'preparing' | 'running' | 'stopping' | 'ended';

/** Steps of a viewer on its way to media, in order. */
export const failureStages = [
  'name',
  'tcp',
  'tls',
  'signalling',
  'turn',
  'ice',
  'dtls',
  'first-packet',
  'first-frame',
  'media',
] as const;
export type FailureStage = (typeof failureStages)[number];

/** Viewers that failed for the same reason. */
export const failureGroup = immutable(
  z.object({
    /** Name of the audience, in a run with several. */
    audience: z.string().optional(),
    tester: z.string(),
    stage: z.enum(failureStages),
    cause: z.string(),
    count,
    example: z.object({ viewer: count, timeMs, detail: z.string() }),
  }),
);
export type FailureGroup = z.infer<typeof failureGroup>;

export type JobState = 'starting' | 'ramping-up' | 'holding' | 'tearing-down' | 'ended' | 'failed';

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
      /** Present for several publishers. */
      readonly publishers?: { readonly requested: number; readonly live: number; readonly failed: number };
      /** Its tester reports each publisher, see `publish.publishers`. */
      readonly isListed?: boolean;
      readonly problem?: string;
    };

/**
 * A figure of single viewers over an audience and the run so far. Percentiles of all of its seconds and testers, not of
 * percentiles; of connected viewers each second counts.
 */
export const distributionFigures = immutable(
  z.object({
    distribution: z.enum(distributionIds),
    /** Its place in the plan, from 1; absent: of all audiences. */
    audience: count.optional(),
    /** Number of values. */
    count,
    /** In how many seconds there were any; absent in runs of earlier versions. */
    seconds: count.optional(),
    min: z.number(),
    p1: z.number(),
    p5: z.number(),
    p50: z.number(),
    p95: z.number(),
    p99: z.number(),
    max: z.number(),
  }),
);
export type DistributionFigures = z.infer<typeof distributionFigures>;

/** The headline: one consistent set of figures, updated once a second: of viewers, or of publishers without any. */
export const runFigures = immutable(
  z.object({
    timeMs,
    requested: count,
    connecting: count,
    connected: count,
    connectedPeak: count,
    failed: count,
    degraded: count,
    degradedPeak: count,
    /** Percentage of the connected viewers at the time of `degradedPeak`. */
    degradedPercentPeak: z.number(),
    /** Open sessions or sockets of the testers; 0 proves that all viewers are disconnected. */
    present: count,
    rateTarget: z.number(),
    rateAchieved: z.number(),
    /** Estimated time until all viewers have arrived; absent if none is arriving. */
    fullInMs: z.number().optional(),
    /** From the first arrival to all connected; absent until then. */
    timeToAllMs: z.number().optional(),
    /** The origin's own count, absent while it does not respond. */
    originViewers: count.optional(),
    originDegraded: count.optional(),
    originOutMbps: z.number().optional(),
    mediaInMbps: z.number(),
    /** Sent by publishers alone; absent in a run with viewers. */
    mediaOutMbps: z.number().optional(),
    /** Media packets received by the viewers; absent over TCP, where a viewer does not see packets. */
    packetsPerSecond: z.number().optional(),
    /** Absent in runs of older versions, which saved percentiles per tester only. */
    distributions: z.array(distributionFigures).readonly().optional(),
  }),
);
export type RunFigures = z.infer<typeof runFigures>;

export interface RunView {
  readonly id: RunId;
  readonly name: string;
  readonly state: RunState;
  readonly plan: Plan;
  readonly nodes: readonly NodeView[];
  readonly startedMs: number;
  readonly endedMs?: number;
  /** When it will end as planned; absent if it never ends. */
  readonly endsMs?: number;
  readonly phases: readonly Phase[];
  readonly figures: RunFigures;
  readonly failures: readonly FailureGroup[];
  /** In order of time; absent in runs of versions that did not detect it. */
  readonly testerLimits?: readonly TesterLimit[];
  /** The preflight, if one was requested. */
  readonly preflight?: PreflightReport;
  /** The hosts as measured before the first viewer; absent in runs of versions without a baseline phase. */
  readonly baseline?: readonly HostBaseline[];
  /** The programs that used most of a host's CPU besides the test, while their use was high. */
  readonly otherLoad?: readonly OtherLoad[];
  /** Intervals in which publishers of the plan published nothing, in order of time; absent without any. */
  readonly publisherOutages?: readonly PublisherOutage[];
  /** Present in a run whose load is publishers alone; its figures count them instead of viewers. */
  readonly published?: readonly PublishedGroup[];
  /** Results of a limit search so far. */
  readonly limit?: LimitResult;
  /** Present in a run with browser viewers. */
  readonly browserViewers?: BrowserViewersResult;
  readonly verdict?: Verdict;
  /** Absent in a run that ended as planned, and in runs of older versions; see `endingOf`. */
  readonly earlyEnd?: EarlyEnd;
  /** An imported run: a range of a Prometheus. */
  readonly imported?: ImportedRange;
  /** A run without load: a range of what the console watched. */
  readonly watched?: WatchedRange;
  /** The chart layout of the run; absent if it was the default. */
  readonly layout?: NamedLayout;
  /** True for a run read from a file. */
  readonly readOnly: boolean;
  /** Present for a file that is damaged or unverified. */
  readonly integrity?: RunIntegrity;
}

/** Whether the rows of a saved run are as recorded, by the checksum of each. */
export const runIntegrity = immutable(
  z.object({
    /** `unverified`: recorded without checksums, so that changed values would go unnoticed. */
    state: z.enum(['verified', 'unverified', 'damaged']),
    /** What is damaged or missing and thus excluded, and why a run is unverified. */
    sentences: z.array(z.string()),
  }),
);
export type RunIntegrity = z.infer<typeof runIntegrity>;

/** A row of the runs list. */
export const runSummary = immutable(
  z.object({
    id: runId,
    name: z.string(),
    startedMs: timeMs,
    endedMs: timeMs.optional(),
    verdict: z.enum([...verdictNames, 'running', 'damaged']),
    origin: z.string(),
    requested: count,
    connectedPeak: count,
    cpuMaxPercent: z.number().optional(),
    degradedPercentPeak: z.number(),
    gcMaxMs: z.number().optional(),
    /** About 40 values of viewers connected over the run, for the sparkline; of publishers where `clients` says so. */
    viewersTrace: z.array(z.number()),
    /** What the run counts, where its load was no viewers. */
    clients: z.literal('publishers').optional(),
    bytes: count,
    /** For `damaged`: one sentence. */
    problem: z.string().optional(),
    /** The plan's testers by name, and the verdict's first reason: searched besides the name. */
    testers: z.array(z.string()).optional(),
    reason: z.string().optional(),
    /** Lower case, without duplicates, in the order of adding. */
    tags: z.array(z.string()).optional(),
    /** The user's description. */
    note: z.string().optional(),
    /** Later runs of the same plan and origin are compared with it. */
    isBaseline: z.boolean().optional(),
    limit: limitFound.optional(),
    /** Colour slot of the origin in the run. */
    originSlot: count.optional(),
    /** Identifies repeats of one test: the plan's name, its `planShape`, the origin's software and GC. */
    planName: z.string().optional(),
    planShape: z.string().optional(),
    setup: z.string().optional(),
  }),
);
export type RunSummary = z.infer<typeof runSummary>;

/** A row of the log and a mark on the axis. */
export const runEvent = immutable(
  z.object({
    id: count,
    timeMs,
    kind: z.enum(['run', 'phase', 'threshold', 'node', 'stream', 'player', 'failure', 'disagreement', 'note']),
    mark: z.enum(['limit', 'degraded', 'lost', 'recovered', 'note', 'freeze', 'phase', 'none']),
    /** The node concerned; absent for `run`, `audience`, `player`, `you`. */
    node: z.string().optional(),
    /** The source: a node's name, `run`, `audience`, `player` or `you`. */
    who: z.string(),
    /** One sentence with its numbers. */
    sentence: z.string(),
    /** Its consequence, e.g. `reason 1`, `still kept`. */
    outcome: z.string().optional(),
    /** A spot check of the picture. */
    spotCheck: spotCheck.optional(),
    /** Present in a note on the saved run. */
    annotation: z
      .object({
        uid: z.string(),
        writtenMs: timeMs,
        writtenBy: z.string(),
        editedMs: timeMs.optional(),
        /** Written on this installation, so it can be changed here; absent if unknown. */
        isOwn: z.boolean().optional(),
      })
      .optional(),
  }),
);
export type RunEvent = z.infer<typeof runEvent>;
export type EventKind = RunEvent['kind'];
/** How the event is drawn on the axis. */
export type EventMark = RunEvent['mark'];

/** Marks a note that was added later; see `annotation.ts`. */
export type EventAnnotation = NonNullable<RunEvent['annotation']>;

export const clipMime = 'video/webm';
/** Types of what the control player saves. */
export const stillMimes = ['image/png', 'image/jpeg', clipMime] as const;
/** Limit of clips in one run, bytes. */
export const maxClipBytesPerRun = 50_000_000;

/** A picture of the control player, or a clip of it (`video/webm`), saved in the run. */
export const still = immutable(
  z.object({
    id: count,
    timeMs,
    /** Why it was taken, e.g. `saved`, `stall 0.8 s`; `freeze 0.8 s` in older runs. */
    cause: z.string(),
    mime: z.enum(stillMimes),
    bytes: count,
  }),
);
export type Still = z.infer<typeof still>;

export type { MachineFingerprint };
