import { eventShape, stillShape, viewerShape, viewShape, type Redactor, type Shape } from '../../domain/redaction';
import type { RunEvent, RunView, Still } from '../../domain/model/run';
import type { ViewerRow } from '../../contract/viewerSchemas';
import type { SampleBatch, SeriesId } from '../../domain/series/series';
import { newRunId, type RunReader } from '../store';

/** A run as read without what `redactor` removes: reports made from it reveal no more than a snapshot would. */
export function redactedReader(reader: RunReader, redactor: Redactor): RunReader {
  const changed = <T>(value: T, shape: Shape): T => redactor.value(value, shape) as T;
  const shownSeries = (series: SeriesId): SeriesId => redactor.field(series, 'series') as SeriesId;
  const shown = (node: string): string => redactor.field(node, 'node');
  const shownKeys = (keys: SampleBatch['keys']): SampleBatch['keys'] =>
    keys.map(({ node, series }) => ({ node: shown(node), series: shownSeries(series) }));
  const shownBatch = (batch: SampleBatch): SampleBatch => ({ ...batch, keys: shownKeys(batch.keys) });
  const keys = reader.keys();
  const stored = new Map(
    [...reader.view().nodes.map(({ id }) => id), ...keys.map(({ node }) => node)].map((id) => [shown(id), id]),
  );
  const storedSeries = new Map(keys.map(({ series }) => [shownSeries(series), series]));
  const seriesOf = (series: SeriesId): SeriesId => storedSeries.get(series) ?? series;
  const stills = (): Still[] =>
    reader
      .stills()
      .filter(({ id }) => redactor.keepsStill(id))
      .map((still) => changed(still, stillShape));
  return {
    id: reader.id,
    view: (): RunView => {
      const view = changed(reader.view(), viewShape);
      return { ...view, id: newRunId(view.name, view.startedMs, () => 'shared') };
    },
    engine: () => reader.engine(),
    integrity: () => reader.integrity(),
    events: (): RunEvent[] => reader.events().map((event) => changed(event, eventShape)),
    stills,
    stillData: (id) => reader.stillData(id),
    samples: (fromMs, toMs, limit) => {
      const { batch, nextMs } = reader.samples(fromMs, toMs, limit);
      return { batch: shownBatch(batch), nextMs };
    },
    overview: (fromMs, toMs, columns, series) => {
      const overview = reader.overview(fromMs, toMs, columns, series && new Set([...series].map(seriesOf)));
      return {
        ...overview,
        columns: overview.columns.map((column) => ({
          ...column,
          node: shown(column.node),
          series: shownSeries(column.series),
        })),
      };
    },
    histograms: (question) => reader.histograms(question),
    count: () => reader.count(),
    keys: () => shownKeys(reader.keys()),
    *minutes() {
      for (const batch of reader.minutes()) yield shownBatch(batch);
    },
    prepare: (series) => reader.prepare(series.map(seriesOf)),
    values: (node, series, fromMs, toMs) => reader.values(stored.get(node) ?? node, seriesOf(series), fromMs, toMs),
    summaries: (fromMs, toMs) =>
      reader
        .summaries(fromMs, toMs)
        .map((summary) => ({ ...summary, node: shown(summary.node), series: shownSeries(summary.series) })),
    viewers: (offset, limit, state) => {
      const { total, viewers } = reader.viewers(offset, limit, state);
      return { total, viewers: viewers.map((row): ViewerRow => changed(row, viewerShape)) };
    },
    close: () => reader.close(),
  };
}
