import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { chartsFor } from '../charts/charts';
import { distributionIds } from '../series/distributions';
import { histogramMetricOf, knownMetrics } from '../series/metricNames';
import { grafanaDashboard } from './dashboard';

/** What Grafana's classic model requires of a dashboard. */
const model = z.object({
  id: z.null(),
  uid: z.string().min(8).max(40),
  title: z.string().min(1),
  schemaVersion: z.number().int().min(36),
  templating: z.object({
    list: z.array(z.object({ name: z.string(), type: z.enum(['datasource', 'query']) })),
  }),
  panels: z.array(
    z.object({
      id: z.number().int().positive(),
      type: z.literal('timeseries'),
      title: z.string().min(1),
      datasource: z.object({ type: z.literal('prometheus'), uid: z.literal('${datasource}') }),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number().max(24), h: z.number().positive() }),
      targets: z.array(z.object({ refId: z.string(), expr: z.string().min(1), legendFormat: z.string() })).min(1),
      fieldConfig: z.object({
        defaults: z.object({
          unit: z.string(),
          max: z.number().optional(),
          thresholds: z.object({ steps: z.array(z.object({ value: z.number().nullable() })).min(1) }),
        }),
        overrides: z.array(z.object({ matcher: z.object({ id: z.string(), options: z.string() }) })),
      }),
    }),
  ),
});

const file = join(__dirname, '..', '..', '..', 'assets', 'grafana', 'fullhouse.json');
const dashboard = model.parse(grafanaDashboard());

describe('the Grafana dashboard', () => {
  it('matches the shipped file; `fullhouse grafana --out assets/grafana/fullhouse.json` regenerates it', () => {
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(grafanaDashboard())));
  });

  it('has every panel of every card, side by side, with unit and limit', () => {
    const cards = chartsFor({ nodes: [], expect: {}, requested: 0 });
    expect(dashboard.panels.length).toBe(cards.flatMap(({ panels }) => panels).length);
    const places = dashboard.panels.map(({ gridPos: { x, y } }) => `${x} ${y}`);
    expect(new Set(places).size).toBe(places.length);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(places.length);
    const panel = (title: string): (typeof dashboard.panels)[number]['fieldConfig']['defaults'] | undefined =>
      dashboard.panels.find((panel) => panel.title === title)?.fieldConfig.defaults;
    expect(panel('CPU')).toMatchObject({
      ...{ unit: 'percentunit', max: 1 },
      thresholds: { steps: [{ value: null }, { value: 0.8 }] },
    });
    expect(panel('GC pause')?.thresholds.steps[1]?.value).toBeCloseTo(0.01);
    expect(panel('Bandwidth')?.unit).toBe('bps');
    expect(panel('Memory')?.unit).toBe('bytes');
    expect(panel('Jitter p95: loss')?.unit).toBe('percentunit');
  });

  it('queries only metrics that a run exposes, of the selected run and nodes', () => {
    const histograms = distributionIds.map((id) => histogramMetricOf(id).name);
    const known = new Set([
      ...knownMetrics().map(({ metric }) => metric.name),
      ...histograms.flatMap((name) => [name, `${name}_bucket`]),
    ]);
    const all = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    for (const expr of all) {
      const names = [...expr.matchAll(/(fullhouse_\w+)\{([^}]*)\}/g)];
      expect(names.length, expr).toBeGreaterThan(0);
      for (const [, name = '', labels] of names) {
        expect(known, expr).toContain(name);
        expect(labels).toMatch(/^role="(origin|tester)",run=~"\$run",node=~"\$node"$/);
      }
    }
    expect(all).toContain('sum(fullhouse_viewers_requested{role="tester",run=~"$run",node=~"$node"})');
    const connects = 'fullhouse_viewer_connect_seconds';
    const selected = '{role="tester",run=~"$run",node=~"$node"}[$__rate_interval]';
    expect(all).toContain(
      `histogram_quantile(0.95, sum(rate(${connects}${selected}))) or histogram_quantile(0.95, sum by (le) (rate(${connects}_bucket${selected})))`,
    );
  });

  it('contains nothing of the machine that generated it', () => {
    expect(JSON.stringify(grafanaDashboard())).not.toMatch(/127\.0\.0\.1|localhost|\/home\/|\/root\//);
  });
});
