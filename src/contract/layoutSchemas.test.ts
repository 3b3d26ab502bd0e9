import { expect, it } from 'vitest';
import { namedLayout } from './layoutSchemas';

it('reads layouts that were saved with an old name of a series', () => {
  const layout = (series: string): object => ({
    layout: { order: [], custom: [{ id: 'custom:1', title: 'Own', series: [series] }], hidden: [], folded: [] },
  });
  expect(namedLayout.parse(layout('originAnswerMs'))).toEqual(namedLayout.parse(layout('originResponseMs')));
  expect(namedLayout.safeParse(layout('noSeries')).success).toBe(false);
});
