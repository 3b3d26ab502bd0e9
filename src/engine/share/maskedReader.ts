import { SecretMask } from '../../domain/secrets/secretMask';
import type { RunReader } from '../store';

/**
 * * A run as it is read for a report: runs that were recorded before the engine masked what it writes hold addresses
 * with their secrets, which their places in the addresses give away. Each of these is masked in the other texts as
 * well.
 */
export function maskedReader(reader: RunReader): RunReader {
  const mask = new SecretMask();
  mask.addAddresses(JSON.stringify(reader.view().plan));
  return {
    id: reader.id,
    view: () => mask.value(reader.view(), ['view']),
    engine: () => reader.engine(),
    integrity: () => reader.integrity(),
    events: () => mask.value(reader.events(), ['event']),
    stills: () => reader.stills(),
    stillData: (id) => reader.stillData(id),
    samples: (fromMs, toMs, limit) => reader.samples(fromMs, toMs, limit),
    overview: (fromMs, toMs, columns, series) => reader.overview(fromMs, toMs, columns, series),
    count: () => reader.count(),
    keys: () => reader.keys(),
    minutes: () => reader.minutes(),
    prepare: (series) => reader.prepare(series),
    values: (node, series, fromMs, toMs) => reader.values(node, series, fromMs, toMs),
    summaries: (fromMs, toMs) => reader.summaries(fromMs, toMs),
    viewers: (offset, limit, state) => mask.value(reader.viewers(offset, limit, state), ['viewer']),
    close: () => reader.close(),
  };
}
