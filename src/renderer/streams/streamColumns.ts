import type { StreamSortKey } from '../../contract/nodeCalls';
import type { StreamView } from '../../domain/node';
import { figure, grouped, missing, type Figure } from '../format/numbers';
import { ageText, bitrateFigure, codecText, sizeText } from './streamText';

/** `quiet` is a figure that needs no look, `warning` one over a limit. */
export type CellTone = 'name' | 'strong' | 'plain' | 'quiet' | 'warning';

export interface StreamCell extends Figure {
  readonly tone: CellTone;
}

export interface StreamColumn {
  readonly title: string;
  /** What is counted, in one sentence. */
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
    meaning: "Who publishes it, by the server's word",
    isNumber: false,
    width: 'minmax(var(--name), 2.4fr)',
    show: ({ source }) => text(source, 'plain'),
  },
  viewers: {
    title: 'Viewers',
    meaning: "Viewers by the server's own count",
    isNumber: true,
    width: '76px',
    show: ({ viewers }) => number({ text: grouped(viewers), unit: '' }),
  },
  degraded: {
    title: 'Degraded',
    meaning: "Viewers that don't get it in time, by the server's own word",
    isNumber: true,
    width: '76px',
    show: ({ degraded }) => number({ text: grouped(degraded), unit: '' }, degraded ? 'warning' : 'quiet'),
  },
  codec: {
    title: 'Codec',
    meaning: 'Of picture and sound',
    isNumber: false,
    width: 'minmax(116px, 0.6fr)',
    show: (stream) => known(codecText(stream), 'strong'),
  },
  size: {
    title: 'Size',
    meaning: 'Of the picture, as it is published',
    isNumber: false,
    width: '92px',
    show: (stream) => known(sizeText(stream), 'plain'),
  },
  bitrate: {
    title: 'Bitrate',
    meaning: 'As it comes in, which is what one viewer receives',
    isNumber: true,
    width: '104px',
    show: ({ bitrateKbps }) => number(bitrateFigure(bitrateKbps)),
  },
  fps: {
    title: 'Frame rate',
    meaning: 'As it comes in',
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

/** Numbers are asked for from the highest, names from A. */
export function firstDirection(column: StreamSortKey): 'up' | 'down' {
  return streamColumns[column].isNumber ? 'down' : 'up';
}

/** Tracks of the grid, the last one for the actions. */
export function gridTracks(columns: readonly StreamSortKey[]): string {
  return [...columns.map((column) => streamColumns[column].width), 'minmax(190px, 3fr)'].join(' ');
}
