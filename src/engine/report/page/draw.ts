import {
  clipped,
  laneHeight,
  phaseNames,
  phaseShapes,
  type AxisPlace,
  type PhaseSpan,
  type TimeRange,
} from '../../../domain/charts/drawing/frame';
import { BandReader, fewLines, isBandLine } from '../../../domain/charts/drawing/band';
import { hiddenPixels, labelBox, referenceLabel } from '../../../domain/charts/drawing/labelPlacement';
import { isMeasured } from '../../../domain/charts/drawing/line';
import { groupMarks, type MarkGroup } from '../../../domain/charts/drawing/marks';
import { PanelReader, PanelTrace } from '../../../domain/charts/drawing/panel';
import { areaPath, linePath, ringPlaces, SvgPen, tenths } from '../../../domain/charts/drawing/paths';
import { pixelMapOf, type PixelMap } from '../../../domain/charts/drawing/pixelMap';
import type { SampleSource } from '../../../domain/charts/drawing/samples';
import { scaleRange, scaleTicks, stepOf, timeStep, ticksEvery } from '../../../domain/charts/drawing/scales';
import { htmlText } from '../../../domain/text/escape/markup';
import { formatTick } from '../../../domain/text/numberFormat';
import { formatAxisTime } from '../../../domain/text/timeFormat';
import type { ReportChart, ReportMark, ReportPanel, ReportScene, ReportTrace } from './scene';

/**
 * Draws a chart as SVG: in Node.js when the report is written and in the page when it is read. Colours come from the
 * page's style by class, so one image has both themes.
 */

/** The left edge of every chart, so that time axes are aligned. */
export const plotLeft = 38;
const plotRightAir = 8;
const laneTop = 2;
export const plotTop = laneTop + laneHeight + 4;
const axisHeight = 18;
const panelAir = 14;
/** Mean width of a letter at 10 px; nothing can be measured in Node.js. */
const letterPx = 5.6;
const widthOf = (text: string): number => text.length * letterPx;

/** The layout of a chart: pixels per time, and the panels below each other. */
export interface ReportLayout extends AxisPlace {
  readonly bottom: number;
  readonly panels: readonly { readonly top: number; readonly bottom: number }[];
  readonly timeOf: (x: number) => number;
}

export function chartLayout(
  chart: { readonly panels: readonly { readonly weight: number }[] },
  width: number,
  height: number,
  range: TimeRange,
): ReportLayout {
  const right = width - plotRightAir;
  const bottom = height - axisHeight;
  const weights = chart.panels.reduce((sum, panel) => sum + panel.weight, 0);
  const room = bottom - plotTop - panelAir * (chart.panels.length - 1);
  let top = plotTop;
  const panels = chart.panels.map((panel) => {
    const panelBottom = top + (room * panel.weight) / weights;
    const place = { top, bottom: panelBottom };
    top = panelBottom + panelAir;
    return place;
  });
  const perMs = (right - plotLeft) / Math.max(1, range.toMs - range.fromMs);
  return {
    left: plotLeft,
    right,
    bottom,
    panels,
    xOf: (timeMs) => plotLeft + (timeMs - range.fromMs) * perMs,
    timeOf: (x) => range.fromMs + (x - plotLeft) / perMs,
  };
}

function pathOf(write: (pen: SvgPen) => void): string {
  const pen = new SvgPen();
  write(pen);
  return pen.d;
}

/** A trace and its points; `base` is the lower edge of an area. */
type DrawnTrace = Pick<PanelTrace<ReportTrace>, 'spec' | 'points' | 'base'>;

