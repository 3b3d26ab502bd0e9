import { describe, expect, it } from 'vitest';
import { streamObject, type WcsStream } from './restSchemas';
import { countViewers, streamViews } from './streamViews';

const nowMs = 1_795_170_060_000;
const stream = (over: Record<string, unknown>): WcsStream =>
  streamObject.parse({ mediaSessionId: 'm', name: 'cam', published: true, status: 'PUBLISHING', ...over });

describe('streams of a WCS', () => {
  it('have their metrics, with rates in kbit/s', () => {
    const published = stream({
      sessionId: '/192.168.1.5:55123/10.0.0.1:8443',
      mediaProvider: 'WebRTC',
      videoCodec: 'H264',
      audioCodec: 'opus',
      width: 0,
      height: 0,
      fps: 0,
      createDate: nowMs - 61_000,
      metrics: {
        VIDEO_WIDTH: 640,
        VIDEO_HEIGHT: 360,
        VIDEO_RATE: '1187440',
        VIDEO_FPS: 24,
        AUDIO_RATE: 129408,
      },
    });
    expect(streamViews([published], new Map([['cam', 742]]), nowMs)).toEqual([
      {
        stream: 'cam',
        source: 'WebRTC · 192.168.1.5',
        viewers: 742,
        videoCodec: 'H264',
        audioCodec: 'opus',
        width: 640,
        height: 360,
        fps: 24,
        bitrateKbps: 1316.848,
        ageMs: 61_000,
      },
    ]);
  });

  it('leave missing figures undefined instead of 0', () => {
    const [view] = streamViews([stream({ width: 0, fps: 0, createDate: nowMs + 5000 })], undefined, nowMs);
    for (const absent of ['viewers', 'width', 'height', 'fps', 'bitrateKbps', 'ageMs'])
      expect(view?.[absent as keyof typeof view]).toBeUndefined();
    expect(view?.source).toBe('unknown');
  });

  it('keep a measured 0', () => {
    const [view] = streamViews([stream({ metrics: { VIDEO_FPS: 0, VIDEO_RATE: 0 } })], new Map(), nowMs);
    expect(view).toMatchObject({ fps: 0, bitrateKbps: 0, viewers: 0 });
  });

  it('are one per name, without ended ones', () => {
    const streams = [
      stream({ name: 'over', status: 'UNPUBLISHED' }),
      stream({ mediaProvider: 'Flash' }),
      stream({ mediaProvider: 'WebRTC' }),
      stream({ name: undefined }),
      stream({ name: 'player', published: false }),
      stream({ name: 'odd', status: 'SOMETHING_NEW' }),
    ];
    expect(streamViews(streams, undefined, nowMs).map(({ stream: name, source }) => [name, source])).toEqual([
      ['cam', 'RTMP'],
      ['odd', 'unknown'],
    ]);
  });

  it('count players in any active status, but not those that have not started or have ended', () => {
    const playing = ['PLAYING', 'PLAYING', 'SOMETHING_NEW', 'NEW', 'PENDING', 'STOPPED', 'FAILED'].map((status) =>
      stream({ published: false, status }),
    );
    expect(countViewers([...playing, stream({})])).toEqual(new Map([['cam', 3]]));
  });

  it('tolerate fields of another type', () => {
    const odd = streamObject.parse({ name: 7, published: 'yes', metrics: 'none', width: {}, new_field: [1] });
    expect(odd).toMatchObject({ name: undefined, published: undefined, metrics: undefined, new_field: [1] });
  });
});
