import { expect, it } from 'vitest';
import type { TraceSpec } from '../../domain/charts';
import type { Readout } from './chartView';
import { tooltipRows } from './tooltipRows';

const readout = (node: number, value: number | undefined, of: Partial<TraceSpec> = {}): Readout => ({
  panel: 0,
  value,
  trace: {
    key: `n${node}`,
    label: `n${node}`,
    owner: { kind: 'node', node: `n${node}`, colourSlot: node },
    extreme: 'highest',
    ...of,
  } as TraceSpec,
});
const labels = (rows: readonly Readout[]): string[] => rows.map(({ trace }) => trace.label);

it('lists up to 20 rows as they are', () => {
  const all = Array.from({ length: 20 }, (_, at) => readout(at, at));
  expect(tooltipRows(all, undefined)).toEqual({ rows: all });
});

it('lists the 14 that tell most of more, in their order, and sums up the rest', () => {
  const all = Array.from({ length: 40 }, (_, at) => readout(at, at % 2 === 0 ? at : 0));
  const { rows, rest } = tooltipRows(all, 'n1');
  expect(labels(rows)).toEqual(['n1', ...Array.from({ length: 13 }, (_, at) => `n${14 + 2 * at}`)]);
  expect(rest).toEqual({ count: 26, low: 0, high: 12 });
});

it('takes the lowest where low is what matters, and leaves no measured line of the audience out', () => {
  const all = [
    ...Array.from({ length: 30 }, (_, at) => readout(at, 30 - at, { extreme: 'lowest' })),
    readout(99, 400, { owner: { kind: 'neutral' }, label: 'p95', extreme: 'lowest' }),
  ];
  const { rows } = tooltipRows(all, undefined);
  expect(labels(rows).at(-1)).toBe('p95');
  expect(labels(rows)[0]).toBe('n17');
  expect(rows).toHaveLength(14);
});

it('does not count what was not measured at this moment', () => {
  const all = Array.from({ length: 30 }, (_, at) => readout(at, at < 10 ? at : undefined));
  expect(tooltipRows(all, undefined).rest).toBeUndefined();
});