function drawTrace(trace: DrawnTrace, map: PixelMap, ground: number, withRings: boolean): string {
  const { spec, points, base } = trace;
  const isOfNode = spec.owner.kind === 'node';
  const colour = isOfNode ? `k${spec.colour} d${spec.dash}` : spec.owner.kind;
  if (spec.look === 'dots') {
    const dots = Array.from(points.values.subarray(0, points.length), (value, i) => ({ value, i }));
    return dots
      .filter(({ value }) => !Number.isNaN(value))
      .map(({ value, i }) => {
        const x = map.x0 + (points.timesMs[i] ?? 0) * map.xPerMs;
        return `<circle class="dot ${colour}" cx="${tenths(x)}" cy="${tenths(map.y0 + value * map.yPerUnit)}" r="1"/>`;
      })
      .join('');
  }
  const line = pathOf((pen) => linePath(pen, points, map));
  const places = withRings && isOfNode ? ringPlaces(points, map) : [];
  const rings = places
    .map(({ x, y }) => `<circle class="ring k${spec.colour}" cx="${tenths(x)}" cy="${tenths(y)}" r="2.5"/>`)
    .join('');
  const path =
    spec.look === 'band'
      ? ''
      : `<path class="line ${spec.look} ${colour}${spec.isMain ? ' main' : ''}" d="${line}"/>${rings}`;
  if (spec.look !== 'stack' && spec.look !== 'area' && spec.look !== 'band') return path;
  const area = pathOf((pen) => {
    areaPath(pen, points, map, ground);
    if (base) areaPath(pen, base, map, ground);
  });
  return `<path class="ground ${spec.look} ${colour}" fill-rule="evenodd" d="${area}"/>${path}`;
}

/** The band of many lines, what is of no node, their mean and the worst of them, from bottom to top. */
function bandTraces(
  all: readonly DrawnTrace[],
  lines: readonly DrawnTrace[],
  { fromMs, toMs }: TimeRange,
  stepMs: number,
): readonly DrawnTrace[] {
  const band = new BandReader();
  const worst = band.read(lines, fromMs, toMs, stepMs);
  const [first] = lines;
  if (!first || !worst) return all;
  const neutral = { ...first.spec, owner: { kind: 'neutral' }, isMain: false } as const;
  return [
    { spec: { ...neutral, key: 'band', look: 'band' }, points: band.high, base: band.low },
    ...all.filter(({ spec }) => spec.owner.kind !== 'node'),
    { spec: { ...neutral, key: 'band mean', look: 'line' }, points: band.mean, base: undefined },
    worst,
  ];
}

/** Text on a background patch, so that lines do not cross it. */
function patched(text: string, x: number, middle: number, name: string): string {
  return (
    `<rect class="patch" x="${tenths(x - 3)}" y="${tenths(middle - 6)}" width="${tenths(widthOf(text) + 6)}" height="12"/>` +
    `<text class="${name}" x="${tenths(x)}" y="${tenths(middle + 3.5)}">${htmlText(text)}</text>`
  );
}

/** What is drawn of a chart. */
export type DrawnChart = Pick<ReportChart, 'id' | 'panels' | 'marks' | 'gapRings' | 'isOfViewers' | 'isBanded'>;

