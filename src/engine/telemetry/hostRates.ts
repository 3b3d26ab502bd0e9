import type { SeriesId } from '../../domain/series';
import type { CpuCounters, CpuTicks } from './procParse';

/** Counters of a host at one moment; what the host does not tell is absent. */
export interface HostReading {
  /** Monotonic time of the reading in ms: rates are over the measured interval, so a late reading makes no wrong rate. */
  readonly monotonicMs: number;
  readonly cpu?: CpuCounters;
  readonly load?: readonly [number, number, number];
  readonly memoryUsedBytes?: number;
  readonly network?: { readonly inBytes: number; readonly outBytes: number };
  readonly udp?: { readonly inErrors: number; readonly receiveBufferErrors: number };
}

export type HostValues = Partial<Record<SeriesId, number>>;

/** What two readings of a host say about the time between them. A counter that ran backwards (a reset) gives no value. */
export function hostValues(before: HostReading | undefined, now: HostReading): HostValues {
  const values: HostValues = {};
  if (now.load) [values.load1, values.load5, values.load15] = now.load;
  if (now.memoryUsedBytes !== undefined) values.memoryUsedBytes = now.memoryUsedBytes;
  if (!before) return values;

  const seconds = (now.monotonicMs - before.monotonicMs) / 1000;
  if (seconds <= 0) return values;
  const put = (series: SeriesId, value: number | undefined): void => {
    if (value !== undefined) values[series] = value;
  };
  const rate = (earlier: number | undefined, later: number | undefined, per = 1): number | undefined =>
    earlier === undefined || later === undefined || later < earlier
      ? undefined
      : (later - earlier) / seconds / per;

  put('cpuPercent', busyPercent(before.cpu?.all, now.cpu?.all));
  now.cpu?.cores.forEach((core, index) =>
    put(`cpuCorePercent:${index}`, busyPercent(before.cpu?.cores[index], core)),
  );
  put('networkInMbps', rate(before.network?.inBytes, now.network?.inBytes, 125_000));
  put('networkOutMbps', rate(before.network?.outBytes, now.network?.outBytes, 125_000));
  put('udpInErrorsPerSecond', rate(before.udp?.inErrors, now.udp?.inErrors));
  put('udpReceiveBufferErrorsPerSecond', rate(before.udp?.receiveBufferErrors, now.udp?.receiveBufferErrors));
  return values;
}

function busyPercent(before: CpuTicks | undefined, now: CpuTicks | undefined): number | undefined {
  if (!before || !now) return undefined;
  const total = now.total - before.total;
  const busy = now.busy - before.busy;
  return total <= 0 || busy < 0 ? undefined : Math.min(100, (100 * busy) / total);
}
