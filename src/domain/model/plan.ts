import type { PlanSearch } from './audienceValues';
import type { PullProtocol } from './protocols';
import type { AudienceOptions } from './options';
import type { NodeSettings } from './nodeSettings';
import type { SeriesId } from '../series/series';

/**
 * A plan: the definition of a run. The same data as a form, as YAML and on the command line.
 * `planYaml.ts` reads and writes it; durations are ms and rates per second in here.
 */
export interface Plan {
  readonly name: string;
  /** Nodes by the plan's own names. */
  readonly nodes: Readonly<Record<string, PlanNode>>;
  readonly publish: readonly PlanPublish[];
  /** The audience; the first one if there are several at once. Absent: the plan's load is its publishers alone. */
  readonly pull?: Audience;
  /** Further audiences, each with its own stream and load profile. */
  readonly also?: readonly Audience[];
  readonly expect: Expectations;
  /** Expectations of further series, besides the four of every plan. */
  readonly thresholds?: readonly SeriesThreshold[];
  /** Expectations of the delay of the run, whichever method measured it. */
  readonly delay?: readonly DelayExpectation[];
  /** The run ends at the first of these that lasts. */
  readonly stopWhen?: readonly StopCondition[];
  readonly schedule?: PlanSchedule;
  readonly hooks?: readonly PlanHook[];
}

/** A node as a plan describes it: its settings, without secrets. */
export type PlanNode = NodeSettings;

/** The built-in video; a lab generates it, another server gets it from the agent of a tester. */
export const sampleSource = 'sample-240p';
/** The source of a stream that is published elsewhere (the app's camera, an encoder). */
export const externalSource = 'external';
/** Protocols by which testers publish. */
export const publisherProtocols = ['whip', 'rtmp', 'livekit', 'rtsp', 'srt'] as const;
export type PublisherProtocol = (typeof publisherProtocols)[number];
/** Those over which a publisher can send several layers (simulcast). */
export const simulcastProtocols = ['whip', 'livekit'] as const satisfies readonly PublisherProtocol[];

/** At which publishers start, per second. */
export const publisherRate = 20;

/** Sizes in which one stream is published with simulcast, as many as browsers send. */
export const maxLayers = 3;

export interface PlanPublish {
  readonly stream: string;
  readonly node: string;
  /** `sample-240p`, `external`, the path of a video file on the tester, its stream, or an RTSP address. */
  readonly source: string;
  /** Over WHIP or LiveKit: the smaller layers, paths of video files of the same codec. */
  readonly simulcast?: readonly string[];
  /** LiveKit: layers that nobody watches are not sent, as the server says. */
  readonly dynacast?: boolean;
  /** Tester whose agent publishes the sample; default this machine's, and the lab generates its own. */
  readonly by?: string;
  /** So many publishers, each with its own stream: `{n}` in its name is the number of each, see `numberedName`. */
  readonly publishers?: number;
  /** LiveKit: all of them in the room of this name. */
  readonly oneRoom?: boolean;
  /** At which they start. */
  readonly ratePerSecond?: number;
  /** In a plan without an audience: hold time with all publishers, from the last one on; 0: until stopped. */
  readonly holdMs?: number;
  /** In a plan without an audience, in place of `publishers` and `holdMs`: searches for the most publishers. */
  readonly search?: PlanSearch;
  /** Default the first of these that the server accepts. */
  readonly protocol?: PublisherProtocol;
}

/** Viewers of a stream and how they watch it: who and how many, and the options of `audienceOptions`. */
export interface Audience extends AudienceOptions {
  readonly stream: string;
  /** Name of the origin node. */
  readonly from: string;
  /** Names of the tester nodes; the viewers are split by `weights`, else evenly. */
  readonly by: readonly string[];
  /** Relative share of the audience per tester; default 1. */
  readonly weights?: Readonly<Record<string, number>>;
  readonly protocol: PullProtocol;
  /** Peak viewers. */
  readonly viewers: number;
  /** Maximum arrival rate. */
  readonly ratePerSecond: number;
  /** Hold time at full load, from the last arrival; 0: until stopped. With stages, the total planned time. */
  readonly holdMs: number;
}

/** An expectation of any series, judged over the run like `expect`. */
export interface SeriesThreshold {
  readonly series: SeriesId;
  /** The plan's name of the node; default every node with the series. */
  readonly node?: string;
  readonly comparison: ComparisonOperator;
  /** In the series' unit. */
  readonly value: number;
  /** Tolerated share of the judged time, in percent; default 0. */
  readonly tolerancePercent?: number;
  /** Grace period from the first arrival on. */
  readonly graceMs?: number;
}

export const delayStats = ['p50', 'p95', 'p99', 'max'] as const;

/** A percentile of the delay over the run that must not be exceeded. */
export interface DelayExpectation {
  readonly stat: (typeof delayStats)[number];
  readonly valueMs: number;
}

/**
 * When a run stops early: the condition was met for `forMs`. Percent for `degraded`, `failed` (of the target viewers)
 * and `cpu` (of the origin).
 */
export interface StopCondition {
  readonly what: 'degraded' | 'failed' | 'cpu' | SeriesId;
  /** The plan's name of the node, for a series. */
  readonly node?: string;
  readonly comparison: '>' | '<';
  readonly value: number;
  readonly forMs: number;
}

/** When a plan starts automatically, and how often. */
export interface PlanSchedule {
  /** Unix ms; default now. */
  readonly atMs?: number;
  /** Runs in total; default 1. */
  readonly repeat?: number;
  /** From the start of one to the start of the next, or its end if later; default immediately after its end. */
  readonly everyMs?: number;
}

export const hookTimes = ['start', 'full', 'end'] as const;
/**
 * A hook outside the app: a program with its arguments, never a shell command line, or an address that receives a POST
 * with the run as JSON.
 */
export type PlanHook = { readonly at: (typeof hookTimes)[number] } & (
  { readonly run: readonly [string, ...string[]] } | { readonly post: string }
);

export const expectationIds = ['connected', 'outages', 'degraded', 'cpu', 'gcPause'] as const;
export type ExpectationId = (typeof expectationIds)[number];
export type ComparisonOperator = '>=' | '<=';

/**
 * One condition of the verdict. `connected` and `degraded` in percent, `cpu` in percent of all cores of the origin's
 * host, `gcPause` in ms, `outages` in seconds: the longest one.
 */
export interface Expectation {
  readonly comparison: ComparisonOperator;
  readonly value: number;
  /**
   * A default that the plan does not state: if it can't be measured it is a note and decides nothing. Of outages: the
   * same where viewers reconnect.
   */
  readonly ifMeasured?: true;
}
export type Expectations = Readonly<Partial<Record<ExpectationId, Expectation>>>;

/**
 * Defaults if a plan states nothing: common thresholds of the field. Viewers are always
 * counted. A spike of a second does no harm; without media for more than 5 s viewers leave.
 */
export const defaultExpectations: Required<Expectations> = {
  connected: { comparison: '>=', value: 99 },
  outages: { comparison: '<=', value: 5, ifMeasured: true },
  degraded: { comparison: '<=', value: 1, ifMeasured: true },
  cpu: { comparison: '<=', value: 80, ifMeasured: true },
  gcPause: { comparison: '<=', value: 10, ifMeasured: true },
};
