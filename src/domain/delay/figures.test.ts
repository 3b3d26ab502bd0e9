import { expect, it } from 'vitest';
import { pipelineMs } from './figures';
import { delayJitterMs } from './formulas';

it('shows a pipeline delay below 0 as what it is', () => {
  expect(pipelineMs({ p50Ms: 40, rttMs: 8 })).toBe(32);
  expect(pipelineMs({ p50Ms: 40, rttMs: 52 })).toBe(-12);
  expect(pipelineMs({ p50Ms: 40 })).toBeUndefined();
});

it('has the mean difference of consecutive delays as jitter', () => {
  expect(delayJitterMs([100, 110, 104, 300])).toBeCloseTo((10 + 6 + 196) / 3);
  expect(delayJitterMs([100])).toBeUndefined();
});
