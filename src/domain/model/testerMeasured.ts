import type { PullProtocol } from './protocols';

/** The cost of one viewer on a tester's agent, and its source. */
export interface ViewerCost {
  readonly protocol: PullProtocol;
  /** CPU of the agent's process per viewer, in percent of one core. */
  readonly corePercent: number;
  /** Of the measured stream. */
  readonly kbps: number;
  /** Number of viewers in the measurement; 0 if calculated. */
  readonly viewers: number;
  /** Time of the measurement in a run, Unix ms; absent if calculated. */
  readonly measuredMs?: number;
}

/** A self-test of an agent over two seconds, see `docs/agent-protocol.md`. */
export interface SelfTest {
  readonly packets: number;
  readonly cpuMs: number;
  readonly measuredMs: number;
}

/** Data of a machine that runs viewers. */
export interface TesterMeasured {
  /** From earlier runs, at most one per protocol. */
  readonly costs: readonly ViewerCost[];
  readonly selfTest?: SelfTest;
}
