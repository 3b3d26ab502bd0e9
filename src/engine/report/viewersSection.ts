import { detailedCount, worstViewers } from '../../domain/detailedViewers';
import type { RunView, ViewerRow } from '../../domain/run';
import type { RunReader } from '../store';
import { about, whole } from './figures';
import { markup, table, type Markup } from './markup';
import { nodeNamed } from './pageData';
import { nodeLabel } from './sections';

const pageSize = 1000;
/** Rows that a report looks through: far more than a tester plays, and read in a fraction of a second. */
const mostRead = 100_000;

/** The worst viewers of the run, by the rule that chose whose details are kept. */
export function viewersSection(view: RunView, reader: RunReader): Markup | undefined {
  const worst = worstViewers(detailedRows(reader), detailedCount.worst);
  if (worst.length === 0) return undefined;
  const rows = worst.map((row) => [
    whole(row.viewer),
    nodeLabel(nodeNamed(view.nodes, row.tester), row.tester),
    stateOf(row),
    milliseconds(row.connectMs),
    milliseconds(row.firstFrameMs),
    row.degradedMs ? `${about(row.degradedMs / 1000)} s` : '–',
    whole(row.freezes),
    row.lossPercent === undefined ? '–' : `${about(row.lossPercent)} %`,
    row.detail?.route?.remote ?? '–',
  ]);
  const head = [
    ...['Viewer', 'Tester', 'State', 'Connect', 'First frame', 'Degraded', 'Freezes', 'Loss', 'Remote'],
  ];
  return markup`<section><h2>Worst viewers<small>failed first, then by time degraded, freezes, loss and time to connect</small></h2>${table(head, rows, { numbers: ['Viewer', 'Connect', 'First frame', 'Degraded', 'Freezes', 'Loss'], wide: 'State' })}</section>`;
}

function detailedRows(reader: RunReader): ViewerRow[] {
  const found: ViewerRow[] = [];
  for (let offset = 0; offset < mostRead; offset += pageSize) {
    const { total, viewers } = reader.viewers(offset, pageSize);
    found.push(...viewers.filter(({ detail }) => detail !== undefined));
    if (viewers.length === 0 || offset + pageSize >= total) break;
  }
  return found;
}

const milliseconds = (value: number | undefined): string =>
  value === undefined ? '–' : `${about(value)} ms`;

function stateOf({ state, failure }: ViewerRow): string {
  return failure ? `failed at ${failure.stage}, ${failure.cause}: ${failure.detail}` : state;
}
