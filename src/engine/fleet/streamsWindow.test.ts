import { expect, it } from 'vitest';
import type { StreamView } from '../../domain/model/node';
import { matchingStreams, sortedStreams } from './streamsWindow';

const streams: StreamView[] = [
  { stream: 'cam10', source: 'WHIP', viewers: 3, videoCodec: 'H264' },
  { stream: 'cam2', source: 'RTMP', viewers: 7 },
  { stream: 'lobby', source: 'RTMP', videoCodec: 'VP8' },
];
const names = (list: readonly StreamView[]): string[] => list.map(({ stream }) => stream);

it('sorts numbers in names as numbers', () => {
  expect(names(sortedStreams(streams, 'stream', false))).toEqual(['cam2', 'cam10', 'lobby']);
});

it('keeps unknown values last in both directions', () => {
  expect(names(sortedStreams(streams, 'viewers', false))).toEqual(['cam10', 'cam2', 'lobby']);
  expect(names(sortedStreams(streams, 'viewers', true))).toEqual(['cam2', 'cam10', 'lobby']);
});

it('orders equals by name', () => {
  expect(names(sortedStreams(streams, 'source', true))).toEqual(['cam10', 'cam2', 'lobby']);
});

it('filters by every word, in name, publisher and codec', () => {
  expect(names(matchingStreams(streams, 'cam rtmp'))).toEqual(['cam2']);
  expect(names(matchingStreams(streams, 'VP8'))).toEqual(['lobby']);
  expect(matchingStreams(streams, '  ')).toBe(streams);
});
