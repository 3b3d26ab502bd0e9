import type { StreamSortKey } from '../../../contract/nodeCalls';
import type { StreamView } from '../../../domain/model/node';
import { protocolNames, type PlayProtocol } from '../../../domain/model/protocols';
import type { ServerFamily } from '../../../domain/model/serverFamilies';
import {
  streamFault,
  streamFaults,
  streamLimitIds,
  type StreamLimitId,
  type StreamLimits,
} from '../../../domain/verdict/streamLimits';
import { figure, grouped, missing, type Figure } from '../../ui/format/numbers';
import type { TableColumn, TableFigure } from '../../ui/table';
import { ageText, bitrateFigure, codecText, sizeText } from './streamText';

type StreamColumn = Required<Pick<TableColumn<StreamView>, 'title' | 'meaning' | 'isNumber' | 'width' | 'figure'>> &
  Pick<TableColumn<StreamView>, 'hint' | 'rank'>;

const text = (value: string, tone: TableFigure['tone']): TableFigure => ({ text: value, unit: '', tone });
const known = (value: string, tone: TableFigure['tone']): TableFigure =>
  text(value, value === missing ? 'quiet' : tone);
const number = (value: Figure, tone: TableFigure['tone'] = 'strong'): TableFigure => ({
  ...value,
  tone: value.text === missing ? 'quiet' : tone,
});

export const streamColumns: Readonly<Record<StreamSortKey, StreamColumn>> = {
  stream: {
    title: 'Stream',
    meaning: 'Name by which the stream is played',
    isNumber: false,
    width: 'minmax(var(--name), 1.6fr)',
    figure: ({ stream }) => text(stream, 'strong'),
    hint: ({ stream }) => stream,
  },
  source: {
    title: 'Publisher',
    meaning: 'Publisher, as reported by the server',
    isNumber: false,
    width: 'minmax(var(--name), 2.4fr)',
    figure: ({ source }) => text(source, 'plain'),
    hint: ({ source }) => source,
  },
  viewers: {
    title: 'Viewers',
    meaning: 'Viewers, as reported by the server',
    isNumber: true,
    width: '64px',
    figure: ({ viewers }) => number({ text: grouped(viewers), unit: '' }),
    hint: ({ viewersBy }) => (viewersBy ? viewersByText(viewersBy) : undefined),
  },
  degraded: {
    title: 'Degraded',
    meaning: 'Viewers that receive it late, as reported by the server',
    isNumber: true,
    width: '68px',
    figure: ({ degraded }) => number({ text: grouped(degraded), unit: '' }, degraded ? 'warning' : 'quiet'),
  },
  codec: {
    title: 'Codec',
    meaning: 'Of video and audio',
    isNumber: false,
    width: 'minmax(110px, 0.6fr)',
    figure: (stream) => known(codecText(stream), stream.bFrames ? 'warning' : 'strong'),
    hint: (stream) =>
      stream.bFrames
        ? `${codecText(stream)}, with B-frames (${grouped(stream.bFrames)}): its picture jumps at WebRTC viewers`
        : codecText(stream),
  },
  size: {
    title: 'Size',
    meaning: 'Of the published video',
    isNumber: false,
    width: '92px',
    rank: 3,
    figure: (stream) => known(sizeText(stream), 'plain'),
  },
  bitrate: {
    title: 'Bitrate',
    meaning: 'Incoming, which equals the bitrate per viewer',
    isNumber: true,
    width: '96px',
    figure: ({ bitrateKbps }) => number(bitrateFigure(bitrateKbps)),
  },
  fps: {
    title: 'Frame rate',
    meaning: 'Incoming',
    isNumber: true,
    width: '76px',
    rank: 2,
    figure: ({ fps }) => number(figure(fps, 'fps', 1)),
  },
  nack: {
    title: 'NACKs',
    meaning: 'Packets of video requested again, as counted by the server (WCS)',
    isNumber: true,
    width: '56px',
    rank: 5,
    figure: ({ nacksPerSecond }) => number(figure(nacksPerSecond, '/s', 1), 'plain'),
  },
  lost: {
    title: 'Lost',
    meaning: 'Lost packets of video, as counted by the server (WCS)',
    isNumber: true,
    width: '56px',
    rank: 4,
    figure: ({ lostPerSecond }) => number(figure(lostPerSecond, '/s', 1), 'plain'),
  },
  age: {
    title: 'Age',
    meaning: 'Since it was published',
    isNumber: true,
    width: '76px',
    rank: 1,
    figure: ({ ageMs }) => number({ text: ageText(ageMs), unit: '' }, 'plain'),
  },
};

/** e.g. `WHEP 10, RTMP 5`, the most frequent first. */
const viewersByText = (viewersBy: NonNullable<StreamView['viewersBy']>): string | undefined =>
  Object.entries(viewersBy)
    .sort(([, a], [, b]) => b - a)
    .map(([protocol, count]) => `${protocolNames[protocol as PlayProtocol]} ${grouped(count)}`)
    .join(', ') || undefined;

/** Numbers are sorted descending, names ascending. */
export function firstDirection(column: StreamSortKey): 'up' | 'down' {
  return streamColumns[column].isNumber ? 'down' : 'up';
}

const isLimited = (column: StreamSortKey): column is StreamSortKey & StreamLimitId =>
  (streamLimitIds as readonly string[]).includes(column);

/** A column whose figures outside their limits are warnings; so is the name of such a stream. */
export function columnWithLimits(column: StreamSortKey, limits: StreamLimits): StreamColumn {
  const plain = streamColumns[column];
  if (column !== 'stream' && !isLimited(column)) return plain;
  const faultOf = (stream: StreamView): string | undefined =>
    column === 'stream' ? streamFaults(stream, limits).join('; ') || undefined : streamFault(stream, column, limits);
  return {
    ...plain,
    figure: (stream) => ({
      ...plain.figure(stream),
      ...(faultOf(stream) === undefined ? {} : { tone: 'warning' as const }),
    }),
    hint: (stream) => {
      const [hint, fault] = [plain.hint?.(stream), faultOf(stream)];
      return hint !== undefined && fault !== undefined ? `${hint}: ${fault}` : (fault ?? hint);
    },
  };
}

/** Columns of figures that only a WCS reports. */
const ofWcs: readonly StreamSortKey[] = ['nack', 'lost'];

export const columnsOf = (
  server: ServerFamily | undefined,
  shown: readonly StreamSortKey[],
): readonly StreamSortKey[] => (server === 'wcs' ? shown : shown.filter((column) => !ofWcs.includes(column)));
