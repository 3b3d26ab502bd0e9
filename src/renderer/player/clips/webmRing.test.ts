import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { childrenOf, ids, readHead, text, unsigned } from './ebml';
import { WebmReader, type WebmBlock } from './webmReader';
import { WebmRing } from './webmRing';

/** Made by `tests/player/clips.test.ts` with Chromium 108: the test pattern over WebRTC, a keyframe every 0.7 s or so. */
const recorded = (codec: string): Uint8Array =>
  new Uint8Array(readFileSync(join(__dirname, '../../../../tests/fixtures/recordings', `pattern-${codec}.webm`)));
const vp8 = recorded('vp8');
const h264 = recorded('h264');
const roomy = { keepMs: 10_000, maxBytes: 24_000_000 };
const maxClip = 16_000_000;

const shown = (blocks: readonly WebmBlock[]): (string | number | boolean)[][] =>
  blocks.map(({ track, timeMs, isKey, data }) => [track.kind, timeMs, isKey, data.length]);
const ofVideo = (blocks: readonly WebmBlock[]): WebmBlock[] => blocks.filter(({ track }) => track.kind === 'video');
const keysOf = (blocks: readonly WebmBlock[]): number[] =>
  ofVideo(blocks)
    .filter(({ isKey }) => isKey)
    .map(({ timeMs }) => timeMs);

function ringOf(bytes: Uint8Array, nowMs: number, options = roomy): WebmRing {
  const ring = new WebmRing(options);
  ring.begin().push(bytes, nowMs);
  return ring;
}

/** The newest frame of a recording is received at `nowMs`. */
const endMs = 100_000;
const timesOf = (bytes: Uint8Array): number[] => new WebmReader().push(bytes).map(({ timeMs }) => timeMs);
const startMs = endMs - Math.max(...timesOf(vp8));

/** The content of the segment of a file. */
function segmentOf(file: Uint8Array): Uint8Array {
  const header = readHead(file, 0);
  const segment = readHead(file, (header?.contentAt ?? 0) + (header?.size ?? 0));
  expect(segment?.id).toBe(ids.segment);
  expect((segment?.contentAt ?? 0) + (segment?.size ?? 0)).toBe(file.length);
  return file.subarray(segment?.contentAt);
}

