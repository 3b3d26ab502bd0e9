import { expect, it } from 'vitest';
import type { TraceSpec } from '../../domain/charts/charts';
import type { Readout } from './readout';
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

it('lists up to 20 rows unchanged', () => {
  const all = Array.from({ length: 20 }, (_, at) => readout(at, at));
  expect(tooltipRows(all, undefined)).toEqual({ rows: all });
});

it('lists the 14 most relevant of more, in order, and summarises the rest', () => {
  const all = Array.from({ length: 40 }, (_, at) => readout(at, at % 2 === 0 ? at : 0));
  const { rows, rest } = tooltipRows(all, 'n1');
  expect(labels(rows)).toEqual(['n1', ...Array.from({ length: 13 }, (_, at) => `n${14 + 2 * at}`)]);
  expect(rest).toEqual({ count: 26, low: 0, high: 12 });
});

it('prefers the lowest where lower is worse, and omits no measured line of the audience', () => {
  const all = [
    ...Array.from({ length: 30 }, (_, at) => readout(at, 30 - at, { extreme: 'lowest' })),
    readout(99, 400, { owner: { kind: 'neutral' }, label: 'p95', extreme: 'lowest' }),
  ];
  const { rows } = tooltipRows(all, undefined);
  expect(labels(rows).at(-1)).toBe('p95');
  expect(labels(rows)[0]).toBe('n17');
  expect(rows).toHaveLength(14);
});

it('does not count values missing at this time', () => {
  const all = Array.from({ length: 30 }, (_, at) => readout(at, at < 10 ? at : undefined));
  expect(tooltipRows(all, undefined).rest).toBeUndefined();
});
