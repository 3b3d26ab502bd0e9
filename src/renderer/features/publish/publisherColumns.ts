import type { AgentPublisher } from '../../../contract/agentSample';
import { formatFigure } from '../../../domain/text/numberFormat';
import { figure, type Figure } from '../../ui/format/numbers';
import { sortedBy, type TableSort } from '../../ui/table';

/** A publisher with its rates since the reading before. */
export interface PublisherRow extends AgentPublisher {
  readonly bitrateKbps?: number;
  readonly fps?: number;
}

export type PublisherColumn =
  | 'publisher'
  | 'state'
  | 'bitrate'
  | 'fps'
  | 'roundTrip'
  | 'loss'
  | 'retransmissions'
  | 'keyframeRequests'
  | 'unacknowledged'
  | 'interruptions';
export type PublisherFilter = 'all' | 'live' | 'failed';
export type PublisherSort = TableSort<PublisherColumn>;

interface Reading {
  readonly atMs: number;
  readonly publishers: readonly AgentPublisher[];
}

/** Rates between two readings; none for a publisher whose counts began again. */
export function withRates(now: Reading, before: Reading | undefined): readonly PublisherRow[] {
  const seconds = before ? (now.atMs - before.atMs) / 1000 : 0;
  if (!before || seconds <= 0) return now.publishers;
  return now.publishers.map((row, index) => {
    const old = before.publishers[index];
    if (row.state !== 'live' || !old || row.bytes < old.bytes || row.frames < old.frames) return row;
    const bitrateKbps = ((row.bytes - old.bytes) * 8) / 1000 / seconds;
    return { ...row, bitrateKbps, fps: (row.frames - old.frames) / seconds };
  });
}

const stateOrder: readonly AgentPublisher['state'][] = ['failed', 'connecting', 'waiting', 'live', 'ended'];

interface Column {
  readonly title: string;
  readonly width: string;
  readonly meaning?: string;
  /** Undefined is sorted last in both directions. */
  readonly sortBy: (row: PublisherRow) => number | undefined;
  readonly show: (row: PublisherRow) => Figure;
}

/** A count that has a value once media was sent: absent is 0 then. */
const sentCount = (row: PublisherRow, count: number | undefined): number | undefined =>
  row.frames > 0 ? (count ?? 0) : undefined;

export const publisherColumns: Readonly<Record<PublisherColumn, Column>> = {
  publisher: {
    title: 'Publisher',
    width: '76px',
    sortBy: (row) => row.publisher,
    show: (row) => ({ text: formatFigure(row.publisher, 'integer'), unit: '' }),
  },
  state: {
    title: 'State',
    width: 'minmax(120px, 1fr)',
    sortBy: (row) => stateOrder.indexOf(row.state),
    show: (row) => ({ text: row.problem === undefined ? row.state : `${row.state}: ${row.problem}`, unit: '' }),
  },
  bitrate: {
    title: 'Bitrate',
    width: '88px',
    sortBy: (row) => row.bitrateKbps,
    show: (row) => figure(row.bitrateKbps, 'kbit/s', 0),
  },
  fps: { title: 'Frame rate', width: '80px', sortBy: (row) => row.fps, show: (row) => figure(row.fps, 'fps', 1) },
  roundTrip: {
    title: 'RTT',
    width: '68px',
    sortBy: (row) => row.roundTripMs,
    show: (row) => figure(row.roundTripMs, 'ms', 1),
  },
  loss: {
    title: 'Loss',
    width: '64px',
    sortBy: (row) => row.lossPercent,
    show: (row) => figure(row.lossPercent, '%', 2),
  },
  retransmissions: {
    title: 'Sent again',
    width: '76px',
    meaning: 'Packets that the server asked for again; TCP segments over RTMP',
    sortBy: (row) => sentCount(row, row.retransmissions),
    show: (row) => figure(sentCount(row, row.retransmissions), '', 0),
  },
  keyframeRequests: {
    title: 'PLI',
    width: '48px',
    meaning: 'Key frames that the server asked for',
    sortBy: (row) => row.keyframeRequests,
    show: (row) => figure(row.keyframeRequests, '', 0),
  },
  unacknowledged: {
    title: 'Unacked',
    width: '76px',
    meaning: 'Sent or waiting, but not acknowledged by the server',
    sortBy: (row) => row.unacknowledgedKb,
    show: (row) => figure(row.unacknowledgedKb, 'kB', 1),
  },
  interruptions: {
    title: 'Interruptions',
    width: '88px',
    meaning: 'How often it was lost and published again',
    sortBy: (row) => sentCount(row, row.interruptions),
    show: (row) => figure(sentCount(row, row.interruptions), '', 0),
  },
};

/** What not every protocol has. */
const optional: readonly PublisherColumn[] = ['roundTrip', 'loss', 'keyframeRequests', 'unacknowledged'];

/** The columns to show: those that a publisher has a value of, and those of all protocols. */
export function columnsOf(rows: readonly PublisherRow[]): readonly PublisherColumn[] {
  const all = Object.keys(publisherColumns) as PublisherColumn[];
  return all.filter(
    (column) => !optional.includes(column) || rows.some((row) => publisherColumns[column].sortBy(row) !== undefined),
  );
}

export function sortPublishers(
  rows: readonly PublisherRow[],
  { column, isDescending }: PublisherSort,
): readonly PublisherRow[] {
  return sortedBy(rows, publisherColumns[column].sortBy, isDescending);
}
