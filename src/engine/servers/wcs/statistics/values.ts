import type { SeriesId, ServerSeriesId } from '../../../../domain/series/series';
import type { WcsStatistics } from './statistics';

/** Parameters that map one to one to common server series. */
const common: Readonly<Record<string, SeriesId>> = {
  connections: 'originConnections',
  degraded_streams: 'originDegraded',
  gc_pause: 'gcPauseMs',
  // Their unit is not documented; the vendor's own charts use Mbit/s.
  global_bandwidth_in: 'originInMbps',
  global_bandwidth_out: 'originOutMbps',
};

/** Sessions that receive a stream, and those that publish one. */
const playing = ['webrtc', 'rtmp', 'rtmfp', 'rtsp', 'websocket'].map((kind) => `streams_${kind}_out`);
const published = ['webrtc', 'rtmp', 'rtmfp', 'rtsp'].map((kind) => `streams_${kind}_in`);

/** The statistics as series: the common ones, and every other number under the server's own name. */
export function seriesOf({ numbers }: WcsStatistics): Partial<Record<SeriesId, number>> {
  const values: Partial<Record<SeriesId, number>> = {};
  const put = (series: SeriesId, value: number | undefined): void => {
    if (value !== undefined) values[series] = value;
  };
  put('originViewers', sumOf(numbers, playing));
  put('originStreams', sumOf(numbers, published));
  put('memoryUsedBytes', memoryUsed(numbers));
  for (const [name, value] of numbers) values[common[name] ?? ownSeries(name)] = value;
  return values;
}

/** Memory in use on the server's machine as reported by Java: everything that is not free, caches included. */
function memoryUsed(numbers: ReadonlyMap<string, number>): number | undefined {
  const total = numbers.get('core_java_totalPhysicalMemorySize');
  const free = numbers.get('core_java_freePhysicalMemorySize');
  return total === undefined || free === undefined || free > total ? undefined : total - free;
}

/** The sum of the values present; undefined without any. */
function sumOf(numbers: ReadonlyMap<string, number>, names: readonly string[]): number | undefined {
  const present = names.flatMap((name) => numbers.get(name) ?? []);
  return present.length > 0 ? present.reduce((sum, value) => sum + value, 0) : undefined;
}

/** A parameter's series; characters that a series name can't contain become `_`. */
function ownSeries(name: string): ServerSeriesId {
  return `server:${name.replace(/[^A-Za-z0-9_.%/-]/g, '_').slice(0, 100)}`;
}
