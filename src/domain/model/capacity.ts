/** An iperf3 measurement between two nodes, while running and when complete. */
export interface CapacityTest {
  readonly id: string;
  /** Node names; data flows from `from` to `to`. */
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

/** Number of viewers of one stream that a link supports. `bitrateKbps` is what one viewer receives. */
export function viewerCapacity(mbps: number, bitrateKbps: number): number {
  return bitrateKbps > 0 ? Math.floor((mbps * 1000) / bitrateKbps) : 0;
}
