import { expect, it } from 'vitest';
import { viewOf } from '../../../tests/support/measured';
import type { SeriesId } from '../../domain/series/series';
import { SummaryFigures } from './summary';

it('traces publishers where they are the load, and viewers otherwise', () => {
  const view = viewOf({ id: 'a', viewers: [1, 2] });
  const figures = new SummaryFigures();
  const add = (series: SeriesId, second: number, value: number): void =>
    figures.add({ timeMs: second * 1000, node: 'audience', series, value });
  for (const second of [0, 1]) {
    add('viewersConnected', second, 5 + second);
    add('publishersLive', second, 7 + second);
    // Other figures of the tester.
    add('publishMbps', second, 40);
    add('cpuPercent', second, 90);
  }
  expect(figures.summary(view, 0)).toMatchObject({ viewersTrace: [5, 6] });
  expect(figures.summary(view, 0).clients).toBeUndefined();
  const publish = [
    { ...{ stream: 'cam', node: 'origin', source: 'sample-240p', by: 'audience' }, publishers: 8, holdMs: 1000 },
  ];
  const { pull: _, ...plan } = view.plan;
  expect(figures.summary({ ...view, plan: { ...plan, publish } }, 0)).toMatchObject({
    ...{ viewersTrace: [7, 8], clients: 'publishers' },
  });
  expect(SummaryFigures.looksAt('publishersLive')).toBe(true);
});
