/** A simulated network between the origin and the viewers of an audience; what is absent is not limited. */
export interface NetworkConditions {
  /** The values to start from; those beside it replace its own. */
  readonly preset?: NetworkPreset;
  /** Rate of the bottleneck to the viewers and from them, with IP and transport headers. */
  readonly downKbps?: number;
  readonly upKbps?: number;
  /** Added to the real one, half in each direction. */
  readonly rttMs?: number;
  /** The delay of each direction varies by ± this. */
  readonly jitterMs?: number;
  /** Random loss of each direction. */
  readonly lossPercent?: number;
  /** Burst loss of each direction, in addition. */
  readonly burst?: BurstLoss;
  /** Maximum wait in the queue of the bottleneck; packets beyond are dropped. */
  readonly queueMs?: number;
  readonly queuePackets?: number;
}

/** Parameters of the Gilbert-Elliott model, percent per packet, as in netem's `loss gemodel`. */
export interface BurstLoss {
  /** From the good state to the bad one. */
  readonly p: number;
  /** From the bad state to the good one. */
  readonly r: number;
  /** A packet passes in the bad state. */
  readonly h: number;
  /** A packet passes in the good state. */
  readonly k: number;
}

/** The network of an audience from its first arrival on. */
export interface PlanNetwork extends NetworkConditions {
  /** Viewers per bottleneck: they share its rate and its queue. Default 1. */
  readonly sharedBy?: number;
  readonly steps?: readonly NetworkStep[];
}

/** A change of the network: what it names replaces what was in force. */
export interface NetworkStep extends NetworkConditions {
  /** Since the start of the audience. */
  readonly atMs: number;
}

/** `none` is the real network only. */
export const networkPresets = ['none', '3g', 'lte-moving', 'bad-wifi', 'satellite'] as const;
export type NetworkPreset = (typeof networkPresets)[number];

/** Maximums of each direction of a network. */
export const networkLimits = {
  rateKbps: 10_000_000,
  queueMs: 2000,
  queuePackets: 10_000,
  delayMs: 2000,
  jitterMs: 1000,
  sharedBy: 10_000,
  /** Changes in one order to an agent. */
  steps: 200,
} as const;

/** The usual bound of a queue in time. */
export const defaultQueueMs = 200;
