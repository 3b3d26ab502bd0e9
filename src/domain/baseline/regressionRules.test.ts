import { expect, it } from 'vitest';
import { measuredOf, ramp } from '../../../tests/support/measured';
import { measureRun } from '../compare/measureRun';
import { figuresOfHistogram } from '../distribution/heatmap';
import { Histogram } from '../distribution/histogram';
import type { DistributionId } from '../series/distributions';
import { regressionRules } from './regressionRules';

it('names the series of the method by which the delay was measured', () => {
  const delayBy = (distribution: DistributionId) => {
    const run = measuredOf({ id: 'a', viewers: ramp(50, 10, 20) });
    const distributions = [figuresOfHistogram(distribution, Histogram.of([100]))];
    const measure = measureRun({ ...run, view: { ...run.view, figures: { ...run.view.figures, distributions } } });
    return regressionRules(50, [measure, measure]).find(({ title }) => title.startsWith('Delay p95'));
  };
  expect(delayBy('captureDelayMs')).toMatchObject({ title: 'Delay p95 by capture times', series: 'captureDelayP95Ms' });
  expect(delayBy('glassToGlassMs')).toMatchObject({ series: 'glassToGlassP95Ms' });
});
