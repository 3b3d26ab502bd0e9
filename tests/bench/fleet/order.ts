import type { NodeSettings } from '../../../src/domain/nodeSettings';

/** What the servers' process tells of itself. */
export interface Servers {
  readonly nodes: Readonly<Record<string, NodeSettings>>;
  /** Names of those that don't answer. */
  readonly dead: readonly string[];
  readonly sshFolder: string;
}

/** What the engine's process is told by the first line of its input. */
export interface Order extends Servers {
  /** Before anything counts, in s. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

export interface NodeFigures {
  readonly node: string;
  readonly isDead: boolean;
  /** Of its server's API and of its host's /proc. */
  readonly serverSamples: number;
  readonly hostSamples: number;
  /** Between two samples of the same kind, by the engine's own clock, in ms. */
  readonly longestGapMs: number;
  readonly problem: string | undefined;
}

export interface EngineFigures {
  readonly seconds: number;
  /** Of one core. */
  readonly cpuPercent: number;
  readonly rssMbMax: number;
  readonly heapMbMax: number;
  /** Longest time that the engine was late for a beat of its own. */
  readonly longestTaskMs: number;
  /** As they would cross to the window. */
  readonly messagesKbPerSecond: number;
  readonly nodes: readonly NodeFigures[];
}