function drawPanel(
  { id, gapRings, isBanded }: DrawnChart,
  panel: ReportPanel,
  index: number,
  source: SampleSource,
  range: TimeRange,
  { right, panels }: ReportLayout,
): string {
  const { top, bottom } = panels[index] ?? { top: 0, bottom: 0 };
  const reader = new PanelReader(
    panel,
    panel.traces.map((trace) => new PanelTrace(trace)),
  );
  const bucketMs = (range.toMs - range.fromMs) / (right - plotLeft);
  reader.read(source, range.fromMs, range.toMs, bucketMs);
  const { low, high } = scaleRange(panel.scale, reader.extent(), undefined);
  const map = pixelMapOf({ left: plotLeft, right, top, bottom, ...range, low, high });
  const yOf = (value: number): number => Math.round(map.y0 + value * map.yPerUnit) + 0.5;
  const values = scaleTicks({ low, high }, index > 0, bottom - top);
  const ticks = values
    .map((tick) => {
      const text = formatTick(tick, stepOf(values));
      return `<path class="grid" d="M${plotLeft} ${yOf(tick)}H${right}"/><text class="tick y" x="${plotLeft - 5}" y="${yOf(tick) + 3}">${text}</text>`;
    })
    .join('');
  const references = panel.lines
    .filter(({ value }) => value >= low && value <= high)
    .map((line) => {
      const y = yOf(line.value);
      const { label, place } = referenceLabel(line, y, { left: plotLeft, right, top, bottom }, widthOf, (at, width) =>
        hiddenPixels(reader.traces, map, labelBox(at, width)),
      );
      const name = place ? patched(label, place.x, place.middle, `name ${line.kind}`) : '';
      return `<path class="${line.kind}" d="M${plotLeft} ${y}H${right}"/>${name}`;
    })
    .join('');
  // The origin is drawn last, on top.
  const traces = [...reader.traces]
    .sort((a, b) => Number(a.spec.isMain) - Number(b.spec.isMain))
    .filter(({ points }) => points.length > 0);
  const lines = isBanded ? traces.filter(({ spec }) => isBandLine(spec)) : [];
  const shown = lines.length > fewLines ? bandTraces(traces, lines, range, Math.max(bucketMs, source.stepMs)) : traces;
  const drawn = shown.map((trace) => drawTrace(trace, map, bottom, gapRings && shown === traces)).join('');
  const nothing = panel.traces.some((trace) => isMeasured(source, trace))
    ? ''
    : `<text class="none" x="${tenths((plotLeft + right) / 2)}" y="${tenths((top + bottom) / 2 + 3)}">no data</text>`;
  const label = panel.label ? patched(panel.label, plotLeft + 4, top + 3, 'name quiet') : '';
  const clip = `${id}-${index}`;
  return (
    `<clipPath id="${clip}"><rect x="${plotLeft}" y="${tenths(top - 2)}" width="${tenths(right - plotLeft)}" height="${tenths(bottom - top + 3)}"/></clipPath>` +
    `${ticks}<g clip-path="url(#${clip})">${drawn}</g>${references}${label}${nothing}`
  );
}

/** The plan as a profile in the lane, and ramps shaded over the plot. */
function drawPhases(phases: readonly PhaseSpan[], layout: ReportLayout, clip: string): string {
  const bottom = laneTop + laneHeight;
  const drawn = phaseShapes(phases, layout)
    .map(({ from, to, startsLow, endsLow, isRamp }) => {
      const [left, right] = [startsLow ? bottom - 1 : laneTop, endsLow ? bottom - 1 : laneTop];
      const shade = `<rect class="ramp" x="${tenths(from)}" y="${plotTop}" width="${tenths(to + 1 - from)}" height="${layout.bottom - plotTop}"/>`;
      const profile = `<path class="phase" d="M${tenths(from)} ${bottom}V${left}L${tenths(to)} ${right}V${bottom}Z"/>`;
      return (isRamp ? shade : '') + profile;
    })
    .join('');
  const ground = `<rect x="${plotLeft}" y="0" width="${tenths(layout.right - plotLeft)}" height="${layout.bottom}"/>`;
  return `<clipPath id="${clip}">${ground}</clipPath><g clip-path="url(#${clip})">${drawn}</g>`;
}

/** Intervals in which a tester was at its own limit: a bar on top and a hatch, over charts of viewers only. */
function drawLimited(chart: DrawnChart, limited: readonly TimeRange[], layout: ReportLayout): string {
  const placed = chart.isOfViewers ? limited.flatMap((interval) => clipped(interval, layout) ?? []) : [];
  if (placed.length === 0) return '';
  const hatch = `hatch-${chart.id}`;
  const drawn = placed
    .map(({ from, to }) => {
      const across = `x="${tenths(from)}" y="${plotTop}" width="${tenths(to - from)}"`;
      return `<rect ${across} height="${layout.bottom - plotTop}" fill="url(#${hatch})"/><rect class="limited" ${across} height="1.5"/>`;
    })
    .join('');
  const pattern = `<pattern id="${hatch}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch" d="M0 0V6"/></pattern>`;
  return `${pattern}<g><title>tester-limited</title>${drawn}</g>`;
}

