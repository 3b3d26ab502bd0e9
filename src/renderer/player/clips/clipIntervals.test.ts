import { expect, it } from 'vitest';
import { ClipIntervals } from './clipIntervals';

const s = 1000;
const stall = (startS: number, lengthS = 1): { startMs: number; lengthMs: number } => ({
  startMs: startS * s,
  lengthMs: lengthS * s,
});
const ranges = (intervals: ReturnType<ClipIntervals['due']>): number[][] =>
  intervals.map(({ fromMs, toMs, stalls }) => [fromMs / s, toMs / s, stalls.length]);

it('a clip is due 10 s after the end of its stall, from 10 s before its start', () => {
  const intervals = new ClipIntervals();
  intervals.add(stall(100));
  expect(intervals.neededFromMs).toBe(90 * s);
  expect(intervals.due(110.9 * s)).toEqual([]);
  expect(ranges(intervals.due(111 * s))).toEqual([[90, 111, 1]]);
  expect(intervals.neededFromMs).toBeUndefined();
});

it('stalls within 30 s share a clip', () => {
  const intervals = new ClipIntervals();
  for (const startS of [100, 105, 114]) intervals.add(stall(startS));
  expect(intervals.due(119.9 * s)).toEqual([]);
  expect(ranges(intervals.due(120 * s))).toEqual([[90, 120, 3]]);
});

it('the next clip begins after it, and none overlap', () => {
  const intervals = new ClipIntervals();
  for (const startS of [100, 109, 118, 121]) intervals.add(stall(startS));
  // What is between the stalls at 118 s and 121 s is divided.
  expect(ranges(intervals.due(200 * s))).toEqual([
    [90, 120, 3],
    [120, 132, 1],
  ]);
  intervals.add(stall(202));
  expect(ranges(intervals.due(300 * s))).toEqual([[192, 213, 1]]);
});

it('a clip does not begin before the end of a saved one', () => {
  const intervals = new ClipIntervals();
  intervals.add(stall(100));
  intervals.due(111 * s);
  intervals.add(stall(112));
  expect(ranges(intervals.due(200 * s))).toEqual([[111, 123, 1]]);
});

it('a clip waits for a stall that began in it', () => {
  const intervals = new ClipIntervals();
  intervals.add(stall(100));
  intervals.watch(stall(109, 2));
  expect(intervals.due(111 * s)).toEqual([]);
  intervals.watch(undefined);
  intervals.add(stall(109, 4));
  expect(ranges(intervals.due(120 * s))).toEqual([[90, 120, 2]]);
});

it('video before a stall in progress is needed', () => {
  const intervals = new ClipIntervals();
  intervals.watch(stall(100, 30));
  expect(intervals.neededFromMs).toBe(90 * s);
});

it('at the end what is open is due with what there is', () => {
  const intervals = new ClipIntervals();
  intervals.add(stall(100));
  expect(ranges(intervals.due(102 * s, true))).toEqual([[90, 111, 1]]);
  expect(intervals.due(200 * s)).toEqual([]);
});
