import type { PlayProtocol } from './node';
import type { NodeSettings } from './nodeSettings';

/**
 * A plan: what a run does. The same thing as a form, as YAML and on the command line.
 * `planYaml.ts` reads and writes it; durations are ms and rates per second in here.
 */
export interface Plan {
  readonly name: string;
  /** Nodes by the plan's own names. */
  readonly nodes: Readonly<Record<string, PlanNode>>;
  readonly publish: readonly PlanPublish[];
  readonly pull: PlanPull;
  readonly expect: Expectations;
}

/** A node as a plan describes it: whatever the fleet knows of it, without secrets. */
export type PlanNode = NodeSettings;

/** Protocols that some tester pulls by: agents by WHEP or RTMP, a WCS by its own WebRTC signalling or by RTMP. */
export const pullProtocols = ['whep', 'wcs', 'rtmp'] as const satisfies readonly PlayProtocol[];
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
  /** Names of the tester nodes; the viewers are split evenly. */
  readonly by: readonly string[];
  readonly protocol: PullProtocol;
  readonly viewers: number;
  readonly ratePerSecond: number;
  /** Time at full house, from the last arrival. */
  readonly holdMs: number;
  /** By default `lean`. Only agents that pull by WHEP know it. */
  readonly realism?: Realism;
}

export type ExpectationId = 'connected' | 'degraded' | 'cpu' | 'gcPause';
export type Comparison = '>=' | '<=';

/** One condition of the verdict. `connected` and `degraded` in percent, `cpu` in percent of all cores of the origin's host, `gcPause` in ms. */
export interface Expectation {
  readonly comparison: Comparison;
  readonly value: number;
}
export type Expectations = Readonly<Partial<Record<ExpectationId, Expectation>>>;

/** What holds when a plan says nothing: the field's own rules of thumb (80 % CPU, 1 % degraded). */
export const defaultExpectations: Required<Expectations> = {
  connected: { comparison: '>=', value: 99 },
  degraded: { comparison: '<=', value: 1 },
  cpu: { comparison: '<=', value: 80 },
  gcPause: { comparison: '<=', value: 10 },
};
