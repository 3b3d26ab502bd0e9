import { expect, it } from 'vitest';
import { fixedColumn, FixedSamples } from '../../../domain/charts/drawing/samples';
import { roundTop, scaleRange, timeStep, ticksEvery } from '../../../domain/charts/drawing/scales';
import { formatTick as tickText } from '../../../domain/text/numberFormat';
import { formatAxisTime as axisTime } from '../../../domain/text/timeFormat';
import { drawChart, plotLeft } from './draw';
import type { ReportChart, ReportMark, ReportTrace } from './scene';

const trace: ReportTrace = {
  key: 'origin',
  label: 'origin',
  owner: { kind: 'node', node: 'origin', colourSlot: 5 },
  look: 'line',
  inputs: [{ node: 'origin', series: 'cpuPercent' }],
  combine: 'firstMeasured',
  factor: 1,
  onlyWhenMeasured: false,
  showFigure: true,
  extreme: 'highest',
  colour: 5,
  dash: 1,
  isMain: false,
};

function chart(marks: readonly ReportMark[] = []): ReportChart {
  return {
    id: 'cpu',
    title: 'CPU',
    subtitle: '%',
    shortSubtitle: '%',
    gapRings: true,
    isOfViewers: false,
    marks,
    panels: [
      {
        label: '',
        unit: '%',
        weight: 1,
        traces: [trace],
        lines: [{ kind: 'limit', value: 80, label: 'limit 80 %', labelled: 'above' }],
        scale: { low: 0, high: 100, fixed: true },
        headStyle: 'integer',
        tooltipStyle: 'integer',
      },
    ],
  };
}

interface Line {
  readonly t: readonly number[];
  readonly v: readonly number[];
}

/** A line that is broken at its NaN, whatever its steps. */
function samples({ t, v }: Line): FixedSamples {
  const known = t.map((timeMs, i) => ({ timeMs, value: v[i] ?? NaN, before: v[i - 1] ?? 0 }));
  const kept = known.filter(({ value }) => !Number.isNaN(value));
  const breaks = kept.flatMap(({ before }, i) => (Number.isNaN(before) ? [i] : []));
  const column = fixedColumn(
    kept.map(({ timeMs }) => timeMs),
    kept.map(({ value }) => value),
    { breaks, coarseMs: 0 },
  );
  return new FixedSamples(() => column);
}

function draw(line: Line, marks?: readonly ReportMark[], range = { fromMs: 0, toMs: 100_000 }): string {
  const phases = [{ name: 'ramp', fromMs: 0, toMs: 10_000 }];
  return drawChart(chart(marks), samples(line), { phases, limited: [] }, range, 446, 200);
}

/** The drawn line: the x of each point, NaN at a gap. */
function pointsOf(svg: string): number {
  const path = /class="line line k5 d1" d="([^"]*)"/.exec(svg)?.[1] ?? '';
  return path.split(/[ML]/).length - 1;
}

it('draws a line in its node’s colour and dash, with rings at a gap', () => {
  const svg = draw({ t: [0, 50_000, 50_001, 60_000, 100_000], v: [0, 100, NaN, 50, 50] });
  expect(svg).toContain(`d="M${plotLeft} 182L238 17M278 99.5L438 99.5"`);
  expect(svg.match(/class="ring k5"/g)).toHaveLength(2);
  expect(svg).toContain('limit 80 %');
  expect(svg).not.toContain('no data');
});

it('shows “no data” when there is nothing to draw', () => {
  expect(draw({ t: [], v: [] })).toContain('no data');
});

it('draws a long line with no more points than its pixels can show, and keeps its peaks', () => {
  const t = Array.from({ length: 50_000 }, (_, i) => i * 2);
  const svg = draw({ t, v: t.map((_, i) => (i === 31_234 ? 100 : 20)) });
  expect(pointsOf(svg)).toBeLessThan(4 * 400);
  expect(svg).toMatch(/L[\d.]+ 17L/);
});

it('draws what is in range when zoomed, up to the edges', () => {
  const t = Array.from({ length: 101 }, (_, i) => i * 1000);
  const svg = draw({ t, v: t.map(() => 50) }, undefined, { fromMs: 20_500, toMs: 24_500 });
  expect(pointsOf(svg)).toBe(6);
});