function markShape({ kind, number, colour }: ReportMark, x: number, y: number): string {
  const tone = colour ? `k${colour}` : 'neutral';
  switch (kind) {
    case 'reason':
      return `<circle class="mark-fa" cx="${x}" cy="${y + 0.5}" r="6.5"/><text class="reason" x="${x}" y="${y + 4}">${number}</text>`;
    case 'limit':
      return `<path class="mark-wa" d="M${x} ${y - 4.5}L${x + 5} ${y + 4}H${x - 5}Z"/>`;
    case 'degraded':
      return `<path class="mark-wa" d="M${x} ${y - 5}L${x + 5} ${y}L${x} ${y + 5}L${x - 5} ${y}Z"/>`;
    case 'lost':
      return `<path class="mark-line ${tone}" d="M${x - 4} ${y - 4}l8 8M${x + 4} ${y - 4}l-8 8"/>`;
    case 'recovered':
      return `<circle class="mark-line ${tone}" cx="${x}" cy="${y}" r="4"/>`;
    case 'note':
      return `<rect class="mark-note" x="${x - 3.5}" y="${y - 3.5}" width="7" height="7"/>`;
  }
}

/** A mark in the lane, with a line down from where it happened. */
function drawMark({ mark, x, drawnX, count }: MarkGroup<ReportMark>, bottom: number): string {
  const y = laneTop + laneHeight / 2;
  const isReason = mark.kind === 'reason';
  const tone = isReason ? 'fa' : mark.kind === 'limit' || mark.kind === 'degraded' ? 'wa' : '';
  const shape = markShape(mark, tenths(drawnX), y);
  const more = count > 1 && !isReason ? `<text class="tick" x="${tenths(x + 6)}" y="${y + 3.5}">${count}</text>` : '';
  return `<path class="fall ${tone}" d="M${tenths(x)} ${plotTop}V${bottom}"/><g>${shape}${more}<title>${htmlText(mark.text)}</title></g>`;
}

/** The content of a chart's `svg`, whose `viewBox` is `0 0 width height`. `scene` has phases and intervals. */
export function drawChart(
  chart: DrawnChart,
  source: SampleSource,
  scene: Pick<ReportScene, 'phases' | 'limited'>,
  range: TimeRange,
  width: number,
  height: number,
): string {
  const { fromMs, toMs } = range;
  const layout = chartLayout(chart, width, height, range);
  const ticks = ticksEvery(fromMs, toMs, timeStep(toMs - fromMs, layout.right - plotLeft, toMs))
    .map((tick) => {
      const x = tenths(layout.xOf(tick));
      const text = formatAxisTime(tick);
      const middle = tenths(Math.min(x, width - widthOf(text) / 2 - 2));
      return `<path class="grid" d="M${x} ${plotTop}V${layout.bottom}"/><text class="tick x" x="${middle}" y="${height - 5}">${text}</text>`;
    })
    .join('');
  const panels = chart.panels.map((panel, i) => drawPanel(chart, panel, i, source, range, layout)).join('');
  const names = chart.id === 'viewers' ? phaseNames(scene.phases, layout, widthOf) : [];
  const visible = chart.marks.filter(({ timeMs }) => timeMs >= fromMs && timeMs <= toMs);
  return (
    ticks +
    drawPhases(scene.phases, layout, `${chart.id}-plan`) +
    panels +
    drawLimited(chart, scene.limited, layout) +
    names.map(({ name, x }) => patched(name, x, plotTop + 10, 'name quiet')).join('') +
    groupMarks(visible, layout.xOf)
      .map((group) => drawMark(group, layout.bottom))
      .join('')
  );
}
