import { expect, it } from 'vitest';
import type { Verdict } from '../../domain/model/run';
import type { RunResult } from '../../contract/runResult';
import { resultLines } from './resultLines';

const limit = {
  node: 'a',
  kind: 'cpu',
  fromS: 6,
  toS: null,
  viewers: 700,
  sentence: 'a was at its own limit: CPU 97 % over 5 s at 00:00:11.',
} as const;

const result: RunResult = {
  schemaVersion: 1,
  ...{ id: 'r', name: 'R', startedAt: '2026-11-22T15:20:31.000Z', endedAt: null, headline: null, expectations: [] },
  verdict: 'inconclusive',
  ended: { kind: 'plan', sentence: 'Ended by plan.' },
  reasons: [],
  notes: [],
  testerLimits: [limit],
  viewers: { requested: 1000, connectedPeak: 700, connectedEnd: 700, failed: 0, timeToAllMs: null },
  publishers: null,
  outages: {
    ...{ count: 24, sumS: 312.4, longestS: 34, heldS: 1560, worst: null, list: [], reconnections: 2984, audiences: [] },
    gaps: { count: 1, sumS: 12, longestS: 12, list: [] },
  },
  publisherOutages: [],
  audiences: [],
  distributions: [],
  degraded: { max: 0, percentMax: 0 },
  bitrateMbps: 120,
  packetsPerSecond: 30_000,
  agents: [],
  nodes: [],
  origin: {
    node: 'o',
    cpuPercentMax: 40,
    cpuPercentAvg: 30,
    processCpuPercentAvg: 20,
    rssMbMax: 300,
    gcPauseMsMax: null,
    viewersMax: 700,
    outMbpsAvg: 120,
  },
  browserViewers: null,
  spotChecks: null,
  limit: null,
  integrity: { state: 'verified', sentences: [] },
  runFile: 'r.fullhouse',
  report: null,
};
const verdict: Verdict = { verdict: 'inconclusive', sentence: '', reasons: [], headroom: [] };

it('a tester at its own limit is printed once', () => {
  const lines = (given: Verdict): number => resultLines(given, result).join('\n').split(limit.sentence).length - 1;
  expect(lines(verdict)).toBe(1);
  expect(lines({ ...verdict, headroom: [`${limit.sentence} All expectations were met anyway.`] })).toBe(1);
  const reason = { number: 1, sentence: limit.sentence, expected: '<= 90 %', timeMs: 1 };
  expect(lines({ ...verdict, reasons: [reason] })).toBe(1);
});

it('a search prints its result and the sizes tried', () => {
  const trial = { repeat: 1, fromMs: 0, toMs: 1, sentence: '' };
  const text = resultLines(verdict, {
    ...result,
    limit: {
      state: 'found',
      repeats: 3,
      trials: [
        { ...trial, viewers: 200, result: 'met' },
        { ...trial, viewers: 400, result: 'missed' },
      ],
      sentence: '262 +- 6 viewers, 3 repeats; bottleneck: CPU of the origin.',
    },
  });
  const lines = text.join('\n');
  expect(lines).toMatch(/^limit +262 \+- 6 viewers, 3 repeats; bottleneck: CPU of the origin\.$/m);
  expect(lines).toMatch(/^sizes tried +200 400! /m);
  expect(resultLines(verdict, result).join('\n')).not.toMatch(/^limit/m);
});

it('a run that has not ended is marked', () => {
  expect(resultLines(undefined, { ...result, verdict: 'running' })[0]).toMatch(
    /^RUNNING {2}The run has not ended; the figures are those up to now\./,
  );
});

it('has the outages, the reconnections and the gaps', () => {
  expect(resultLines(undefined, result).find((line) => line.startsWith('outages'))).toMatch(
    /^outages +24, 5 min 12 s in total, longest 34 s; 2,984 reconnections, no data for 12 s$/,
  );
});