it('keeps every reason visible and merges other marks', () => {
  const reason = (number: number): ReportMark => ({
    kind: 'reason',
    timeMs: 40_000,
    number,
    text: `<${number}>`,
  });
  const note = (timeMs: number): ReportMark => ({ kind: 'note', timeMs, text: 'note' });
  const svg = draw({ t: [], v: [] }, [note(39_500), reason(1), reason(2), note(70_000), note(71_000)]);
  expect(svg.match(/class="reason" x="198"[^>]*>1</)).not.toBeNull();
  // Beside the count of the first, with which the note is merged.
  expect(svg.match(/class="reason" x="222"[^>]*>2</)).not.toBeNull();
  expect(svg.match(/class="mark-note"/g)).toHaveLength(1);
  expect(svg).toContain('<title>&lt;1&gt;</title>');
});

it('draws many lines as their mean, band and the worst of them where they were watched so', () => {
  const at = (count: number, isBanded: boolean): string => {
    const traces = Array.from({ length: count }, (_, i): ReportTrace => ({
      ...trace,
      ...{
        key: `n${i}`,
        owner: { kind: 'node', node: `n${i}`, colourSlot: 1 + (i % 8) },
        colour: 1 + (i % 8),
        dash: 0,
      },
      inputs: [{ node: `n${i}`, series: 'cpuPercent' }],
    }));
    const t = [0, 1000, 2000, 3000];
    const source = new FixedSamples((node) =>
      fixedColumn(
        t,
        t.map(() => 10 * Number(node.slice(1))),
      ),
    );
    const of = chart();
    const panels = of.panels.map((panel) => ({ ...panel, traces }));
    const scene = { phases: [], limited: [] };
    return drawChart({ ...of, panels, isBanded }, source, scene, { fromMs: 0, toMs: 3000 }, 446, 200);
  };
  const classesOf = (svg: string): readonly string[] =>
    [...svg.matchAll(/<path class="((?:line|ground) [^"]*)"/g)].map(([, name]) => name ?? '');
  expect(classesOf(at(9, true))).toEqual(['ground band neutral', 'line line neutral', 'line line k1 d0']);
  expect(classesOf(at(9, false))).toHaveLength(9);
  expect(classesOf(at(8, true))).toHaveLength(8);
});

it('hatches charts of viewers while a tester was at its own limit, and nothing else', () => {
  const hatched = (of: ReportChart, fromMs: number, toMs: number): string[] => {
    const scene = { phases: [], limited: [{ fromMs, toMs }] };
    const svg = drawChart(of, new FixedSamples(() => undefined), scene, { fromMs: 0, toMs: 100_000 }, 446, 200);
    return [...svg.matchAll(/<rect x="([\d.]+)" y="17" width="([\d.]+)"[^>]*fill="url\(#hatch-cpu\)"/g)].map(
      ([, x, width]) => `${x} ${width}`,
    );
  };
  const byViewers = { ...chart(), isOfViewers: true };
  expect(hatched(byViewers, 25_000, 50_000)).toEqual(['138 100']);
  expect(hatched(byViewers, -9000, 200_000)).toEqual([`${plotLeft} 400`]);
  expect(hatched(byViewers, 200_000, 300_000)).toEqual([]);
  expect(hatched(chart(), 25_000, 50_000)).toEqual([]);
});

it('has round scales', () => {
  expect([0, 1, 9.2, 17, 101, 0.03].map(roundTop)).toEqual([1, 1, 10, 20, 150, 0.03]);
  expect(scaleRange({ low: 0, high: 100, fixed: true }, { lowest: 0, highest: 300 }, undefined)).toEqual({
    low: 0,
    high: 100,
  });
  expect(scaleRange({ low: 18, high: 26, fixed: false }, { lowest: 3, highest: 26 }, undefined)).toEqual({
    low: 0,
    high: 26,
  });
  expect(scaleRange({ low: 0, high: 10, fixed: false }, { lowest: Infinity, highest: -Infinity }, undefined)).toEqual({
    low: 0,
    high: 10,
  });
  expect([0, 0.5, 1].map((tick) => tickText(tick, 0.5))).toEqual(['0', '0.5', '1.0']);
  expect(tickText(1000, 500)).toBe('1,000');
});

it('has ticks at round run times', () => {
  expect(ticksEvery(0, 76_000, timeStep(76_000, 380, 76_000))).toEqual([
    0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 70_000,
  ]);
  expect([0, 107_000, 3_750_000, -5000].map(axisTime)).toEqual(['0:00', '1:47', '1:02:30', '−0:05']);
});
