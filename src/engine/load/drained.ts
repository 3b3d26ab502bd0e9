import type { PullSample } from './driver';

/** A job after its end: its counts stay, with no viewers present. */
export function drained(sample: PullSample): PullSample {
  return {
    ...sample,
    state: 'ended',
    waiting: 0,
    connecting: 0,
    connected: 0,
    degraded: 0,
    reconnecting: undefined,
    present: 0,
    rateAchieved: 0,
    bitrateKbps: 0,
    packetsPerSecond: sample.packetsPerSecond === undefined ? undefined : 0,
    lossPercent: undefined,
    delay: undefined,
    distributions: {},
    values: {},
    tester: undefined,
  };
}
