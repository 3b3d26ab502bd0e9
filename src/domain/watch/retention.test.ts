import { expect, it } from 'vitest';
import { defaultRetention, retentionSteps, type WatchedSegment } from './retention';

const dayMs = 86_400_000;
const nowMs = 100 * dayMs;

/** A day's segment that ended so many days ago. */
const ended = (days: number, over: Partial<WatchedSegment> = {}): WatchedSegment => ({
  run: `day-${days}`,
  fromMs: nowMs - (days + 1) * dayMs,
  toMs: nowMs - days * dayMs,
  stepMs: 1000,
  bytes: 10e6,
  ...over,
});

it('makes older data thinner, and deletes what is too old', () => {
  const segments = [ended(8), ended(6), ended(3), ended(1)];
  expect(retentionSteps(segments, nowMs, defaultRetention)).toEqual([
    { kind: 'delete', run: 'day-8' },
    { kind: 'thin', run: 'day-6', stepMs: 60_000 },
    { kind: 'thin', run: 'day-3', stepMs: 10_000 },
  ]);
});

it('leaves alone what is as thin as its age asks for', () => {
  const segments = [ended(6, { stepMs: 60_000 }), ended(3, { stepMs: 10_000 }), ended(3, { run: 'x', stepMs: 60_000 })];
  expect(retentionSteps(segments, nowMs, defaultRetention)).toEqual([]);
});

it('keeps a size by making the oldest thinner first', () => {
  const segments = [ended(1.5, { bytes: 600e6 }), ended(0.5, { bytes: 600e6 })];
  expect(retentionSteps(segments, nowMs, defaultRetention)).toEqual([{ kind: 'thin', run: 'day-1.5', stepMs: 10_000 }]);
  expect(retentionSteps(segments, nowMs, { ...defaultRetention, maxBytes: 300e6 })).toEqual([
    { kind: 'thin', run: 'day-1.5', stepMs: 60_000 },
    { kind: 'thin', run: 'day-0.5', stepMs: 10_000 },
  ]);
});

it('deletes the oldest once all of it is thin', () => {
  const thin = { stepMs: 60_000, bytes: 100e6 };
  const segments = [ended(6, thin), ended(5, thin), ended(4, thin)];
  expect(retentionSteps(segments, nowMs, { ...defaultRetention, maxBytes: 250e6 })).toEqual([
    { kind: 'delete', run: 'day-6' },
  ]);
});

it('counts what is being written', () => {
  const segments = [ended(1, { bytes: 100e6 })];
  expect(retentionSteps(segments, nowMs, { ...defaultRetention, maxBytes: 150e6 }, 40e6)).toEqual([]);
  expect(retentionSteps(segments, nowMs, { ...defaultRetention, maxBytes: 150e6 }, 60e6)).toHaveLength(1);
});
