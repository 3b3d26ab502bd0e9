import type { Redactor } from '../../domain/redaction';
import type { RunEvent, RunView, Still } from '../../domain/model/run';
import type { ViewerRow } from '../../contract/viewerSchemas';
import type { SampleBatch } from '../../domain/series/series';
import { newRunId, type RunReader } from '../store';

/** A run as read without what `redactor` removes: reports made from it reveal no more than a snapshot would. */
export function redactedReader(reader: RunReader, redactor: Redactor): RunReader {
  const changed = <T>(value: T, key: string): T => redactor.value(value, [key]) as T;
  const shown = (node: string): string => redactor.field(node, 'node');
  const shownKeys = (keys: SampleBatch['keys']): SampleBatch['keys'] =>
    keys.map((key) => ({ ...key, node: shown(key.node) }));
  const shownBatch = (batch: SampleBatch): SampleBatch => ({ ...batch, keys: shownKeys(batch.keys) });
  const stored = new Map(reader.view().nodes.map(({ id }) => [shown(id), id]));
  const stills = (): Still[] =>
    reader
      .stills()
      .filter(({ id }) => redactor.keepsStill(id))
      .map((still) => changed(still, 'still'));
  return {
    id: reader.id,
    view: (): RunView => {
      const view = changed(reader.view(), 'view');
      return { ...view, id: newRunId(view.name, view.startedMs, () => 'shared') };
    },
    engine: () => reader.engine(),
    integrity: () => reader.integrity(),
    events: (): RunEvent[] => reader.events().map((event) => changed(event, 'event')),
    stills,
    stillData: (id) => reader.stillData(id),
    samples: (fromMs, toMs, limit) => {
      const { batch, nextMs } = reader.samples(fromMs, toMs, limit);
      return { batch: shownBatch(batch), nextMs };
    },
    overview: (fromMs, toMs, columns, series) => {
      const overview = reader.overview(fromMs, toMs, columns, series);
      return {
        ...overview,
        columns: overview.columns.map((column) => ({ ...column, node: shown(column.node) })),
      };
    },
    histograms: (question) => reader.histograms(question),
    count: () => reader.count(),
    keys: () => shownKeys(reader.keys()),
    *minutes() {
      for (const batch of reader.minutes()) yield shownBatch(batch);
    },
    prepare: (series) => reader.prepare(series),
    values: (node, series, fromMs, toMs) => reader.values(stored.get(node) ?? node, series, fromMs, toMs),
    summaries: (fromMs, toMs) => reader.summaries(fromMs, toMs).map((each) => ({ ...each, node: shown(each.node) })),
    viewers: (offset, limit, state) => {
      const { total, viewers } = reader.viewers(offset, limit, state);
      return { total, viewers: viewers.map((row): ViewerRow => changed(row, 'viewer')) };
    },
    close: () => reader.close(),
  };
}
