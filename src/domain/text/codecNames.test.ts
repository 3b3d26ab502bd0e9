import { expect, it } from 'vitest';
import { audioCodecName, decoderKind, decoderName, mp4CodecName, videoCodecName } from './codecNames';

it('names codecs and profiles', () => {
  const h264 = (profileLevelId: string): string | undefined =>
    videoCodecName('video/H264', `level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=${profileLevelId}`);
  expect(['42e01f', '42001f', '4d001f', '64001f', '640c1f'].map(h264)).toEqual([
    'H.264 CBP',
    'H.264 BP',
    'H.264 MP',
    'H.264 HiP',
    'H.264 CHP',
  ]);
  expect(videoCodecName('video/H264', undefined)).toBe('H.264');
  expect(videoCodecName('video/VP8', undefined)).toBe('VP8');
  expect(videoCodecName(undefined, undefined)).toBeUndefined();
  expect(audioCodecName('audio/opus')).toBe('Opus');
  expect(audioCodecName('audio/PCMU')).toBe('PCMU');
  expect(['aac', 'AAC', 'mpeg4-generic', 'speex', 'mp3'].map((name) => audioCodecName(`audio/${name}`))).toEqual([
    'AAC',
    'AAC',
    'AAC',
    'Speex',
    'MP3',
  ]);
  expect(['h264', 'avc', 'hevc', 'vp9'].map((name) => videoCodecName(`video/${name}`, undefined))).toEqual([
    'H.264',
    'H.264',
    'H.265',
    'VP9',
  ]);
});

it('names the decoder library, and whether it is software', () => {
  expect(decoderName('FFmpeg')).toBe('libavcodec');
  expect(decoderName('unknown')).toBeUndefined();
  expect(decoderKind('libavcodec')).toBe('software');
  expect(decoderKind('ExternalDecoder (VaapiVideoDecoder)')).toBe('hardware');
  expect(decoderKind(undefined)).toBeUndefined();
});

it('names codecs as in playlists', () => {
  const codecs = ['avc1.42c01e', 'avc1', 'hvc1.1.6.L93.B0', 'mp4a.40.2', 'mp4a.40.34', 'Opus', 'x-new'];
  expect(codecs.map(mp4CodecName)).toEqual(['H.264 CBP', 'H.264', 'H.265', 'AAC', 'MP3', 'Opus', 'x-new']);
  expect(mp4CodecName(undefined)).toBeUndefined();
  expect(mp4CodecName('')).toBeUndefined();
});
