import { expect, it } from 'vitest';
import { parseMetrics } from '../../telemetry/metrics/exposition';
import { writeExposition } from './exposition';
import { formOf } from './expositionForm';
import type { MetricFamily } from './metricFamily';

const textOf = (families: readonly MetricFamily[], form: 'text' | 'openmetrics'): string =>
  String(writeExposition(families, form));
const name = (name: string): Pick<MetricFamily, 'name' | 'factor' | 'otlp'> => ({
  ...{ name, factor: 1, otlp: { name, unit: '' } },
});

const odd = 'a "quote", a \\ and\na line';
const families: readonly MetricFamily[] = [
  {
    ...name('fullhouse_load1'),
    type: 'gauge',
    help: 'Tasks,\nby \\ the kernel.',
    values: [{ labels: { node: odd, run: '' }, value: 0.5 }],
  },
  {
    ...name('fullhouse_freezes_total'),
    type: 'counter',
    help: 'Said "frozen".',
    values: [{ labels: {}, value: 3 }],
  },
  { ...name('fullhouse_nothing'), type: 'gauge', help: 'Never.', values: [] },
];

it('is text 0.0.4, escaped, without empty families and labels', () => {
  expect(textOf(families, 'text')).toBe(
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
  const read = parseMetrics(textOf(families, 'text'), () => true, 'it');
  expect(read.get('fullhouse_load1')).toEqual([{ labels: { node: odd }, value: 0.5 }]);
});

it('is OpenMetrics with the family of a counter and the EOF line', () => {
  const text = textOf(families, 'openmetrics');
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
  // Prometheus 2.42 with native histograms.
  [
    'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited,application/openmetrics-text;version=1.0.0;q=0.8,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
    'protobuf',
  ],
  ['application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=text, text/plain;q=0.1', 'text'],
])('for Accept: %s is %s', (accept, form) => {
  expect(formOf(accept)).toBe(form);
});
