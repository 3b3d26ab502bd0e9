import type { PlayProtocol } from '../node';
import type { NodeSettings } from '../nodeSettings';
import type { SeriesId } from '../series';

/**
 * A plan: what a run does. The same thing as a form, as YAML and on the command line.
 * `planYaml.ts` reads and writes it; durations are ms and rates per second in here.
 */
export interface Plan {
  readonly name: string;
  /** Nodes by the plan's own names. */
  readonly nodes: Readonly<Record<string, PlanNode>>;
  readonly publish: readonly PlanPublish[];
  /** The audience; the first one, where there are several at once. */
  readonly pull: PlanPull;
  /** Further audiences, each with its own stream and course. */
  readonly also?: readonly PlanPull[];
  readonly expect: Expectations;
  /** What is expected of series beyond the four that every plan knows. */
  readonly thresholds?: readonly SeriesThreshold[];
  /** The run ends at the first of these that lasts. */
  readonly stopWhen?: readonly StopCondition[];
  readonly schedule?: PlanSchedule;
  readonly hooks?: readonly PlanHook[];
}

/** A node as a plan describes it: whatever the fleet knows of it, without secrets. */
export type PlanNode = NodeSettings;

/** Protocols that some tester pulls by: agents by WHEP, RTMP or LiveKit's signalling, a WCS by its own WebRTC signalling or by RTMP. */
export const pullProtocols = ['whep', 'wcs', 'rtmp', 'livekit'] as const satisfies readonly PlayProtocol[];
export type PullProtocol = (typeof pullProtocols)[number];

/**
 * How true to a browser a WHEP viewer is. `lean` decrypts the first packets and a sample, and sends what a server needs; `full` decrypts
 * everything and sends all that a browser sends, at several times the cost.
 */
export const realisms = ['lean', 'full'] as const;
export type Realism = (typeof realisms)[number];

export interface PlanPublish {
  readonly stream: string;
  readonly node: string;
  /** `sample-240p`, or `external` when somebody else publishes it (the app's camera, an encoder). */
  readonly source: 'sample-240p' | 'external';
  /** Tester whose agent publishes the sample; by default this machine's, and the lab makes it itself. */
  readonly by?: string;
}

export interface PlanPull {
  readonly stream: string;
  /** Name of the origin node. */
  readonly from: string;
  /** Names of the tester nodes; the viewers are split by `weights`, else evenly. */
  readonly by: readonly string[];
  /** How much of the audience each tester takes, relative to the others; one that is not named has 1. */
  readonly weights?: Readonly<Record<string, number>>;
  readonly protocol: PullProtocol;
  /** The most viewers at once. */
  readonly viewers: number;
  /** The fastest that they arrive. */
  readonly ratePerSecond: number;
  /** Time at full house, from the last arrival; 0: until stopped. With a course of its own, the whole of its planned time. */
  readonly holdMs: number;
  /** The audience comes and goes in these stages instead of once. Not together with `search`. */
  readonly stages?: readonly PlanStage[];
  /** The audience grows and shrinks until the largest one is found that meets what is expected. */
  readonly search?: PlanSearch;
  /** By default `lean`. Only agents that pull by WHEP know it. */
  readonly realism?: Realism;
}

/** One stage of an audience's course; each begins with as many viewers as the one before it left there, the first with nobody. */
export type PlanStage =
  /** To so many viewers in an even line, up or down. */
  | { readonly kind: 'ramp'; readonly viewers: number; readonly overMs: number }
  | { readonly kind: 'hold'; readonly forMs: number }
  /** From where it stands to `viewers` by so many at a time, each level held. */
  | {
      readonly kind: 'step';
      readonly viewers: number;
      readonly by: number;
      readonly holdMs: number;
      readonly ratePerSecond: number;
    }
  /** At once to `viewers`, and back after a while. */
  | {
      readonly kind: 'spike';
      readonly viewers: number;
      readonly forMs: number;
      readonly ratePerSecond: number;
    }
  /** A long hold, at whose end it is said what has grown. */
  | { readonly kind: 'soak'; readonly forMs: number }
  /** So many viewers are replaced by new ones every `everyMs`, oldest first. */
  | {
      readonly kind: 'churn';
      readonly forMs: number;
      readonly replacePercent: number;
      readonly everyMs: number;
      readonly ratePerSecond: number;
    };

/** How the largest audience is looked for. */
export interface PlanSearch {
  /** Size of the first audience tried. */
  readonly fromViewers: number;
  /** The end of the search: nobody looks beyond. */
  readonly mostViewers: number;
  /** After a change of size, before what is seen counts. */
  readonly settleMs: number;
  /** How long each size is watched. */
  readonly measureMs: number;
  /** How often the break is found anew. */
  readonly repeats: number;
  /** The search is over where what still held and what no longer did are this near, in percent of the size. */
  readonly precisionPercent: number;
}

/** An expectation of any series, judged over the run as `expect` is. */
export interface SeriesThreshold {
  readonly series: SeriesId;
  /** The plan's name of the node; by default every node that has the series. */
  readonly node?: string;
  readonly comparison: Comparison;
  /** In the series' unit. */
  readonly value: number;
  /** Share of the judged time in which it may be missed, in percent; by default 0. */
  readonly tolerancePercent?: number;
  /** From the first arrival on, nothing is judged for this long. */
  readonly graceMs?: number;
}

/** When a run gives up by itself: what it says has been so for `forMs`. Percent for `degraded`, `failed` (of those asked) and `cpu` (of the origin). */
export interface StopCondition {
  readonly what: 'degraded' | 'failed' | 'cpu' | SeriesId;
  /** The plan's name of the node, for a series. */
  readonly node?: string;
  readonly comparison: '>' | '<';
  readonly value: number;
  readonly forMs: number;
}

/** When a plan begins by itself, and how often. */
export interface PlanSchedule {
  /** Unix ms; by default at once. */
  readonly atMs?: number;
  /** Runs in all; by default 1. */
  readonly repeat?: number;
  /** From the start of one to the start of the next, or its end if that is later; by default at once after its end. */
  readonly everyMs?: number;
}

export const hookMoments = ['start', 'full', 'end'] as const;
/** Something outside that is told of the run: a program with its arguments, never a shell's line, or an address that gets a POST with the run as JSON. */
export type PlanHook = { readonly at: (typeof hookMoments)[number] } & (
  { readonly run: readonly [string, ...string[]] } | { readonly post: string }
);

export type ExpectationId = 'connected' | 'degraded' | 'cpu' | 'gcPause';
export type Comparison = '>=' | '<=';

/** One condition of the verdict. `connected` and `degraded` in percent, `cpu` in percent of all cores of the origin's host, `gcPause` in ms. */
export interface Expectation {
  readonly comparison: Comparison;
  readonly value: number;
  /** A rule of thumb that the plan did not write itself: where it can't be measured it is a note and decides nothing. */
  readonly ifMeasured?: true;
}
export type Expectations = Readonly<Partial<Record<ExpectationId, Expectation>>>;

/** What holds when a plan says nothing: the field's own rules of thumb (80 % CPU, 1 % degraded). Viewers are always counted. */
export const defaultExpectations: Required<Expectations> = {
  connected: { comparison: '>=', value: 99 },
  degraded: { comparison: '<=', value: 1, ifMeasured: true },
  cpu: { comparison: '<=', value: 80, ifMeasured: true },
  gcPause: { comparison: '<=', value: 10, ifMeasured: true },
};
