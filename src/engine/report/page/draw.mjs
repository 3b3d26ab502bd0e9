import { axisTime, scaleRange, tickText, timeTicks } from './scales.mjs';

/** Draws a chart as SVG; see `lines.mjs` for where this runs. Colours come from the page's style by class, so one picture has both themes. */

/** The same left edge in every chart, so that time stands exactly under time. */
export const plotLeft = 38;
const plotRightAir = 8;
const laneTop = 2;
const laneHeight = 11;
const plotTop = laneTop + laneHeight + 4;
const axisHeight = 18;
const panelAir = 14;
/** Mean width of a letter at 10 px. */
const letterPx = 5.6;

const fixed = (value) => Number(value.toFixed(1));
const escaped = (text) => String(text).replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** How a chart lies on its picture: pixels per time, and the panels under each other. */
export function chartLayout(chart, width, height, range) {
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
    right,
    bottom,
    panels,
    xOf: (timeMs) => plotLeft + (timeMs - range.fromMs) * perMs,
    timeOf: (x) => range.fromMs + (x - plotLeft) / perMs,
  };
}

/** The least and greatest value of a panel's lines within a range. */
function extent(lines, range) {
  let lowest = Infinity;
  let highest = -Infinity;
  for (const { t, v } of lines.values())
    for (let i = 0; i < t.length; i += 1) {
      if (t[i] < range.fromMs || t[i] > range.toMs || Number.isNaN(v[i])) continue;
      lowest = Math.min(lowest, v[i]);
      highest = Math.max(highest, v[i]);
    }
  return { lowest, highest };
}

/** At most the first, lowest, highest and last value of each pixel column: what a screen can show of a line. */
function reduced({ t, v, base }, range, xOf) {
  const points = [];
  let column = [];
  const close = () => {
    if (column.length > 4) {
      const byValue = [...column].sort((a, b) => a.value - b.value);
      const kept = new Set([column[0], byValue[0], byValue[byValue.length - 1], column[column.length - 1]]);
      column = column.filter((point) => kept.has(point));
    }
    points.push(...column);
    column = [];
  };
  for (let i = 0; i < t.length; i += 1) {
    const isNear = (t[i + 1] ?? t[i]) >= range.fromMs && (t[i - 1] ?? t[i]) <= range.toMs;
    if (!isNear) continue;
    const x = xOf(t[i]);
    if (Number.isNaN(v[i])) {
      close();
      points.push(undefined);
      continue;
    }
    if (column.length > 0 && Math.floor(x) !== Math.floor(column[0].x)) close();
    column.push({ x, value: v[i], base: base?.[i] ?? 0 });
  }
  close();
  return points;
}

/** Splits points where the line is broken. */
function pieces(points) {
  const all = [[]];
  for (const point of points) {
    if (point) all[all.length - 1].push(point);
    else all.push([]);
  }
  return all.filter((piece) => piece.length > 0);
}

/** Where a node did not answer, the line ends and starts in a small ring. */
function rings(parts, yOf, colour) {
  const ends = parts.slice(1).flatMap((piece, i) => [parts[i][parts[i].length - 1], piece[0]]);
  return ends
    .map(
      ({ x, value }) => `<circle class="ring ${colour}" cx="${fixed(x)}" cy="${fixed(yOf(value))}" r="2.5"/>`,
    )
    .join('');
}

function drawTrace(trace, line, range, layout, yOf, withRings) {
  const colour = trace.owner.kind === 'node' ? `k${trace.colour} d${trace.dash}` : trace.owner.kind;
  const parts = pieces(reduced(line, range, layout.xOf));
  const at = ({ x, value }) => `${fixed(x)} ${fixed(yOf(value))}`;
  if (trace.look === 'dots')
    return parts
      .flat()
      .map(
        ({ x, value }) => `<circle class="dot ${colour}" cx="${fixed(x)}" cy="${fixed(yOf(value))}" r="1"/>`,
      )
      .join('');
  const edge = parts.map((piece) => `M${piece.map(at).join('L')}${piece.length === 1 ? 'h.1' : ''}`).join('');
  const ends = withRings && trace.owner.kind === 'node' ? rings(parts, yOf, `k${trace.colour}`) : '';
  const path = `<path class="line ${trace.look} ${colour}${trace.isMain ? ' main' : ''}" d="${edge}"/>${ends}`;
  if (trace.look !== 'stack' && trace.look !== 'area') return path;
  const ground = parts
    .map((piece) => {
      const back = [...piece].reverse().map(({ x, base }) => `${fixed(x)} ${fixed(yOf(base))}`);
      return `M${piece.map(at).join('L')}L${back.join('L')}Z`;
    })
    .join('');
  return `<path class="ground ${trace.look} ${colour}" d="${ground}"/>${path}`;
}

