import { formatFigure } from '../../domain/numberFormat';
import type { ViewerRow } from '../../domain/run';
import { stageNames } from '../headline/failures';
import { isTestersOwn } from '../limited/limited';
import { figure, type Figure } from '../format/numbers';

export type ViewerColumn = 'viewer' | 'job' | 'state' | 'connect' | 'fps' | 'loss' | 'jitter' | 'freezes';
export type ViewerFilter = 'all' | 'connected' | 'degraded' | 'failed' | 'details';

export interface ViewerSort {
  readonly column: ViewerColumn;
  readonly isDescending: boolean;
}

const stateOrder: readonly ViewerRow['state'][] = [
  'failed',
  'connecting',
  'waiting',
  'connected',
  'leaving',
  'left',
];

interface Column {
  readonly title: string;
  /** Undefined is sorted to the end, whatever the direction. */
  readonly sortBy: (row: ViewerRow) => number | undefined;
  readonly show: (row: ViewerRow) => Figure;
}

export const viewerColumns: Readonly<Record<ViewerColumn, Column>> = {
  viewer: {
    title: 'Viewer',
    sortBy: (row) => row.viewer,
    show: (row) => ({ text: formatFigure(row.viewer, 'integer'), unit: '' }),
  },
  job: {
    title: 'Job',
    sortBy: (row) => Number(/\d+$/.exec(row.job)?.[0] ?? 0),
    show: (row) => ({ text: row.job, unit: '' }),
  },
  state: {
    title: 'State',
    sortBy: (row) => stateOrder.indexOf(row.state) + (row.degraded ? -0.5 : 0),
    show: (row) => ({ text: stateText(row), unit: '' }),
  },
  connect: {
    title: 'Connect',
    sortBy: (row) => row.connectMs,
    show: (row) => figure(row.connectMs, 'ms', 0),
  },
  fps: { title: 'Frame rate', sortBy: (row) => row.fps, show: (row) => figure(row.fps, 'fps', 1) },
  loss: {
    title: 'Loss',
    sortBy: (row) => (row.packets > 0 ? row.lossPercent : undefined),
    show: (row) => figure(row.packets > 0 ? row.lossPercent : undefined, '%', 2),
  },
  jitter: { title: 'Jitter', sortBy: (row) => row.jitterMs, show: (row) => figure(row.jitterMs, 'ms', 1) },
  freezes: {
    title: 'Freezes',
    sortBy: (row) => (row.frames > 0 ? row.freezes : undefined),
    show: (row) => figure(row.frames > 0 ? row.freezes : undefined, '', 0),
  },
};

/** The columns to show: jobs are told apart only where there are several, since each numbers its viewers from 1. */
export function columnsOf(rows: readonly ViewerRow[]): readonly ViewerColumn[] {
  const all = Object.keys(viewerColumns) as ViewerColumn[];
  const hasSeveral = rows.some((row) => row.job !== rows[0]?.job);
  return all.filter((column) => column !== 'job' || hasSeveral);
}

/** The state with its reason: `connected, degraded by a freeze`, `failed at ICE, timeout`, `failed by its tester: files`. */
export function stateText(row: ViewerRow): string {
  if (row.failure && isTestersOwn(row.failure))
    return `failed by its tester: ${row.failure.cause.slice('tester-'.length).replaceAll('-', ' ')}`;
  if (row.failure) return `failed at ${stageNames[row.failure.stage]}, ${row.failure.cause}`;
  if (row.degraded) return `${row.state}, degraded${row.degradedBecause ? ` by ${row.degradedBecause}` : ''}`;
  return row.state;
}

export function passesFilter(row: ViewerRow, filter: ViewerFilter): boolean {
  if (filter === 'all') return true;
  if (filter === 'details') return row.detail !== undefined;
  return filter === 'degraded' ? row.degraded : row.state === filter;
}

export function sortViewers(
  rows: readonly ViewerRow[],
  { column, isDescending }: ViewerSort,
): readonly ViewerRow[] {
  const { sortBy } = viewerColumns[column];
  const direction = isDescending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [sortBy(a), sortBy(b)];
    if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined);
    return direction * (x - y) || a.viewer - b.viewer;
  });
}
