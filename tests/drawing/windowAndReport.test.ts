import { runTimeScale } from '../../src/domain/charts/drawing/timeScale';
import { describe, expect, it } from 'vitest';
import { chartsFor, type ChartSpec } from '../../src/domain/charts/charts';
import { pixelMapOf } from '../../src/domain/charts/drawing/pixelMap';
import { FixedSamples, fixedColumn } from '../../src/domain/charts/drawing/samples';
import type { NodeView } from '../../src/domain/model/node';
import { chartLayout, drawChart } from '../../src/engine/report/page/draw';
import type { ReportChart } from '../../src/engine/report/page/scene';
import { drawRings, drawTrace } from '../../src/renderer/charts/traceController';
import { PanelView } from '../../src/renderer/charts/panelView';
import { SampleStore } from '../../src/renderer/charts/sampleStore';
import type { Scene } from '../../src/renderer/charts/scene';

/** One run, drawn by the window on a canvas and by the report as SVG. */

const origin: NodeView = {
  ...{ id: 'origin', name: 'origin', role: 'origin', colourSlot: 1, state: 'live', reach: 'test', host: 'here' },
  streams: [],
};
const cpu = chartsFor({ nodes: [origin], expect: {}, requested: 10 }).find(({ id }) => id === 'cpu');
const [panel] = cpu?.panels ?? [];
if (!cpu || !panel) throw new Error('There is no CPU chart.');
const chart: ChartSpec = { ...cpu, panels: [panel] };

const range = { fromMs: 0, toMs: 60_000 };
const [width, height] = [446, 200];
const layout = chartLayout(chart, width, height, range);
const { top, bottom } = layout.panels[0] ?? { top: 0, bottom: 0 };

type Samples = readonly (readonly [timeMs: number, value: number])[];
interface Drawn {
  /** Corners of each piece of the line, in pixels. */
  readonly pieces: readonly (readonly (readonly [x: number, y: number])[])[];
  /** Ends of gaps. */
  readonly rings: readonly (readonly [x: number, y: number])[];
}

const round = (value: number): number => Number(value.toFixed(1));

function byWindow(samples: Samples, startedMs: number): Drawn {
  const store = new SampleStore();
  store.append({
    keys: [{ node: 'origin', series: 'cpuPercent' }],
    key: samples.map(() => 0),
    timeMs: samples.map(([timeMs]) => startedMs + timeMs),
    value: samples.map(([, value]) => value),
  });
  const scene: Scene = {
    ...{ store, nodes: [origin], startedMs, nowMs: range.toMs, ended: true, range, phases: [], events: [] },
    ...{ timeScale: runTimeScale, runs: [] },
    ...{ reasons: [], isolated: new Set<string>(), hoveredNode: undefined, doubtful: [], extrapolation: undefined },
    banded: new Set(),
    palette: {
      ...{ surface: '', line: '', lineStrong: '', text: '', textMuted: '', textFaint: '', accent: '', accentSoft: '' },
      ...{ warning: '', danger: '', grid: '', ramp: '' },
      ...{ phase: '', hasMarkers: false, series: [] },
    },
  };
  const view = new PanelView(panel!, [origin], undefined);
  view.read(scene, (range.toMs - range.fromMs) / (layout.right - layout.left), false);
  const map = pixelMapOf({ ...layout, top, bottom, ...range, ...view.range }, startedMs);
  const pieces: [number, number][][] = [];
  const rings: [number, number][] = [];
  // What a canvas is told to draw.
  const context = {
    ...{ setLineDash: () => undefined, beginPath: () => undefined, stroke: () => undefined, fill: () => undefined },
    moveTo: (x: number, y: number) => pieces.push([[round(x), round(y)]]),
    lineTo: (x: number, y: number) => pieces.at(-1)?.push([round(x), round(y)]),
    arc: (x: number, y: number) => rings.push([round(x), round(y)]),
  } as unknown as CanvasRenderingContext2D;
  for (const trace of view.traces) {
    drawTrace(context, trace, map, false);
    drawRings(context, trace, map, '');
  }
  return { pieces, rings };
}

function inReport(samples: Samples): Drawn {
  const column = fixedColumn(
    samples.map(([timeMs]) => timeMs),
    samples.map(([, value]) => value),
  );
  const source = new FixedSamples((_, series) => (series === 'cpuPercent' ? column : undefined));
  const traces = panel!.traces.map((trace) => ({ ...trace, colour: 1, dash: 0, isMain: true }));
  const drawn: ReportChart = { ...chart, marks: [], panels: [{ ...panel!, traces }] };
  const svg = drawChart(drawn, source, { phases: [], limited: [] }, range, width, height);
  const paths = [...svg.matchAll(/<path class="line [^"]*" d="([^"]*)"/g)].map(([, d]) => d ?? '');
  const pieces = paths.flatMap((d) =>
    d
      .split('M')
      .slice(1)
      .map((piece) =>
        piece.split('L').map((corner): [number, number] => corner.split(' ').map(Number) as [number, number]),
      ),
  );
  const rings = [...svg.matchAll(/<circle class="ring[^"]*" cx="([^"]*)" cy="([^"]*)"/g)];
  return { pieces, rings: rings.map(([, x, y]) => [Number(x), Number(y)]) };
}

const seconds = (from: number, to: number): [number, number][] =>
  Array.from({ length: to - from + 1 }, (_, i) => [(from + i) * 1000, ((from + i) * 7) % 90]);

describe('a series with gaps', () => {
  it.each([
    ['of ten seconds', [...seconds(0, 20), ...seconds(30, 60)], 2, 2],
    ['of just more than 2.5 steps', [...seconds(0, 20), [22_501, 40], [23_501, 41]], 2, 2],
    ['of exactly 2.5 steps, which is none', [...seconds(0, 20), [22_500, 40], [23_500, 41]], 1, 0],
    // Both of its ends are in one place.
    ['around a single sample', [...seconds(0, 10), [30_000, 50], ...seconds(50, 60)], 3, 3],
  ] as const)('has the same pieces and rings in the window and in a report: %s', (_, samples, pieces, rings) => {
    const inWindow = byWindow(samples, 1_000_000);
    expect(inWindow.pieces).toHaveLength(pieces);
    expect(inWindow.rings).toHaveLength(rings);
    expect(inReport(samples)).toEqual(inWindow);
  });

  it('is reduced to the same points where it has more samples than pixels', () => {
    const samples = Array.from({ length: 6000 }, (_, i): [number, number] => [i * 10, (i * 37) % 91]);
    const [long] = byWindow(samples, 0).pieces;
    expect(long?.length).toBeLessThan(2 * 400 + 2);
    expect(inReport(samples).pieces).toEqual([long]);
  });
});
