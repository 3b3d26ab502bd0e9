import { describe, expect, it } from 'vitest';
import type { PlayerProtocol } from '../../../domain/model/playerProtocols';
import type { WindowProtocol } from '../../../domain/model/publishMedia';
import { delayRows, samePublication, type DelayRow } from './delayRows';
import { delayMarkdown } from './delayTable';

function rowsOf(publish: readonly WindowProtocol[], play: readonly PlayerProtocol[]): readonly DelayRow[] {
  return delayRows({ publish, play, encodes: ['h264', 'vp8'] });
}

describe('paths of a delay test', () => {
  it('are those of WebRTC with and without simulcast and load, and each further protocol of the server', () => {
    expect(rowsOf(['livekit'], ['livekit', 'hls']).map(({ title }) => title)).toEqual([
      'This window alone',
      'WebRTC, VP8, simulcast',
      'WebRTC, VP8',
      'WebRTC, VP8, under load',
      'WebRTC, H.264',
      'WebRTC, H.264, under load',
      'HLS',
    ]);
  });

  it('are sent over RTMP to a server that takes it, for the protocols to which it relays', () => {
    const rows = rowsOf(['rtmp'], ['http-flv', 'hls', 'rtmp']);
    expect(rows.map(({ id, publish }) => [id, publish])).toEqual([
      ['window', undefined],
      ['http-flv', 'rtmp'],
      ['hls', 'rtmp'],
      ['rtmp', 'rtmp'],
    ]);
    // One publication for all of them.
    expect(rows.slice(2).every((row, index) => samePublication(rows[index + 1], row))).toBe(true);
  });

  it('have no load where agents do not pull, and no codec that the window does not encode', () => {
    expect(delayRows({ publish: ['whip'], play: ['whep'], encodes: ['vp8'] }).map(({ id }) => id)).toEqual([
      'window',
      'vp8 simulcast',
      'vp8',
      'vp8 load',
    ]);
    expect(rowsOf(['whip'], ['mjpeg']).map(({ id }) => id)).toEqual(['window', 'mjpeg']);
  });
});

it('the table as Markdown has what was measured, and why the rest was not', () => {
  const delay = { p50Ms: 56.2, p95Ms: 69, p99Ms: 1071, jitterMs: 3.14, uncertaintyMs: 9, count: 500 };
  expect(
    delayMarkdown('lab', [
      { title: 'WebRTC, VP8', state: { kind: 'done', delay, remark: '100 viewers' } },
      { title: 'HLS', state: { kind: 'failed', sentence: 'No | picture.' } },
      { title: 'MJPEG', state: { kind: 'waiting' } },
    ]),
  ).toBe(`Glass-to-glass delay of lab, in ms: from drawing a test pattern to displaying it, by the clock in each frame.

| # | Path | p50 | p95 | p99 | Jitter | ± | Remark |
| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |
| 1 | WebRTC, VP8 | 56 | 69 | 1,071 | 3.1 | 9 | 100 viewers |
| 2 | HLS | – | – | – | – | – | No \\| picture. |
`);
});
