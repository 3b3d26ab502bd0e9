/** An iperf3 measurement between two nodes while it runs and when it has ended. */
export interface CapacityTest {
  readonly id: string;
  /** Names of nodes; data flows from `from` to `to`. */
  readonly from: string;
  readonly to: string;
  readonly protocol: 'tcp' | 'udp';
  readonly seconds: number;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  /** 0 to 1. */
  readonly progress: number;
  readonly mbps?: number;
  readonly retransmits?: number;
  readonly lossPercent?: number;
  readonly jitterMs?: number;
  readonly problem?: string;
}

/** Viewers of one stream that a link carries. `bitrateKbps` is what one viewer receives. */
export function roomForViewers(mbps: number, bitrateKbps: number): number {
  return bitrateKbps > 0 ? Math.floor((mbps * 1000) / bitrateKbps) : 0;
}