/** Text over a patch of the ground, so that lines under it do not strike it through. */
function patched(text, x, middle, name) {
  const width = fixed(text.length * letterPx + 6);
  return (
    `<rect class="patch" x="${fixed(x - 3)}" y="${fixed(middle - 6)}" width="${width}" height="12"/>` +
    `<text class="${name}" x="${fixed(x)}" y="${fixed(middle + 3.5)}">${escaped(text)}</text>`
  );
}

function drawPanel(chart, index, lines, range, layout) {
  const panel = chart.panels[index];
  const { top, bottom } = layout.panels[index];
  const { lowest, highest } = extent(lines, range);
  const { low, high } = scaleRange(panel.scale, lowest, highest);
  const yOf = (value) => bottom - ((value - low) / (high - low)) * (bottom - top);
  const middle = Number(((low + high) / 2).toPrecision(6));
  const ticks = [low, middle, high]
    .map((tick) => {
      const y = Math.round(yOf(tick)) + 0.5;
      const text = tickText(tick, (high - low) / 2);
      return `<path class="grid" d="M${plotLeft} ${y}H${layout.right}"/><text class="tick y" x="${plotLeft - 5}" y="${y + 3}">${text}</text>`;
    })
    .join('');
  const references = panel.lines
    .filter(({ value }) => value >= low && value <= high)
    .map(({ kind, value, label, labelled }) => {
      const y = Math.round(yOf(value)) + 0.5;
      const above = labelled === 'below' ? y + 14 > bottom : y - 14 >= top;
      return `<path class="${kind}" d="M${plotLeft} ${y}H${layout.right}"/>${patched(label, plotLeft + 4, above ? y - 8 : y + 8, `name ${kind}`)}`;
    })
    .join('');
  // The origin is drawn last, on top.
  const traces = [...panel.traces].sort((a, b) => Number(a.isMain) - Number(b.isMain));
  const drawn = traces
    .filter((trace) => lines.has(trace.key))
    .map((trace) => drawTrace(trace, lines.get(trace.key), range, layout, yOf, chart.gapRings))
    .join('');
  const isEmpty = ![...lines.values()].some(({ v }) => v.some((value) => !Number.isNaN(value)));
  const nothing = isEmpty
    ? `<text class="none" x="${fixed((plotLeft + layout.right) / 2)}" y="${fixed((top + bottom) / 2 + 3)}">no data</text>`
    : '';
  const label = panel.label ? patched(panel.label, plotLeft + 4, top + 3, 'name quiet') : '';
  const clip = `${chart.id}-${index}`;
  return (
    `<clipPath id="${clip}"><rect x="${plotLeft}" y="${fixed(top - 2)}" width="${fixed(layout.right - plotLeft)}" height="${fixed(bottom - top + 3)}"/></clipPath>` +
    `${ticks}<g clip-path="url(#${clip})">${drawn}</g>${references}${label}${nothing}`
  );
}

/** Phases that can be seen, with their place on the axis; their ends may lie outside. */
function placedPhases(phases, layout) {
  return phases
    .map(({ name, fromMs, toMs }) => ({ name, from: layout.xOf(fromMs), to: layout.xOf(toMs) }))
    .filter(
      ({ name, from, to }) => name !== 'prepare' && to - from >= 1 && to > plotLeft && from < layout.right,
    );
}

/** The plan as a profile in the lane, and ramps shaded over the plot. */
function drawPhases(phases, layout, clip) {
  const bottom = laneTop + laneHeight;
  const drawn = placedPhases(phases, layout)
    .map(({ name, from, to }) => {
      const left = name === 'ramp' || name === 'baseline' ? bottom - 1 : laneTop;
      const right = name === 'drain' || name === 'baseline' ? bottom - 1 : laneTop;
      const shade = `<rect class="ramp" x="${fixed(from)}" y="${plotTop}" width="${fixed(to - from)}" height="${layout.bottom - plotTop}"/>`;
      const profile = `<path class="phase" d="M${fixed(from)} ${bottom}V${left}L${fixed(to - 1)} ${right}V${bottom}Z"/>`;
      return (name === 'ramp' ? shade : '') + profile;
    })
    .join('');
  const ground = `<rect x="${plotLeft}" y="0" width="${fixed(layout.right - plotLeft)}" height="${layout.bottom}"/>`;
  return `<clipPath id="${clip}">${ground}</clipPath><g clip-path="url(#${clip})">${drawn}</g>`;
}

function drawPhaseNames(phases, layout) {
  return placedPhases(phases, layout)
    .map(({ name, from, to }) => ({ name, from: Math.max(plotLeft, from), to: Math.min(layout.right, to) }))
    .filter(({ name, from, to }) => to - from > name.length * letterPx + 8)
    .map(({ name, from }) => patched(name, from + 4, plotTop + 10, 'name quiet'))
    .join('');
}

