import { chartLayout, drawChart, plotLeft } from './draw.mjs';
import { decodeColumn, extremeOf, panelLines, valueAt } from './lines.mjs';
import { axisTime, figureText } from './scales.mjs';

/** Makes the charts of a report answer to the pointer; without it they stay the pictures that they are. */

const { document, window, ResizeObserver } = globalThis;
const data = JSON.parse(document.getElementById('data').textContent);
const columns = new Map();
const whole = { fromMs: data.fromMs, toMs: data.toMs };
/** As long as desktops wait for a second click. */
const doubleClickMs = 500;
/** A drag of fewer pixels is a click, a zoom to less than this shows no more. */
const leastDragPx = 5;
const leastSpanMs = 4000;
const height = 210;
let range = whole;
let cursorMs;
let dragFromMs;

function seriesOf(node, series) {
  const key = `${node}\n${series}`;
  const stored = data.series.find((each) => each.node === node && each.series === series);
  if (stored && !columns.has(key))
    columns.set(key, { ...decodeColumn(stored.data, stored.count), breaks: stored.breaks });
  return columns.get(key);
}

function cardOf(figure, chart) {
  return {
    figure,
    chart,
    svg: figure.querySelector('svg'),
    lines: chart.panels.map((panel) => panelLines(panel, seriesOf, data.stepMs)),
  };
}

const figures = [...document.querySelectorAll('figure[data-chart]')];
const cards = figures.map((figure) => cardOf(figure, data.charts[Number(figure.dataset.chart)]));

function draw(card) {
  const width = Math.max(200, card.svg.clientWidth);
  card.width = width;
  card.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  card.svg.innerHTML =
    drawChart(card.chart, card.lines, data, range, width, height) + '<g class="cursor"></g>';
}

function drawCursor(card) {
  const layout = chartLayout(card.chart, card.width, height, range);
  const parts = [];
  const x = (timeMs) => Math.min(layout.right, Math.max(plotLeft, layout.xOf(timeMs)));
  if (dragFromMs !== undefined && cursorMs !== undefined) {
    const left = Math.min(x(dragFromMs), x(cursorMs));
    const span = Math.abs(x(dragFromMs) - x(cursorMs));
    parts.push(`<rect class="drag" x="${left}" y="17" width="${span}" height="${layout.bottom - 17}"/>`);
  }
  if (cursorMs !== undefined) {
    const at = Math.round(x(cursorMs)) + 0.5;
    const text = axisTime(cursorMs);
    const chip = text.length * 6 + 10;
    const left = Math.min(layout.right - chip + 8, Math.max(plotLeft - 8, at - chip / 2));
    parts.push(
      `<path class="cross" d="M${at} 17V${layout.bottom}"/>`,
      `<rect class="chip" x="${left}" y="${height - 16}" width="${chip}" height="15" rx="3"/>`,
      `<text class="chip-text" x="${left + chip / 2}" y="${height - 5}">${text}</text>`,
    );
  }
  card.svg.querySelector('.cursor').innerHTML = parts.join('');
}

/** Figures in the head of a card: at the crosshair, or the most telling of the whole run. */
function drawFigures(card) {
  for (const slot of card.figure.querySelectorAll('[data-trace]')) {
    const panelIndex = Number(slot.dataset.panel);
    const panel = card.chart.panels[panelIndex];
    const trace = panel.traces.find((each) => each.key === slot.dataset.trace);
    const line = card.lines[panelIndex].get(trace.key);
    const value =
      line &&
      (cursorMs === undefined ? extremeOf(line, trace.extreme) : valueAt(line, cursorMs, data.coarseMs));
    slot.textContent = figureText(value, cursorMs === undefined ? panel.headStyle : panel.tooltipStyle);
  }
}

function drawCursors() {
  for (const card of cards) {
    drawCursor(card);
    drawFigures(card);
  }
  const note = document.getElementById('moment');
  note.textContent =
    cursorMs === undefined
      ? note.dataset.idle
      : `${axisTime(cursorMs)} · ${new Date(data.startMs + cursorMs).toISOString().slice(0, 19)}Z`;
}

function show(next) {
  range = next;
  cards.forEach(draw);
  drawCursors();
}

function timeAt(card, event) {
  const box = card.svg.getBoundingClientRect();
  const layout = chartLayout(card.chart, card.width, height, range);
  const time = layout.timeOf(((event.clientX - box.left) * card.width) / box.width);
  return Math.min(range.toMs, Math.max(range.fromMs, time));
}

function listen(card) {
  card.svg.addEventListener('pointermove', (event) => {
    cursorMs = timeAt(card, event);
    drawCursors();
  });
  card.svg.addEventListener('pointerleave', () => {
    if (dragFromMs !== undefined) return;
    cursorMs = undefined;
    drawCursors();
  });
  card.svg.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    card.svg.setPointerCapture(event.pointerId);
    dragFromMs = timeAt(card, event);
  });
  card.svg.addEventListener('pointerup', (event) => {
    const fromMs = dragFromMs;
    const toMs = timeAt(card, event);
    dragFromMs = undefined;
    if (fromMs === undefined) return;
    const layout = chartLayout(card.chart, card.width, height, range);
    const isDrag = Math.abs(layout.xOf(toMs) - layout.xOf(fromMs)) >= leastDragPx;
    if (isDrag && Math.abs(toMs - fromMs) >= leastSpanMs)
      show({ fromMs: Math.min(fromMs, toMs), toMs: Math.max(fromMs, toMs) });
    else drawCursors();
  });
  card.svg.addEventListener('pointercancel', () => {
    dragFromMs = undefined;
    drawCursors();
  });
  // Not `dblclick`: the crosshair is drawn anew between the two clicks, and the browser loses what stood under the first.
  let clickedAt = -Infinity;
  card.svg.addEventListener('pointerdown', (event) => {
    const isSecond = event.timeStamp - clickedAt < doubleClickMs;
    clickedAt = isSecond ? -Infinity : event.timeStamp;
    if (!isSecond) return;
    dragFromMs = undefined;
    show(whole);
  });
}

/** One more chart, of whichever series was chosen in the table. */
function showSeries(row) {
  const stored = data.series[Number(row.dataset.series)];
  const trace = {
    key: 'any',
    owner: { kind: 'node' },
    colour: row.dataset.colour,
    dash: row.dataset.dash,
    look: 'line',
    inputs: [stored],
    combine: 'firstMeasured',
    factor: 1,
    extreme: 'highest',
  };
  const scale = { low: 0, high: 0, fixed: false };
  const panel = {
    weight: 1,
    label: '',
    traces: [trace],
    lines: [],
    scale,
    headStyle: 'adaptive',
    tooltipStyle: 'adaptive',
  };
  const figure = document.getElementById('any-series');
  figure.hidden = false;
  figure.querySelector('figcaption b').textContent = row.dataset.title;
  const known = cards.findIndex((card) => card.figure === figure);
  const card = cardOf(figure, { id: 'any', panels: [panel], marks: [] });
  if (known >= 0) cards[known] = Object.assign(cards[known], card);
  else {
    cards.push(card);
    listen(card);
  }
  for (const other of document.querySelectorAll('tr[data-series]'))
    other.classList.toggle('chosen', other === row);
  show(range);
}

cards.forEach(listen);
for (const row of document.querySelectorAll('tr[data-series]'))
  row.querySelector('button').addEventListener('click', () => showSeries(row));
window.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' || event.key === 'z') show(whole);
});
document.documentElement.classList.add('scripted');
new ResizeObserver(() => show(range)).observe(document.querySelector('.charts'));
