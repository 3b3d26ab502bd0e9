import { expect, it } from 'vitest';
import { typedCommand } from '../../../tests/support/typedCommand';
import { UsageError } from '../args';

const range = ['--prometheus', 'p:9090', '--from', '2026-11-21T09:00Z', '--to', '2026-11-21T10:00Z'];

it('reads an import with all options', () => {
  expect(
    typedCommand([
      ...['import-prometheus', ...range, '--step', '1m', '--instance', 'a:1', '--instance', 'b:2'],
      ...['--job', 'node', '--query', 'load1=node_load1{a="b=c"}', '--name', 'n', '--out', 'x'],
    ]),
  ).toEqual({
    command: 'import-prometheus',
    ...{ url: 'http://p:9090', stepMs: 60_000, instances: ['a:1', 'b:2'], jobs: ['node'] },
    range: { fromMs: Date.UTC(2026, 10, 21, 9), toMs: Date.UTC(2026, 10, 21, 10) },
    queries: { load1: 'node_load1{a="b=c"}' },
    ...{ name: 'n', resume: undefined, out: 'x' },
  });
  expect(typedCommand(['import-prometheus', '--prometheus', 'p:9090'])).toMatchObject({ range: undefined });
  expect(typedCommand(['import-prometheus', '--resume', 'r1'])).toMatchObject({ resume: 'r1', out: 'runs' });
  expect(typedCommand(['grafana', '--out', 'g.json'])).toEqual({ command: 'grafana', out: 'g.json' });
});

it('reads where a run sends its metrics', () => {
  const place = (text: string): unknown => typedCommand(['run', 'p.yaml', '--otlp', text]);
  expect(place('http://collector:4318')).toMatchObject({ otlp: 'http://collector:4318/v1/metrics' });
  expect(place('https://a/base/?x=1')).toMatchObject({ otlp: 'https://a/base/v1/metrics?x=1' });
  expect(place('http://a/v1/metrics')).toMatchObject({ otlp: 'http://a/v1/metrics' });
  expect(() => place('http://me:secret@a')).toThrow(/OTEL_EXPORTER_OTLP_HEADERS/);
});

it('reads where a run exposes its metrics', () => {
  const place = (text: string): unknown => typedCommand(['run', 'p.yaml', '--metrics', text]);
  expect(place('9464')).toMatchObject({ metrics: { port: 9464, bind: undefined } });
  expect(place('0.0.0.0:9464')).toMatchObject({ metrics: { port: 9464, bind: '0.0.0.0' } });
  expect(place('[::]:9464')).toMatchObject({ metrics: { port: 9464, bind: '[::]' } });
});

it.each([
  [['run', 'p.yaml', '--metrics', 'nine']],
  [['run', 'p.yaml', '--metrics', '99999']],
  [['run', 'p.yaml', '--otlp', 'collector']],
  [['run', 'p.yaml', '--otlp', 'grpc://collector:4317']],
  [['import-prometheus']],
  [['import-prometheus', ...range, 'more']],
  [['import-prometheus', ...range.slice(0, 4)]],
  [['import-prometheus', ...range, '--step', '10ms']],
  [['import-prometheus', ...range, '--query', 'up']],
  [['import-prometheus', '--resume', 'r1', ...range]],
  [['import-prometheus', ...range, '--prometheus', 'http://u:p@h:9090']],
])('refuses %j', (args) => {
  expect(() => typedCommand(args)).toThrow(UsageError);
});
