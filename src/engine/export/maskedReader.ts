import { SecretMask } from '../../domain/secrets/secretMask';
import type { RunReader } from '../store';

/**
 * A run as read for a report. Runs recorded before the engine masked what it writes contain addresses with secrets,
 * recognisable by their position in the address. Each of these is masked in the other texts as well.
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
    histograms: (question) => reader.histograms(question),
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
