import { describe, expect, it } from 'vitest';
import type { PlayerProtocol } from '../model/playerProtocols';
import type { WindowProtocol } from '../model/publishMedia';
import { delayPaths, samePublication, type DelayPath } from './paths';

function pathsOf(publish: readonly WindowProtocol[], play: readonly PlayerProtocol[]): readonly DelayPath[] {
  return delayPaths({ publish, play, encodes: ['h264', 'vp8'] });
}
const ids = (paths: readonly DelayPath[]): string[] => paths.map(({ id }) => id);

describe('paths of a delay test', () => {
  it('are those of WebRTC with and without simulcast, buffer and load, and each further protocol of the server', () => {
    expect(pathsOf(['livekit'], ['livekit', 'hls']).map(({ title }) => title)).toEqual([
      'Display alone',
      'WebRTC, VP8, simulcast',
      'WebRTC, VP8',
      'WebRTC, VP8, shortest buffer',
      'WebRTC, VP8, under load',
      'WebRTC, H.264',
      'WebRTC, H.264, under load',
      'HLS',
    ]);
  });

  it('are sent over RTMP to a server that takes it, for the protocols to which it relays', () => {
    const paths = pathsOf(['rtmp'], ['http-flv', 'hls', 'rtmp']);
    expect(paths.filter(({ isUnderLoad }) => !isUnderLoad).map(({ id, publish }) => [id, publish])).toEqual([
      ['window', undefined],
      ['http-flv', 'rtmp'],
      ['hls', 'rtmp'],
      ['rtmp', 'rtmp'],
    ]);
    expect(ids(paths)).toContain('rtmp load');
    // One publication for all of them.
    expect(paths.slice(2).every((path, index) => samePublication(paths[index + 1], path))).toBe(true);
  });

  it('include RTMP in and WebRTC out where the server takes both', () => {
    expect(ids(pathsOf(['whip', 'rtmp'], ['whep', 'hls']))).toEqual([
      ...['window', 'vp8 simulcast', 'vp8', 'vp8 short', 'vp8 load', 'h264', 'h264 load'],
      ...['rtmp whep', 'hls'],
    ]);
  });

  it('have each codec that the decoder encodes, VP8 first', () => {
    const encodes = ['h264', 'vp8', 'vp9', 'av1'] as const;
    expect(ids(delayPaths({ publish: ['whip'], play: ['whep'], encodes }))).toEqual([
      ...['window', 'vp8 simulcast', 'vp8', 'vp8 short', 'vp8 load', 'h264', 'h264 load', 'vp9', 'av1'],
    ]);
    expect(ids(pathsOf(['whip'], ['mjpeg']))).toEqual(['window', 'mjpeg']);
  });
});
