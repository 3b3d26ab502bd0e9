import { expect, it } from 'vitest';
import { publisherFigures, publisherReading } from './publisherStats';
import type { StatsEntry } from '../figures/playerStats';

function report(timestamp: number, frames: number, videoBytes: number, audioBytes: number): StatsEntry[] {
  return [
    { id: 'C1', type: 'codec', mimeType: 'video/H264', sdpFmtpLine: 'profile-level-id=42e01f' },
    {
      id: 'O1',
      type: 'outbound-rtp',
      kind: 'video',
      codecId: 'C1',
      timestamp,
      framesSent: frames,
      bytesSent: videoBytes,
      frameWidth: 640,
      frameHeight: 360,
      encoderImplementation: 'OpenH264',
      qualityLimitationReason: 'none',
    },
    { id: 'O2', type: 'outbound-rtp', kind: 'audio', timestamp, bytesSent: audioBytes },
  ];
}

it('computes frame rate and bitrate between two reports', () => {
  const before = publisherReading(report(1000, 100, 50_000, 4000));
  const now = publisherReading(report(2000, 125, 90_000, 8000));
  expect(publisherFigures(before, now)).toEqual({
    fps: 25,
    bitrateKbps: 352,
    width: 640,
    height: 360,
    codec: 'H.264 CBP',
    encoder: 'OpenH264',
    limitedBy: undefined,
  });
});

it('yields no rate from one report, nor after a counter reset', () => {
  const now = publisherReading(report(2000, 125, 90_000, 8000));
  expect(publisherFigures(undefined, now)).toMatchObject({
    fps: undefined,
    bitrateKbps: undefined,
    width: 640,
  });
  const anew = publisherReading(report(3000, 5, 900, 80));
  expect(publisherFigures(now, anew)).toMatchObject({ fps: undefined, bitrateKbps: undefined });
});
