import type { PullSample } from '../../src/engine/load/driver';

/** A job's sample for tests of the rules. */
export function pullSampleWith(over: Partial<PullSample> = {}): PullSample {
  return {
    timeMs: 1000,
    job: 'pull-1',
    state: 'holding',
    requested: 100,
    waiting: 0,
    connecting: 0,
    connected: 100,
    failed: 0,
    degraded: 0,
    present: 100,
    rateTarget: 50,
    rateAchieved: 48,
    bitrateKbps: 17_000,
    packetsPerSecond: 4200,
    stalls: 0,
    freezeCount: 0,
    freezeDurationMs: 0,
    distributions: {},
    values: {},
    failures: [],
    ...over,
  };
}
