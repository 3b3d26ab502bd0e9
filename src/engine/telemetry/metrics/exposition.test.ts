import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { metricValue, parseMetrics } from './exposition';

const recorded = readFileSync(join(__dirname, '../../../../tests/fixtures/node-exporter/metrics.prom'), 'utf8');
const all = (): boolean => true;

describe('metrics as text', () => {
  it('are read as captured from node_exporter', () => {
    const metrics = parseMetrics(recorded, all, 'it');
    expect(metricValue(metrics, 'node_load1')).toBe(0.4);
    expect(metricValue(metrics, 'node_cpu_seconds_total', { cpu: '1', mode: 'user' })).toBe(337.46);
    expect(metricValue(metrics, 'node_network_transmit_bytes_total', { device: 'vo' })).toBe(2.80207111e9);
    const lines = recorded.split('\n').filter((line) => line && !line.startsWith('#'));
    expect([...metrics.values()].flat().length).toBe(lines.length);
  });

  it('are only parsed where wanted', () => {
    const metrics = parseMetrics(recorded, (name) => name === 'node_load1', 'it');
    expect([...metrics.keys()]).toEqual(['node_load1']);
  });

  it('may have escapes, braces and commas in labels, timestamps and exemplars', () => {
    const metrics = parseMetrics(
      [
        '# HELP a "{} help',
        String.raw`a{path="C:\\dir\"x\"\n",other="}, b"} 1 1795252866431`,
        'a{ } 2',
        'a_bucket{le="+Inf",} 17 # {trace_id="x"} 0.67 1795252866.431',
        'b  3e2\r',
        'c NaN',
        'd +Inf',
        'd -Inf',
        'half{le="1',
        'none{x="1"} ',
        '# EOF',
      ].join('\n'),
      all,
      'it',
    );
    expect(metrics.get('a')).toEqual([
      { labels: { path: 'C:\\dir"x"\n', other: '}, b' }, value: 1 },
      { labels: {}, value: 2 },
    ]);
    expect(metrics.get('a_bucket')).toEqual([{ labels: { le: '+Inf' }, value: 17 }]);
    expect(metricValue(metrics, 'b')).toBe(300);
    expect(metricValue(metrics, 'c')).toBeNaN();
    expect(metrics.get('d')?.map(({ value }) => value)).toEqual([Infinity, -Infinity]);
    expect([metrics.has('half'), metrics.has('none')]).toEqual([false, false]);
  });

  it.each([
    ['<!doctype html>\n<html><body>Welcome to nginx</body></html>', 'a web page'],
    ['{"status":"ok"}', 'JSON'],
    ['\u0000\u0001garbage\u0002'.repeat(1000), 'other text'],
  ])('name what was received instead (%#)', (text, came) => {
    expect(() => parseMetrics(text, all, 'origin at http://h:9100')).toThrow(
      `origin at http://h:9100 returned ${came} instead of Prometheus metrics; check the address (usually it ends in /metrics).`,
    );
  });

  it('may be empty', () => {
    expect(parseMetrics('', all, 'it').size).toBe(0);
    expect(parseMetrics('unwanted 1\n', () => false, 'it').size).toBe(0);
  });
});
