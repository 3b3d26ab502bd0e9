import type { RunView } from '../../domain/model/run';
import { audienceFigures } from '../../domain/run/audienceFigures';
import { protocolNames } from '../../domain/model/protocols';
import { networkText } from '../../domain/plan/networkText';
import type { SeriesSummary } from '../store';
import { highest } from './figures';
import { markup, table, type Markup } from './markup';
import { formatCount, formatRounded } from '../../domain/text/numberFormat';

const head = [
  'Audience',
  'Protocol',
  'Stream',
  'Network',
  'Viewers',
  'Failed',
  'Max degraded',
  'Connect p95',
  'First frame p95',
  'Media',
] as const;

const ms = (value: number | undefined): string => (value === undefined ? '–' : `${formatRounded(value)} ms`);

/** One row per audience of a run with several; no rows for a run with one. Both reports show it. */
export function audienceTable(
  view: RunView,
  summaries: readonly SeriesSummary[],
): { readonly head: readonly string[]; readonly rows: ReadonlyArray<readonly string[]> } {
  const rows = audienceFigures(view, (node, series) => highest(summaries, series, [node])).map((figure) => [
    figure.name,
    protocolNames[figure.pull.protocol],
    figure.pull.stream,
    networkText(figure.pull.network) ?? 'real',
    `${formatCount(figure.connectedPeak)} of ${formatCount(figure.requested)}`,
    formatCount(figure.failed),
    formatCount(figure.degradedPeak),
    ms(figure.connectP95Ms),
    ms(figure.firstFrameP95Ms),
    `${formatRounded(figure.mediaInMbps)} Mbit/s`,
  ]);
  return { head, rows };
}

export function audiencesSection(view: RunView, summaries: readonly SeriesSummary[]): Markup | undefined {
  const { rows } = audienceTable(view, summaries);
  if (rows.length === 0) return undefined;
  const numbers = head.slice(head.indexOf('Viewers'));
  return markup`<section><h2>Audiences<small>highest figures of the run</small></h2>${table(head, rows, { numbers })}</section>`;
}
