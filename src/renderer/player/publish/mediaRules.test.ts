import { describe, expect, it } from 'vitest';
import { atMost, codecsIn, layerRank, onlyCodec, pictureOf, sendEncodings, videoKbps } from './mediaRules';

const codec = (mimeType: string, sdpFmtpLine?: string): { mimeType: string; sdpFmtpLine?: string } => ({
  mimeType,
  sdpFmtpLine,
});
const capabilities = [
  codec('video/VP8'),
  codec('video/rtx'),
  codec('video/H264', 'packetization-mode=0;profile-level-id=42e01f'),
  codec('video/H264', 'packetization-mode=1;profile-level-id=4d001f'),
  codec('video/H264', 'packetization-mode=1;profile-level-id=42e01f'),
  codec('video/VP9', 'profile-id=2'),
  codec('video/VP9', 'profile-id=0'),
  codec('video/ulpfec'),
];

describe('an offer', () => {
  it('has one codec, in its order of compatibility, and what repairs it', () => {
    const [vp8, rtx, mode0, main, baseline, vp9Profile2, vp9, fec] = capabilities;
    expect(onlyCodec(capabilities, 'h264')).toEqual([baseline, main, mode0, rtx, fec]);
    expect(onlyCodec(capabilities, 'vp9')).toEqual([vp9, vp9Profile2, rtx, fec]);
    expect(onlyCodec(capabilities, 'vp8')).toEqual([vp8, rtx, fec]);
    expect(codecsIn(capabilities, ['h264', 'vp8', 'vp9', 'av1'])).toEqual(['h264', 'vp8', 'vp9']);
  });

  it('has the smallest layer first, each twice as large as the one before, within one limit', () => {
    expect(sendEncodings(1, 1500)).toEqual([{ maxBitrate: 1_500_000 }]);
    const layers = sendEncodings(3, 1390);
    expect(layers.map(({ rid, scaleResolutionDownBy }) => [rid, scaleResolutionDownBy])).toEqual([
      ['q', 4],
      ['h', 2],
      ['f', 1],
    ]);
    expect(layers.map(({ maxBitrate }) => maxBitrate)).toEqual([90_000, 300_000, 1_000_000]);
    expect(sendEncodings(2, 1500).map(({ rid }) => rid)).toEqual(['q', 'h']);
    expect(['f', 'q', 'h'].sort((a, b) => layerRank(a) - layerRank(b))).toEqual(['q', 'h', 'f']);
  });
});

describe('a picture', () => {
  it('is as chosen, else as is usual for its source', () => {
    expect(pictureOf('pattern', {})).toEqual({ size: { width: 640, height: 360 }, fps: 25 });
    expect(pictureOf('file', {})).toEqual({ size: undefined, fps: undefined });
    expect(pictureOf('screen', { size: '426x240', fps: 60 })).toEqual({ size: { width: 426, height: 240 }, fps: 60 });
  });

  it('is scaled down in its own proportions', () => {
    expect(atMost(pictureOf('window', { fps: 10 }))).toEqual({
      ...{ width: { max: 1920 }, height: { max: 1080 } },
      frameRate: { ideal: 10, max: 10 },
    });
    expect(atMost(pictureOf('file', {}))).toEqual({});
  });

  it('has a usual bitrate by its size and frame rate, unless one is chosen', () => {
    const kbps = (size: Parameters<typeof pictureOf>[1]['size'], fps: 25 | 60 = 25, maxKbps?: number): number =>
      videoKbps({ maxKbps }, pictureOf('pattern', { size, fps }));
    expect([kbps('1920x1080'), kbps('1280x720'), kbps('640x360'), kbps('426x240')]).toEqual([3000, 1500, 800, 400]);
    expect([kbps('1280x720', 60), kbps('1280x720', 25, 500)]).toEqual([2250, 500]);
    expect(videoKbps({}, pictureOf('file', {}))).toBe(1500);
  });
});