describe('reader', () => {
  it('reads the same blocks wherever a chunk ends', () => {
    // A part with header, tracks, a cluster's end and blocks of both kinds: quick enough to be cut everywhere.
    for (const bytes of [vp8.subarray(0, 9000), h264.subarray(0, 9000)]) {
      const whole = shown(new WebmReader().push(bytes));
      expect(whole.filter(([kind, , isKey]) => kind === 'video' && isKey).length).toBeGreaterThan(1);
      for (let at = 0; at <= bytes.length; at += 1) {
        const reader = new WebmReader();
        const blocks = [...reader.push(bytes.subarray(0, at)), ...reader.push(bytes.subarray(at))];
        expect(JSON.stringify(shown(blocks)), `cut at ${at}`).toBe(JSON.stringify(whole));
      }
    }
  });

  it('reads byte by byte', () => {
    const reader = new WebmReader();
    const blocks = Array.from(vp8, (byte) => reader.push(Uint8Array.of(byte))).flat();
    expect(blocks).toEqual(new WebmReader().push(vp8));
  });

  it.each([
    ['text', (): Uint8Array => new TextEncoder().encode('not a recording of anything')],
    ['no header', (): Uint8Array => vp8.slice(36)],
    [
      'an element of 127 MB',
      (): Uint8Array => Uint8Array.of(...vp8.subarray(0, 48), 0xa3, 0x17, 0xff, 0xff, 0xff, 0xff),
    ],
  ])('refuses %s with a sentence', (_, make) => {
    expect(() => new WebmReader().push(make())).toThrow(/^The recorded video can't be read: it contains .*\.$/);
  });

  it('never reads a damaged recording as another one without end', () => {
    for (let at = 0; at < 5000; at += 1) {
      const damaged = vp8.slice(0, 9000);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      try {
        expect(new WebmReader().push(damaged).length).toBeLessThan(1000);
      } catch (error) {
        expect((error as Error).message).toMatch(/^The recorded video can't be read: it contains .+\.$/);
      }
    }
  });
});

describe('clip', () => {
  it.each([
    ['vp8', vp8],
    ['h264', h264],
  ])('of %s has all frames from a keyframe on, with times from 0', (_, bytes) => {
    const original = new WebmReader().push(bytes);
    const clip = ringOf(bytes, endMs).clip({ fromMs: 0, toMs: endMs }, maxClip);
    const written = new WebmReader().push(clip?.data ?? new Uint8Array());
    const firstMs = keysOf(original)[0] ?? Number.NaN;
    expect(ofVideo(written).map(({ timeMs, isKey }) => [timeMs, isKey])).toEqual(
      ofVideo(original).map(({ timeMs, isKey }) => [timeMs - firstMs, isKey]),
    );
    expect(written.length).toBeGreaterThan(ofVideo(written).length);
  });

  it('has its duration and the positions of its keyframes', () => {
    const clip = ringOf(vp8, endMs).clip({ fromMs: 0, toMs: endMs }, maxClip);
    const segment = segmentOf(clip?.data ?? new Uint8Array());
    const parts = childrenOf(segment);
    const find = (id: number): Uint8Array => parts.find((part) => part.id === id)?.content ?? new Uint8Array();
    const duration = childrenOf(find(ids.info)).find(({ id }) => id === ids.duration)?.content;
    expect(duration && new DataView(duration.buffer, duration.byteOffset).getFloat64(0)).toBeCloseTo(
      (clip?.endMs ?? 0) - (clip?.startMs ?? 0),
    );
    const points = childrenOf(find(ids.cues)).map(({ content }) => {
      const [time, positions] = childrenOf(content);
      const at = childrenOf(positions?.content ?? new Uint8Array())[1];
      const head = readHead(segment, unsigned(at?.content ?? new Uint8Array()));
      expect(head?.id).toBe(ids.cluster);
      return unsigned(time?.content ?? new Uint8Array());
    });
    expect(points).toEqual(keysOf(new WebmReader().push(clip?.data ?? new Uint8Array())));
    expect(points.length).toBeGreaterThan(2);
  });

  it('of H.264 has lengths and a configuration instead of start codes', () => {
    const clip = ringOf(h264, endMs).clip({ fromMs: 0, toMs: endMs }, maxClip);
    const reader = new WebmReader();
    const written = reader.push(clip?.data ?? new Uint8Array());
    const config = reader.tracks
      .find(({ kind }) => kind === 'video')
      ?.entry.find(({ id }) => id === ids.codecPrivate)?.content;
    const sps = ofVideo(new WebmReader().push(h264))[0]?.data.subarray(5, 8);
    expect([...(config?.subarray(0, 4) ?? [])]).toEqual([1, ...(sps ?? [])]);
    for (const { data } of ofVideo(written)) {
      let at = 0;
      while (at < data.length) at += 4 + new DataView(data.buffer, data.byteOffset).getUint32(at);
      expect(at).toBe(data.length);
    }
    const header = childrenOf(childrenOf(clip?.data ?? new Uint8Array())[0]?.content ?? new Uint8Array());
    expect(header.map(({ id, content }) => (id === ids.docType ? text(content) : ''))).toContain('matroska');
  });

  it('begins at the last keyframe before the range and ends with it', () => {
    const keys = keysOf(new WebmReader().push(vp8)).map((timeMs) => startMs + timeMs);
    const [, second = 0, third = 0] = keys;
    const clip = ringOf(vp8, endMs).clip({ fromMs: second + 100, toMs: third + 100 }, maxClip);
    expect(clip?.startMs).toBeCloseTo(second);
    expect(clip?.endMs).toBeLessThan(third + 150);
    expect(clip?.endMs).toBeGreaterThan(third);
  });

  it('of limited size is shortened at its start, but not beyond what it is about, and then at its end', () => {
    const ring = ringOf(vp8, endMs);
    const keys = keysOf(new WebmReader().push(vp8)).map((timeMs) => startMs + timeMs);
    const all = ring.clip({ fromMs: 0, toMs: endMs }, maxClip);
    const most = Math.round((all?.data.length ?? 0) / 2) + 4096;
    const late = ring.clip({ fromMs: 0, toMs: endMs }, most);
    expect(late?.startMs).toBeGreaterThan(keys[0] ?? 0);
    expect(late?.endMs).toBeCloseTo(all?.endMs ?? 0, -2);
    const early = ring.clip({ fromMs: 0, toMs: endMs, aroundMs: keys[0] ?? 0 }, most);
    expect(early?.startMs).toBeCloseTo(keys[0] ?? 0);
    expect(early?.endMs).toBeLessThan(endMs - 300);
    for (const clip of [late, early]) expect(clip?.data.length).toBeLessThanOrEqual(most);
  });

  it('spans two recordings of one codec, but not of two', () => {
    for (const [other, isJoined] of [
      [vp8, true],
      [h264, false],
    ] as const) {
      const ring = ringOf(vp8, endMs - 3000);
      ring.begin().push(other, endMs);
      const clip = ring.clip({ fromMs: 0, toMs: endMs }, maxClip);
      const lengthMs = (clip?.endMs ?? 0) - (clip?.startMs ?? 0);
      expect(lengthMs > 3000).toBe(isJoined);
      const times = new WebmReader().push(clip?.data ?? new Uint8Array()).map(({ timeMs }) => timeMs);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }
  });
});

describe('ring', () => {
  it('drops the oldest video while the next keyframe is old enough, unless it is needed', () => {
    const ring = ringOf(vp8, endMs, { ...roomy, keepMs: 1000 });
    const keys = keysOf(new WebmReader().push(vp8)).map((timeMs) => startMs + timeMs);
    const kept = keys.filter((timeMs) => timeMs <= endMs - 1000).at(-1);
    expect(ring.clip({ fromMs: 0, toMs: endMs }, maxClip)?.startMs).toBeCloseTo(kept ?? Number.NaN);
    expect(kept).toBeGreaterThan(keys[0] ?? Number.NaN);

    const holding = new WebmRing({ ...roomy, keepMs: 1000 });
    holding.keepFrom(startMs);
    holding.begin().push(vp8, endMs);
    expect(holding.clip({ fromMs: 0, toMs: endMs }, maxClip)?.startMs).toBeCloseTo(keys[0] ?? Number.NaN);
  });

  it('never keeps more than its limit, and nothing of a group that exceeds it', () => {
    const maxBytes = 9000;
    const ring = new WebmRing({ ...roomy, maxBytes });
    const recording = ring.begin();
    const sizes: number[] = [];
    for (let at = 0; at < vp8.length; at += 200) {
      recording.push(vp8.subarray(at, at + 200), endMs);
      sizes.push(ring.bytes);
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(maxBytes);
    expect(Math.max(...sizes)).toBeGreaterThan(maxBytes / 2);
    expect(ringOf(vp8, endMs, { ...roomy, maxBytes: 500 }).clip({ fromMs: 0, toMs: endMs }, maxClip)).toBeUndefined();
  });

  it('takes the recording time from the chunk with the least delay', () => {
    const ring = new WebmRing(roomy);
    const recording = ring.begin();
    const half = Math.floor(vp8.length / 2);
    recording.push(vp8.subarray(0, half), endMs + 700);
    recording.push(vp8.subarray(half), endMs);
    expect(ring.newestKeyMs).toBeCloseTo(startMs + (keysOf(new WebmReader().push(vp8)).at(-1) ?? 0));
  });
});

it('a clip of a stall holds the picture for its length, and the sound goes on', () => {
  const original = new WebmReader().push(vp8);
  const times = ofVideo(original).map(({ timeMs }) => startMs + timeMs);
  const stall = { startMs: (times[10] ?? 0) + 1, lengthMs: 500 };
  const clip = ringOf(vp8, endMs).clip({ fromMs: 0, toMs: endMs, stalls: [stall] }, maxClip);
  const written = new WebmReader().push(clip?.data ?? new Uint8Array());
  const shown = ofVideo(written).map(({ timeMs }) => (clip?.startMs ?? 0) + timeMs);
  expect(shown).toHaveLength(times.length);
  expect(shown.filter((timeMs) => timeMs > stall.startMs + 1 && timeMs < stall.startMs + 499)).toEqual([]);
  expect((shown[11] ?? 0) - (shown[10] ?? 0)).toBeGreaterThan(499);
  const sound = (blocks: typeof written): number => blocks.filter(({ track }) => track.kind === 'audio').length;
  const within = written.filter(
    ({ track, timeMs }) =>
      track.kind === 'audio' &&
      (clip?.startMs ?? 0) + timeMs > stall.startMs &&
      (clip?.startMs ?? 0) + timeMs < stall.startMs + 500,
  );
  expect(within.length).toBeGreaterThan(5);
  expect(sound(written)).toBe(sound(original));
  expect(written.map(({ timeMs }) => timeMs)).toEqual(written.map(({ timeMs }) => timeMs).sort((a, b) => a - b));
});
