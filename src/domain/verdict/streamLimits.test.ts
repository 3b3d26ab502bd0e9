import { expect, it } from 'vitest';
import type { StreamView } from '../model/node';
import { streamFaults } from './streamLimits';

const cam: StreamView = { stream: 'cam', source: 'RTMP', videoCodec: 'H264', fps: 25, bitrateKbps: 500 };

it('judges the figures that a stream has', () => {
  expect(streamFaults({ ...cam, nacksPerSecond: 10, lostPerSecond: 1 }, {})).toEqual([]);
  expect(streamFaults({ stream: 'radio', source: 'RTMP', fps: 0, bitrateKbps: 64 }, {})).toEqual([]);
  expect(streamFaults({ ...cam, fps: 0, bitrateKbps: 0, nacksPerSecond: 12.34, lostPerSecond: 2 }, {})).toEqual([
    'Frame rate: 0.0 fps, limit >= 1 fps',
    'Bitrate: 0.0 kbit/s, limit >= 1 kbit/s',
    'NACKs: 12.3 /s, limit <= 10 /s',
    'Lost video: 2.0 packets/s, limit <= 1 packets/s',
  ]);
});

it('uses the limits of the settings', () => {
  expect(streamFaults(cam, { fps: 30 })).toEqual(['Frame rate: 25.0 fps, limit >= 30 fps']);
  expect(streamFaults({ ...cam, nacksPerSecond: 12 }, { nack: 20 })).toEqual([]);
});
