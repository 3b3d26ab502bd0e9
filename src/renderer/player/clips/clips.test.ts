import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { FullhouseError } from '../../../contract/calls';
import { Clips, type ClipsOptions, type SavedClip } from './clips.svelte';

const recorded = new Uint8Array(
  readFileSync(join(__dirname, '../../../../tests/fixtures/recordings/pattern-vp8.webm')),
);
const source = { media: {} as MediaStream, release: () => undefined };
const rules = { beforeMs: 500, afterMs: 500, maxMs: 3000 };

/** Clips of a recording that ends now. */
function clipsOf(options: Partial<ClipsOptions> = {}): { clips: Clips; saved: SavedClip[]; problems: string[] } {
  const saved: SavedClip[] = [];
  const problems: string[] = [];
  const clips = new Clips({
    save: (clip) => {
      saved.push(clip);
      return Promise.resolve();
    },
    onProblem: (sentence) => problems.push(sentence),
    rules,
    record: (_, ring) => {
      ring.begin().push(recorded, performance.now());
      return { second: () => undefined, flush: () => Promise.resolve(), end: () => undefined };
    },
    ...options,
  });
  return { clips, saved, problems };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
const hasOne = (saved: readonly SavedClip[]): Promise<void> => vi.waitFor(() => expect(saved).toHaveLength(1));
const stallAt = (startMs: number): { open: undefined; ended: { startMs: number; lengthMs: number }[] } => ({
  open: undefined,
  ended: [{ startMs, lengthMs: 300 }],
});

it('saves a stall with its time, length and place in the clip, at the time of the stall', async () => {
  const { clips, saved, problems } = clipsOf();
  clips.start('run', source);
  const startMs = performance.now() - 1000;
  clips.second(performance.now(), stallAt(startMs), false);
  await hasOne(saved);
  const [clip] = saved;
  expect(clip).toMatchObject({ run: 'run', mime: 'video/webm', timeMs: performance.timeOrigin + startMs });
  expect(clip?.cause).toMatch(/^stall 0\.3 s, at 0:0[01] of the clip$/);
  expect(problems).toEqual([]);
});

it('saves what is open with what there is when playback ends', async () => {
  const { clips, saved } = clipsOf();
  clips.start('run', source);
  clips.second(performance.now(), stallAt(performance.now() - 400), false);
  await settled();
  expect(saved).toEqual([]);
  clips.end();
  await hasOne(saved);
  expect(clips.isRecording).toBe(false);
});

it('is told once that the clips of a run are full, and tries no more until the next run', async () => {
  let attempts = 0;
  const { clips, problems } = clipsOf({
    save: () => {
      attempts += 1;
      return Promise.reject(new FullhouseError('clips-full', 'The clip is not saved: 50 of 50 MB.'));
    },
  });
  clips.start('run', source);
  await clips.saveLast();
  clips.second(performance.now(), stallAt(performance.now() - 1000), false);
  await clips.saveLast();
  expect(attempts).toBe(1);
  expect(problems).toEqual(['The clip is not saved: 50 of 50 MB.']);
  expect(clips.isFull).toBe(true);
  clips.end();
  clips.start('next run', source);
  expect(clips.isFull).toBe(false);
  await clips.saveLast();
  expect(attempts).toBe(2);
});

it('another failure is reported and the next clip is tried', async () => {
  let attempts = 0;
  const { clips, problems } = clipsOf({
    save: () => {
      attempts += 1;
      return Promise.reject(new Error('This run has ended.'));
    },
  });
  clips.start('run', source);
  await clips.saveLast();
  await clips.saveLast();
  expect(attempts).toBe(2);
  expect(problems[0]).toBe('The clip was not saved: This run has ended.');
});

it('the last seconds have the length that was kept', async () => {
  const { clips, saved } = clipsOf();
  clips.start('run', source);
  await clips.saveLast();
  expect(saved[0]?.cause).toMatch(/^saved, last [12] s$/);
});
