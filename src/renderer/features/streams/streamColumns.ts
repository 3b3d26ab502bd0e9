import type { StreamSortKey } from '../../../contract/nodeCalls';
import type { StreamView } from '../../../domain/model/node';
import { figure, grouped, missing, type Figure } from '../../ui/format/numbers';
import { ageText, bitrateFigure, codecText, sizeText } from './streamText';

/** `quiet` is an unremarkable figure, `warning` one above a limit. */
export type CellTone = 'name' | 'strong' | 'plain' | 'quiet' | 'warning';

export interface StreamCell extends Figure {
  readonly tone: CellTone;
}

export interface StreamColumn {
  readonly title: string;
  /** Description of the figure. */
  readonly meaning: string;
  readonly isNumber: boolean;
  /** A track of the grid. */
  readonly width: string;
  readonly show: (stream: StreamView) => StreamCell;
}

const text = (value: string, tone: CellTone): StreamCell => ({ text: value, unit: '', tone });
const known = (value: string, tone: CellTone): StreamCell => text(value, value === missing ? 'quiet' : tone);
const number = (value: Figure, tone: CellTone = 'strong'): StreamCell => ({
  ...value,
  tone: value.text === missing ? 'quiet' : tone,
});

export const streamColumns: Readonly<Record<StreamSortKey, StreamColumn>> = {
  stream: {
    title: 'Stream',
    meaning: 'Name by which the stream is played',
    isNumber: false,
    width: 'minmax(var(--name), 1.6fr)',
    show: ({ stream }) => text(stream, 'name'),
  },
  source: {
    title: 'Publisher',
    meaning: 'Publisher, as reported by the server',
    isNumber: false,
    width: 'minmax(var(--name), 2.4fr)',
    show: ({ source }) => text(source, 'plain'),
  },
  viewers: {
    title: 'Viewers',
    meaning: 'Viewers, as reported by the server',
    isNumber: true,
    width: '76px',
    show: ({ viewers }) => number({ text: grouped(viewers), unit: '' }),
  },
  degraded: {
    title: 'Degraded',
    meaning: 'Viewers that receive it late, as reported by the server',
    isNumber: true,
    width: '76px',
    show: ({ degraded }) => number({ text: grouped(degraded), unit: '' }, degraded ? 'warning' : 'quiet'),
  },
  codec: {
    title: 'Codec',
    meaning: 'Of video and audio',
    isNumber: false,
    width: 'minmax(116px, 0.6fr)',
    show: (stream) => known(codecText(stream), 'strong'),
  },
  size: {
    title: 'Size',
    meaning: 'Of the published video',
    isNumber: false,
    width: '92px',
    show: (stream) => known(sizeText(stream), 'plain'),
  },
  bitrate: {
    title: 'Bitrate',
    meaning: 'Incoming, which equals the bitrate per viewer',
    isNumber: true,
    width: '104px',
    show: ({ bitrateKbps }) => number(bitrateFigure(bitrateKbps)),
  },
  fps: {
    title: 'Frame rate',
    meaning: 'Incoming',
    isNumber: true,
    width: '80px',
    show: ({ fps }) => number(figure(fps, 'fps', 1)),
  },
  age: {
    title: 'Age',
    meaning: 'Since it was published',
    isNumber: true,
    width: '88px',
    show: ({ ageMs }) => number({ text: ageText(ageMs), unit: '' }, 'plain'),
  },
};

/** Numbers are sorted descending, names ascending. */
export function firstDirection(column: StreamSortKey): 'up' | 'down' {
  return streamColumns[column].isNumber ? 'down' : 'up';
}
