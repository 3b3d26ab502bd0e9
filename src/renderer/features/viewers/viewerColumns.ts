import { formatFigure } from '../../../domain/text/numberFormat';
import type { ViewerRow } from '../../../contract/viewerSchemas';
import { failedAt } from '../../../domain/failure/causes';
import { figure, type Figure } from '../../ui/format/numbers';
import { sortedBy, type TableSort } from '../../ui/table';

export type ViewerColumn = 'viewer' | 'job' | 'state' | 'connect' | 'fps' | 'loss' | 'jitter' | 'stalls' | 'freezes';
export type ViewerFilter = 'all' | 'connected' | 'degraded' | 'failed' | 'details';

export type ViewerSort = TableSort<ViewerColumn>;

const stateOrder: readonly ViewerRow['state'][] = [
  'failed',
  'connecting',
  'waiting',
  'connected',
  'disconnecting',
  'disconnected',
];

interface Column {
  readonly title: string;
  readonly width: string;
  /** Undefined is sorted last in both directions. */
  readonly sortBy: (row: ViewerRow) => number | undefined;
  readonly show: (row: ViewerRow) => Figure;
}

export const viewerColumns: Readonly<Record<ViewerColumn, Column>> = {
  viewer: {
    title: 'Viewer',
    width: '72px',
    sortBy: (row) => row.viewer,
    show: (row) => ({ text: formatFigure(row.viewer, 'integer'), unit: '' }),
  },
  job: {
    title: 'Job',
    width: '64px',
    sortBy: (row) => Number(/\d+$/.exec(row.job)?.[0] ?? 0),
    show: (row) => ({ text: row.job, unit: '' }),
  },
  state: {
    title: 'State',
    width: 'minmax(120px, 1fr)',
    sortBy: (row) => stateOrder.indexOf(row.state) + (row.degraded ? -0.5 : 0),
    show: (row) => ({ text: stateText(row), unit: '' }),
  },
  connect: {
    title: 'Connect',
    width: '84px',
    sortBy: (row) => row.connectMs,
    show: (row) => figure(row.connectMs, 'ms', 0),
  },
  fps: { title: 'Frame rate', width: '84px', sortBy: (row) => row.fps, show: (row) => figure(row.fps, 'fps', 1) },
  loss: {
    title: 'Loss',
    width: '84px',
    sortBy: (row) => (row.packets > 0 ? row.lossPercent : undefined),
    show: (row) => figure(row.packets > 0 ? row.lossPercent : undefined, '%', 2),
  },
  jitter: {
    title: 'Jitter',
    width: '84px',
    sortBy: (row) => row.jitterMs,
    show: (row) => figure(row.jitterMs, 'ms', 1),
  },
  stalls: {
    title: 'Stalls',
    width: '72px',
    sortBy: (row) => (row.frames > 0 ? row.stalls : undefined),
    show: (row) => figure(row.frames > 0 ? row.stalls : undefined, '', 0),
  },
  freezes: {
    title: 'Freezes',
    width: '72px',
    sortBy: (row) => (row.frames > 0 ? row.freezeCount : undefined),
    show: (row) => figure(row.frames > 0 ? row.freezeCount : undefined, '', 0),
  },
};

/** The columns to show. Viewers are numbered per job, so several jobs need a job column. */
export function columnsOf(rows: readonly ViewerRow[]): readonly ViewerColumn[] {
  const all = Object.keys(viewerColumns) as ViewerColumn[];
  const hasSeveral = rows.some((row) => row.job !== rows[0]?.job);
  return all.filter((column) => column !== 'job' || hasSeveral);
}

/** State with cause: `connected, degraded by a stall`, `failed at ICE: no candidate pair responded in time`. */
export function stateText(row: ViewerRow): string {
  if (row.failure) return `failed at ${failedAt(row.failure)}`;
  if (row.degraded) return `${row.state}, degraded${row.degradedReason ? ` by ${row.degradedReason}` : ''}`;
  return row.state;
}

export function passesFilter(row: ViewerRow, filter: ViewerFilter): boolean {
  if (filter === 'all') return true;
  if (filter === 'details') return row.detail !== undefined;
  return filter === 'degraded' ? row.degraded : row.state === filter;
}

export function sortViewers(rows: readonly ViewerRow[], { column, isDescending }: ViewerSort): readonly ViewerRow[] {
  const byNumber = [...rows].sort((a, b) => a.viewer - b.viewer);
  return sortedBy(byNumber, viewerColumns[column].sortBy, isDescending);
}
