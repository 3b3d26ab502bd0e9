import { expect, it } from 'vitest';
import { countsOf } from './bare.mjs';

it('measures only the groups that the selected parts need', () => {
  const of = (parts, scale) => countsOf((part) => parts.includes(part), scale);
  expect(of('e')).toMatchObject({ ours: [3000], floors: [] });
  expect(of('h')).toMatchObject({ ours: [1000], floors: [1000] });
  expect(of('eh')).toMatchObject({ ours: [1000, 3000], floors: [1000] });
  expect(of('egh')).toMatchObject({ ours: [500, 1000, 2000, 3000], floors: [500, 1000, 2000, 3000] });
  expect(of('g', 0.1)).toMatchObject({ ours: [50, 100, 200, 300], most: 300, thousand: 100 });
});
