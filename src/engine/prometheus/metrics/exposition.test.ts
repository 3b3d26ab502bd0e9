import { expect, it } from 'vitest';
import { parseMetrics } from '../../telemetry/metrics/exposition';
import { formOf, writeExposition, type MetricFamily } from './exposition';

const odd = 'a "quote", a \\ and\na line';
const families: readonly MetricFamily[] = [
  {
    name: 'fullhouse_load1',
    type: 'gauge',
    help: 'Tasks,\nby \\ the kernel.',
    values: [{ labels: { node: odd, run: '' }, value: 0.5 }],
  },
  {
    name: 'fullhouse_freezes_total',
    type: 'counter',
    help: 'Said "frozen".',
    values: [{ labels: {}, value: 3 }],
  },
  { name: 'fullhouse_nothing', type: 'gauge', help: 'Never.', values: [] },
];

it('is text 0.0.4, escaped, without empty families and labels', () => {
  expect(writeExposition(families, 'text')).toBe(
    [
      '# HELP fullhouse_load1 Tasks,\\nby \\\\ the kernel.',
      '# TYPE fullhouse_load1 gauge',
      'fullhouse_load1{node="a \\"quote\\", a \\\\ and\\na line"} 0.5',
      '# HELP fullhouse_freezes_total Said "frozen".',
      '# TYPE fullhouse_freezes_total counter',
      'fullhouse_freezes_total 3',
      '',
    ].join('\n'),
  );
  const read = parseMetrics(writeExposition(families, 'text'), () => true, 'it');
  expect(read.get('fullhouse_load1')).toEqual([{ labels: { node: odd }, value: 0.5 }]);
});

it('is OpenMetrics with the family of a counter and the EOF line', () => {
  const text = writeExposition(families, 'openmetrics');
  expect(text).toContain(
    '# HELP fullhouse_freezes Said \\"frozen\\".\n# TYPE fullhouse_freezes counter\nfullhouse_freezes_total 3\n',
  );
  expect(text.endsWith('\n# EOF\n')).toBe(true);
});

it.each([
  [undefined, 'text'],
  ['text/plain', 'text'],
  ['*/*', 'text'],
  [
    'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
    'openmetrics',
  ],
  ['text/plain;q=0.9, application/openmetrics-text;q=0.1', 'text'],
])('for Accept: %s is %s', (accept, form) => {
  expect(formOf(accept)).toBe(form);
});
