import type { ProgramShare } from '../../domain/model/otherLoad';
import type { RunView } from '../../domain/model/run';
import { seriesDefinition, type SeriesId } from '../../domain/series/series';
import { describeAmount } from '../../domain/series/seriesAmount';
import { formatDuration } from '../../domain/text/timeFormat';
import { markup, table, type Markup } from './markup';

/** The hosts before the first viewer, one row each, for the report and for Markdown. */
export function baselineRows(view: RunView): {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
} {
  const hosts = view.baseline ?? [];
  // This version does not know name and unit of a series recorded by a later one.
  const series = [...new Set(hosts.flatMap(({ values }) => Object.keys(values)))].filter(
    (id): id is SeriesId => seriesDefinition(id) !== undefined,
  );
  return {
    head: ['Host of', ...series.map((id) => seriesDefinition(id)?.title ?? id), 'Other programs'],
    rows: hosts.map(({ nodes, values, programs = [] }) => [
      nodes.join(', '),
      ...series.map((id) => {
        const value = values[id];
        return value === undefined ? '–' : describeAmount(id, value);
      }),
      programs.map(programText).join(', ') || '–',
    ]),
  };
}

function programText({ name, percent }: ProgramShare): string {
  return `${name} ${Math.round(percent)} %`;
}

/** The baseline measurements of the hosts before the first viewer. */
export function baseline(view: RunView): Markup | undefined {
  const { head, rows } = baselineRows(view);
  const phase = view.phases.find(({ name }) => name === 'baseline');
  if (rows.length === 0) return undefined;
  const length = phase?.endMs === undefined ? '' : `, ${formatDuration(phase.endMs - phase.startMs)}`;
  return markup`<section><h2>Baseline<small>hosts before the first viewer${length}</small></h2>${table(
    [...head],
    rows.map((row) => [...row]),
    { numbers: head.slice(1, -1) },
  )}</section>`;
}
