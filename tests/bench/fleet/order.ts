import type { NodeSettings } from '../../../src/domain/model/nodeSettings';

/** Message of the servers' process. */
export interface Servers {
  readonly nodes: Readonly<Record<string, NodeSettings>>;
  /** Names of unresponsive ones. */
  readonly dead: readonly string[];
  readonly sshFolder: string;
}

/** First input line of the engine's process. */
export interface Order extends Servers {
  /** Warm-up, in s. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

export interface NodeFigures {
  readonly node: string;
  readonly isDead: boolean;
  /** Of its server's API and of its host's /proc. */
  readonly serverSamples: number;
  readonly hostSamples: number;
  /** Between two samples of the same kind, by the engine's clock, in ms. */
  readonly longestGapMs: number;
  readonly problem: string | undefined;
}

export interface EngineFigures {
  readonly seconds: number;
  /** Of one core. */
  readonly cpuPercent: number;
  readonly rssMbMax: number;
  readonly heapMbMax: number;
  /** Longest delay of a timer tick in the engine. */
  readonly longestTaskMs: number;
  /** As sent to the window. */
  readonly messagesKbPerSecond: number;
  readonly nodes: readonly NodeFigures[];
}
