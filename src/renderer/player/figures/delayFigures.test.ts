import { expect, it } from 'vitest';
import { delayFigures } from './delayFigures';

it('has the jitter of consecutive delays, and the pipeline without the round trip', () => {
  expect(delayFigures([100, 110, 104, 300], 40)).toEqual({ jitterMs: (10 + 6 + 196) / 3, pipelineMs: 64 });
});

it('has nothing that was not measured', () => {
  expect(delayFigures([], 40)).toEqual({});
  expect(delayFigures([100], undefined)).toEqual({});
  expect(delayFigures([100], 0)).toEqual({ pipelineMs: 100 });
});
