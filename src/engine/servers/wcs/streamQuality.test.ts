import { expect, it } from 'vitest';
import { streamObject } from './restSchemas';
import { streamQuality } from './streamQuality';

const published = [
  streamObject.parse({ name: 'a', metrics: { VIDEO_NACK: 4, VIDEO_LOST: '7', VIDEO_B_FRAMES: 0 } }),
  streamObject.parse({ name: 'b', metrics: { VIDEO_NACK: 1, VIDEO_B_FRAMES: 12 } }),
];
const statistics = (info?: string) => ({
  format: 'json' as const,
  numbers: new Map(),
  texts: new Map(info === undefined ? [] : [['transcoding_video_full_info', info]]),
});

it('sums the metrics of all streams, and has the longest queue of a distributor', () => {
  const info = {
    a: { distributors: { 'a-240': { codec: 'H264', queueSize: 3 }, 'a-720': { queueSize: '11' } } },
    b: { distributors: { 'b-240': { queueSize: null } } },
    c: {},
  };
  expect(streamQuality(published, statistics(JSON.stringify(info)))).toEqual({
    'server:video_nack': 5,
    'server:video_lost': 7,
    'server:video_b_frames': 12,
    'server:distributor_queue_max': 11,
  });
});

it('has nothing where a version reports nothing, or something else', () => {
  expect(streamQuality([streamObject.parse({ name: 'a' })], statistics())).toEqual({});
  for (const info of ['{', '[]', '{"a":1}', '{"a":{"distributors":[1]}}'])
    expect(streamQuality([], statistics(info))).toEqual({});
});
