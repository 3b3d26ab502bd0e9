import { failedAt } from '../../domain/failure/causes';
import { detailedCount, worstViewers } from '../../domain/run/detailedViewers';
import type { RunView } from '../../domain/model/run';
import type { ViewerRow } from '../../contract/viewerSchemas';
import type { RunReader } from '../store';
import { markup, table, type Markup } from './markup';
import { nodeNamed } from './pageData';
import { nodeLabel } from './sections';
import { formatCount, formatRounded } from '../../domain/text/numberFormat';

const pageSize = 1000;
/** Rows that a report searches: far more than a tester runs, and read in a fraction of a second. */
const maxRead = 100_000;

/** The worst viewers of the run, by the rule that selects whose details are saved. */
export function viewersSection(view: RunView, reader: RunReader): Markup | undefined {
  const worst = worstViewers(detailedRows(reader), detailedCount.worst);
  if (worst.length === 0) return undefined;
  const rows = worst.map((row) => [
    formatCount(row.viewer),
    nodeLabel(nodeNamed(view.nodes, row.tester), row.tester),
    stateOf(row),
    milliseconds(row.connectMs),
    milliseconds(row.firstFrameMs),
    row.degradedMs ? `${formatRounded(row.degradedMs / 1000)} s` : '–',
    formatCount(row.stalls),
    row.freezeCount === undefined ? '–' : formatCount(row.freezeCount),
    row.lossPercent === undefined ? '–' : `${formatRounded(row.lossPercent)} %`,
    row.detail?.route?.remote ?? '–',
  ]);
  const head = [
    ...['Viewer', 'Tester', 'State', 'Connect', 'First frame', 'Degraded', 'Stalls', 'Freezes', 'Loss', 'Remote'],
  ];
  return markup`<section><h2>Worst viewers<small>failed first, then by time degraded, stalls, loss and time to connect</small></h2>${table(head, rows, { numbers: ['Viewer', 'Connect', 'First frame', 'Degraded', 'Stalls', 'Freezes', 'Loss'], wide: 'State' })}</section>`;
}

function detailedRows(reader: RunReader): ViewerRow[] {
  const found: ViewerRow[] = [];
  for (let offset = 0; offset < maxRead; offset += pageSize) {
    const { total, viewers } = reader.viewers(offset, pageSize);
    found.push(...viewers.filter(({ detail }) => detail !== undefined));
    if (viewers.length === 0 || offset + pageSize >= total) break;
  }
  return found;
}

const milliseconds = (value: number | undefined): string => (value === undefined ? '–' : `${formatRounded(value)} ms`);

function stateOf({ state, failure }: ViewerRow): string {
  return failure ? `failed at ${failedAt(failure)}. ${failure.detail}` : state;
}
