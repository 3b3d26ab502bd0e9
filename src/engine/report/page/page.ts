import type { TimeRange } from '../../../domain/charts/drawing/frame';
import { ReadoutReader } from '../../../domain/charts/drawing/readouts';
import { fixedColumn, FixedSamples, type SampleColumn } from '../../../domain/charts/drawing/samples';
import { formatFigure } from '../../../domain/text/numberFormat';
import { formatAxisTime } from '../../../domain/text/timeFormat';
import { decodeColumn } from './decodeColumn';
import { chartLayout, drawChart, plotLeft, plotTop, type DrawnChart } from './draw';
import type { ReportScene, ReportTrace } from './scene';

/**
 * Makes the charts of a report interactive; without it they stay static images. Bundled into the page as one script
 * (`generatedModules` of `vite.shared.mjs`).
 */

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The report has no element ${id}.`);
  return found;
}

const data = JSON.parse(element('data').textContent) as ReportScene;
const columns = new Map<string, SampleColumn>();
const whole: TimeRange = { fromMs: data.fromMs, toMs: data.toMs };
/** The double-click time of desktops. */
const doubleClickMs = 500;
/** A shorter drag is a click; a shorter zoom range shows no more. */
const minDragPx = 5;
const minSpanMs = 4000;
const height = 210;
let range = whole;
let cursorMs: number | undefined;
let dragFromMs: number | undefined;

/** Decoded when first drawn. */
function columnOf(node: string, series: string): SampleColumn | undefined {
  const key = `${node}\n${series}`;
  const stored = data.series.find((column) => column.node === node && column.series === series);
  if (stored && !columns.has(key)) {
    const { t, v } = decodeColumn(stored.data, stored.count);
    columns.set(key, fixedColumn(t, v, stored.breaks && { breaks: stored.breaks, coarseMs: data.coarseMs ?? 0 }));
  }
  return columns.get(key);
}

const source = new FixedSamples(columnOf, data.stepMs);
const readouts = new ReadoutReader();

interface Card {
  readonly figure: HTMLElement;
  readonly svg: SVGSVGElement;
  chart: DrawnChart;
  width: number;
}

function cardOf(figure: HTMLElement, chart: DrawnChart | undefined): Card[] {
  const svg = figure.querySelector('svg');
  return svg && chart ? [{ figure, chart, svg, width: 0 }] : [];
}

const cards = [...document.querySelectorAll<HTMLElement>('figure[data-chart]')].flatMap((figure) =>
  cardOf(figure, data.charts[Number(figure.dataset['chart'])]),
);

function draw(card: Card): void {
  card.width = Math.max(200, card.svg.clientWidth);
  card.svg.setAttribute('viewBox', `0 0 ${card.width} ${height}`);
  const drawn = drawChart(card.chart, source, data, range, card.width, height);
  card.svg.innerHTML = drawn + '<g class="cursor"></g>';
}

function drawCursor({ chart, svg, width }: Card): void {
  const layout = chartLayout(chart, width, height, range);
  const parts: string[] = [];
  const x = (timeMs: number): number => Math.min(layout.right, Math.max(plotLeft, layout.xOf(timeMs)));
  if (dragFromMs !== undefined && cursorMs !== undefined) {
    const left = Math.min(x(dragFromMs), x(cursorMs));
    const span = Math.abs(x(dragFromMs) - x(cursorMs));
    parts.push(`<rect class="drag" x="${left}" y="${plotTop}" width="${span}" height="${layout.bottom - plotTop}"/>`);
  }
  if (cursorMs !== undefined) {
    const at = Math.round(x(cursorMs)) + 0.5;
    const text = formatAxisTime(cursorMs);
    const chip = text.length * 6 + 10;
    const left = Math.min(layout.right - chip + 8, Math.max(plotLeft - 8, at - chip / 2));
    parts.push(
      `<path class="cross" d="M${at} ${plotTop}V${layout.bottom}"/>`,
      `<rect class="chip" x="${left}" y="${height - 16}" width="${chip}" height="15" rx="3"/>`,
      `<text class="chip-text" x="${left + chip / 2}" y="${height - 5}">${text}</text>`,
    );
  }
  const layer = svg.querySelector('.cursor');
  if (layer) layer.innerHTML = parts.join('');
}

/** Figures in the head of a card: at the crosshair, or the extremes of the entire run. */
function drawFigures({ figure, chart }: Card): void {
  for (const slot of figure.querySelectorAll<HTMLElement>('[data-trace]')) {
    const panel = chart.panels[Number(slot.dataset['panel'])];
    const trace = panel?.traces.find((trace) => trace.key === slot.dataset['trace']);
    if (!panel || !trace) continue;
    slot.textContent =
      cursorMs === undefined
        ? formatFigure(readouts.value(source, trace, { kind: 'extreme' }), panel.headStyle)
        : formatFigure(readouts.value(source, trace, { kind: 'cursor', timeMs: cursorMs }), panel.tooltipStyle);
  }
}

function drawCursors(): void {
  for (const card of cards) {
    drawCursor(card);
    drawFigures(card);
  }
  const note = element('moment');
  note.textContent =
    cursorMs === undefined
      ? (note.dataset['idle'] ?? '')
      : `${formatAxisTime(cursorMs)} · ${new Date(data.startMs + cursorMs).toISOString().slice(0, 19)}Z`;
}

function show(next: TimeRange): void {
  range = next;
  cards.forEach(draw);
  drawCursors();
}

function timeAt({ chart, svg, width }: Card, event: PointerEvent): number {
  const box = svg.getBoundingClientRect();
  const layout = chartLayout(chart, width, height, range);
  const time = layout.timeOf(((event.clientX - box.left) * width) / box.width);
  return Math.min(range.toMs, Math.max(range.fromMs, time));
}

function hideCursor(): void {
  if (dragFromMs !== undefined || cursorMs === undefined) return;
  cursorMs = undefined;
  drawCursors();
}

function listen(card: Card): void {
  const { svg } = card;
  svg.addEventListener('pointermove', (event) => {
    cursorMs = timeAt(card, event);
    drawCursors();
  });
  svg.addEventListener('pointerleave', hideCursor);
  svg.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    svg.setPointerCapture(event.pointerId);
    dragFromMs = timeAt(card, event);
  });
  svg.addEventListener('pointerup', (event) => {
    const fromMs = dragFromMs;
    const toMs = timeAt(card, event);
    dragFromMs = undefined;
    if (fromMs === undefined) return;
    const layout = chartLayout(card.chart, card.width, height, range);
    const isDrag = Math.abs(layout.xOf(toMs) - layout.xOf(fromMs)) >= minDragPx;
    if (isDrag && Math.abs(toMs - fromMs) >= minSpanMs)
      show({ fromMs: Math.min(fromMs, toMs), toMs: Math.max(fromMs, toMs) });
    else drawCursors();
  });
  svg.addEventListener('pointercancel', () => {
    dragFromMs = undefined;
    drawCursors();
  });
  // Not `dblclick`: the crosshair is redrawn between the two clicks, and the browser loses the target of the first.
  let clickedAt = -Infinity;
  svg.addEventListener('pointerdown', (event) => {
    const isSecond = event.timeStamp - clickedAt < doubleClickMs;
    clickedAt = isSecond ? -Infinity : event.timeStamp;
    if (!isSecond) return;
    dragFromMs = undefined;
    show(whole);
  });
}

/** One more chart, of the series chosen in the table. */
function showSeries(row: HTMLElement): void {
  const stored = data.series[Number(row.dataset['series'])];
  const figure = element('any-series');
  if (!stored) return;
  const trace: ReportTrace = {
    key: 'any',
    label: '',
    owner: { kind: 'node', node: stored.node, colourSlot: 0 },
    colour: Number(row.dataset['colour']),
    dash: Number(row.dataset['dash']),
    isMain: false,
    look: 'line',
    inputs: [stored],
    combine: 'firstMeasured',
    factor: 1,
    onlyWhenMeasured: false,
    showFigure: false,
    extreme: 'highest',
  };
  const chart: DrawnChart = {
    id: 'custom:any',
    gapRings: false,
    isOfViewers: false,
    marks: [],
    panels: [
      {
        label: '',
        unit: '',
        weight: 1,
        traces: [trace],
        lines: [],
        scale: { low: 0, high: 0, fixed: false },
        headStyle: 'adaptive',
        tooltipStyle: 'adaptive',
      },
    ],
  };
  figure.hidden = false;
  const title = figure.querySelector('figcaption b');
  if (title) title.textContent = row.dataset['title'] ?? '';
  const known = cards.find((card) => card.figure === figure);
  if (known) known.chart = chart;
  else {
    const added = cardOf(figure, chart);
    cards.push(...added);
    added.forEach(listen);
  }
  for (const other of document.querySelectorAll('tr[data-series]')) other.classList.toggle('chosen', other === row);
  show(range);
}

cards.forEach(listen);
// Browsers omit `pointerleave` of a chart that was redrawn below the pointer.
document.addEventListener('pointermove', ({ target }) => {
  if (!(target instanceof Element && target.closest('svg.chart'))) hideCursor();
});
for (const row of document.querySelectorAll<HTMLElement>('tr[data-series]'))
  row.querySelector('button')?.addEventListener('click', () => showSeries(row));
window.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' || event.key === 'z') show(whole);
});
document.documentElement.classList.add('scripted');
const charts = document.querySelector('.charts');
if (charts) new ResizeObserver(() => show(range)).observe(charts);