/** Stretches in which a tester was at its own limit: a bar on top and a hatch, over charts made by viewers only. */
function drawLimited(chart, limited, layout) {
  const placed = limited
    .map(({ fromMs, toMs }) => ({
      from: Math.max(plotLeft, layout.xOf(fromMs)),
      to: Math.min(layout.right, layout.xOf(toMs)),
    }))
    .filter(({ from, to }) => chart.madeByViewers && to > from);
  if (placed.length === 0) return '';
  const hatch = `hatch-${chart.id}`;
  const drawn = placed
    .map(({ from, to }) => {
      const across = `x="${fixed(from)}" y="${plotTop}" width="${fixed(to - from)}"`;
      return `<rect ${across} height="${layout.bottom - plotTop}" fill="url(#${hatch})"/><rect class="limited" ${across} height="1.5"/>`;
    })
    .join('');
  const pattern = `<pattern id="${hatch}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch" d="M0 0V6"/></pattern>`;
  return `${pattern}<g><title>tester-limited</title>${drawn}</g>`;
}

const shapes = {
  limit: (x, y) => `<path class="mark-wa" d="M${x} ${y - 4.5}L${x + 5} ${y + 4}H${x - 5}Z"/>`,
  degraded: (x, y) => `<path class="mark-wa" d="M${x} ${y - 5}L${x + 5} ${y}L${x} ${y + 5}L${x - 5} ${y}Z"/>`,
  lost: (x, y, colour) =>
    `<path class="mark-line ${colour}" d="M${x - 4} ${y - 4}l8 8M${x + 4} ${y - 4}l-8 8"/>`,
  back: (x, y, colour) => `<circle class="mark-line ${colour}" cx="${x}" cy="${y}" r="4"/>`,
  note: (x, y) => `<rect class="mark-note" x="${x - 3.5}" y="${y - 3.5}" width="7" height="7"/>`,
};

/** Marks nearer than 10 px become one with a count, a reason before others; reasons stand side by side, since each must be found. */
function groupMarks(marks, layout) {
  const groups = [];
  for (const mark of marks) {
    const x = fixed(layout.xOf(mark.timeMs));
    const last = groups[groups.length - 1];
    const isReason = mark.kind === 'reason';
    if (last && isReason && last.mark.kind === 'reason' && x - last.at < 14)
      groups.push({ x, at: last.at + 14, mark, count: 1 });
    else if (last && x - last.at < 10) {
      last.count += 1;
      if (isReason) Object.assign(last, { x, at: x, mark });
    } else groups.push({ x, at: x, mark, count: 1 });
  }
  return groups;
}

/** The marks in the lane, with a line that falls from each. */
function drawMarks(marks, range, layout) {
  const visible = marks.filter(({ timeMs }) => timeMs >= range.fromMs && timeMs <= range.toMs);
  const y = laneTop + laneHeight / 2;
  return groupMarks(visible, layout)
    .map(({ x, at, mark, count }) => {
      const colour = mark.colour ? `k${mark.colour}` : 'neutral';
      const isReason = mark.kind === 'reason';
      const tone = isReason ? 'fa' : ['limit', 'degraded'].includes(mark.kind) ? 'wa' : '';
      const shape = isReason
        ? `<circle class="mark-fa" cx="${at}" cy="${y + 0.5}" r="6.5"/><text class="reason" x="${at}" y="${y + 4}">${mark.number}</text>`
        : shapes[mark.kind](x, y, colour);
      const more =
        count > 1 && !isReason ? `<text class="tick" x="${x + 6}" y="${y + 3.5}">${count}</text>` : '';
      return `<path class="fall ${tone}" d="M${x} ${plotTop}V${layout.bottom}"/><g>${shape}${more}<title>${escaped(mark.text)}</title></g>`;
    })
    .join('');
}

/** What is inside the `svg` of a chart. `lines` holds the lines of each panel by key; `scene` has phases and stretches. */
export function drawChart(chart, lines, scene, range, width, height) {
  const layout = chartLayout(chart, width, height, range);
  const ticks = timeTicks(range.fromMs, range.toMs, layout.right - plotLeft)
    .map((tick) => {
      const x = fixed(layout.xOf(tick));
      const text = axisTime(tick);
      const middle = fixed(Math.min(x, width - (text.length * letterPx) / 2 - 2));
      return `<path class="grid" d="M${x} ${plotTop}V${layout.bottom}"/><text class="tick x" x="${middle}" y="${height - 5}">${text}</text>`;
    })
    .join('');
  const panels = chart.panels.map((_, i) => drawPanel(chart, i, lines[i], range, layout)).join('');
  const names = chart.id === 'viewers' ? drawPhaseNames(scene.phases, layout) : '';
  return (
    ticks +
    drawPhases(scene.phases, layout, `${chart.id}-plan`) +
    panels +
    drawLimited(chart, scene.limited, layout) +
    names +
    drawMarks(chart.marks, range, layout)
  );
}
