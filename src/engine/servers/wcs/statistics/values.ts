import type { SeriesId, ServerSeriesId } from '../../../../domain/series';
import type { WcsStatistics } from './statistics';

/** Parameters that are series of every server, one to one. */
const common: Readonly<Record<string, SeriesId>> = {
  connections: 'originConnections',
  degraded_streams: 'originDegraded',
  gc_pause: 'gcPauseMs',
  // Their unit is not documented; the vendor's own charts show them as Mbit/s.
  global_bandwidth_in: 'originInMbps',
  global_bandwidth_out: 'originOutMbps',
};

/** Sessions that receive a stream, and those that bring one. */
const playing = ['webrtc', 'rtmp', 'rtmfp', 'rtsp', 'websocket'].map((kind) => `streams_${kind}_out`);
const published = ['webrtc', 'rtmp', 'rtmfp', 'rtsp'].map((kind) => `streams_${kind}_in`);

/** What the statistics say, as series: those that other servers have too, and each further number under the server's own name. */
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

/** Memory in use on the server's machine, as its Java sees it: all that is not free, caches included. */
function memoryUsed(numbers: ReadonlyMap<string, number>): number | undefined {
  const total = numbers.get('core_java_totalPhysicalMemorySize');
  const free = numbers.get('core_java_freePhysicalMemorySize');
  return total === undefined || free === undefined || free > total ? undefined : total - free;
}

/** The sum of those that are told; undefined when none is. */
function sumOf(numbers: ReadonlyMap<string, number>, names: readonly string[]): number | undefined {
  const told = names.flatMap((name) => numbers.get(name) ?? []);
  return told.length > 0 ? told.reduce((sum, value) => sum + value, 0) : undefined;
}

/** A parameter's series; what the name of a series can't hold becomes `_`. */
export function ownSeries(name: string): ServerSeriesId {
  return `server:${name.replace(/[^A-Za-z0-9_.%/-]/g, '_').slice(0, 100)}`;
}
