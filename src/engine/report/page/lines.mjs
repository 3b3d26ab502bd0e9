/**
 * From the series inside a report to the lines of its charts. Runs in Node when the report is written and in the page when
 * it is read: the files of this folder are put into the page as they are, without their imports and exports.
 * Times are ms since the start of the run; NaN breaks a line.
 */

/** Between two samples of a series, where the run does not say. */
const usualStepMs = 1000;
/** A longer silence than this many steps between two samples is a gap. */
const gapSteps = 2.5;

/** Decodes a column as `store/block.ts` writes it. */
export function decodeColumn(base64, count) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const floats = new DataView(bytes.buffer);
  let offset = 0;
  const unsigned = () => {
    let value = 0;
    for (let place = 1; ; place *= 0x80) {
      const byte = bytes[offset++];
      value += (byte & 0x7f) * place;
      if (byte < 0x80) return value;
    }
  };
  const signed = () => {
    const value = unsigned();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  };
  const t = new Float64Array(count);
  const v = new Float64Array(count);
  for (let i = 0, last = 0, step = 0; i < count; i += 1) {
    step += signed();
    last += step;
    t[i] = last;
  }
  const scale = unsigned();
  for (let i = 0, sum = 0; i < count; i += 1) {
    if (scale === 0) {
      v[i] = floats.getFloat64(offset, true);
      offset += 8;
    } else {
      sum += signed();
      v[i] = sum / scale;
    }
  }
  return { t, v };
}

/** Place of the last sample that is not after a time; -1 before the first. */
export function indexAt(t, timeMs) {
  let low = 0;
  let high = t.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (t[middle] > timeMs) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

/**
 * Whether a series was silent before a sample. An overview has of each step the lowest and the highest sample only, and says itself
 * before which of them it was silent.
 */
function isSilentBefore(column, at, stepMs) {
  if (!column.breaks) return column.t[at] - column.t[at - 1] > gapSteps * stepMs;
  column.silentBefore ??= new Set(column.breaks);
  return column.silentBefore.has(at);
}

/** Value at a moment of the grid, on the way to the next sample: a number, `unknown` within a gap, or undefined before the first and after a last 0. */
function heldValue(column, timeMs, gridMs) {
  const { t, v } = column;
  const at = indexAt(t, timeMs);
  if (at < 0) return undefined;
  if (at + 1 < t.length && !isSilentBefore(column, at + 1, gridMs))
    return v[at] + ((v[at + 1] - v[at]) * (timeMs - t[at])) / (t[at + 1] - t[at]);
  if (timeMs - t[at] < gridMs) return v[at];
  return at + 1 === t.length && v[at] === 0 ? undefined : 'unknown';
}

/** Moments in step with the column that begins first; of overviews those of all their samples, so that none is lost. */
function gridTimes(columns, gridMs) {
  if (columns.some(({ breaks }) => breaks))
    return [...new Set(columns.flatMap(({ t }) => [...t]))].sort((a, b) => a - b);
  const first = Math.min(...columns.map(({ t }) => t[0]));
  const last = Math.max(...columns.map(({ t }) => t[t.length - 1]));
  const count = Math.floor((last + gridMs / 2 - first) / gridMs) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => first + i * gridMs);
}

/** A sum is unknown while one of its parts is; the highest is that of those which are known. */
function combined(columns, how, gridMs) {
  const t = gridTimes(columns, gridMs);
  const v = t.map((timeMs) => {
    const values = columns
      .map((column) => heldValue(column, timeMs, gridMs))
      .filter((value) => value !== undefined);
    const known = values.filter((value) => value !== 'unknown');
    if (known.length === 0 || (how === 'sum' && known.length < values.length)) return NaN;
    return how === 'sum' ? known.reduce((sum, value) => sum + value, 0) : Math.max(...known);
  });
  return columns.some(({ breaks }) => breaks) ? { t, v, breaks: [] } : { t, v };
}

/** Where the node was sampled and this series was not, nothing happened: a measured 0. */
function withZeroes(column, answers, gridMs) {
  const v = Array.from(answers.t, (timeMs) => {
    const at = indexAt(column.t, timeMs + gridMs / 2);
    return at >= 0 && column.t[at] > timeMs - gridMs / 2 ? column.v[at] : 0;
  });
  return { t: answers.t, v };
}

/** Puts a break where samples are missing, and values into the unit that is shown. */
function withGaps(line, factor, stepMs) {
  const { t, v } = line;
  const out = { t: [], v: [] };
  for (let i = 0; i < t.length; i += 1) {
    if (i > 0 && isSilentBefore(line, i, stepMs)) {
      out.t.push(t[i - 1] + 1);
      out.v.push(NaN);
    }
    out.t.push(t[i]);
    out.v.push(v[i] * factor);
  }
  return out;
}

/** The line of a trace; undefined when nothing of it was measured. `seriesOf(node, series)` gives a decoded column. */
export function traceLine(trace, seriesOf, stepMs = usualStepMs) {
  const columns = trace.inputs.map((input) => seriesOf(input.node, input.series)).filter((column) => column);
  if (columns.length === 0) return undefined;
  const answers = trace.zeroWhere && seriesOf(trace.zeroWhere.node, trace.zeroWhere.series);
  const joint = trace.combine !== 'firstMeasured' && columns.length > 1;
  const isOverview = columns[0].breaks !== undefined;
  // An overview has its zeroes already, and the sums of all testers beside it.
  const sums =
    isOverview && joint && trace.combine === 'sum' ? seriesOf('*', trace.inputs[0].series) : undefined;
  if (sums) return withGaps(sums, trace.factor, stepMs);
  const line =
    answers && !isOverview
      ? withZeroes(columns[0], answers, stepMs)
      : joint
        ? combined(columns, trace.combine, stepMs)
        : columns[0];
  return withGaps(line, trace.factor, stepMs);
}

/** The lines of a panel by key. Traces on top of each other get a `base` to stand on, on a grid of whole seconds. */
export function panelLines(panel, seriesOf, stepMs = usualStepMs) {
  const lines = new Map();
  for (const trace of panel.traces) {
    const line = traceLine(trace, seriesOf, stepMs);
    if (line) lines.set(trace.key, line);
  }
  const stacked = panel.traces.filter((trace) => trace.look === 'stack' && lines.has(trace.key));
  // Only one on top of another needs values of the same moments.
  if (stacked.length < 2) return lines;
  const columns = stacked.map((trace) => seriesOf(trace.inputs[0].node, trace.inputs[0].series));
  const t = columns.length > 0 ? gridTimes(columns, stepMs) : [];
  let floor = t.map(() => 0);
  stacked.forEach((trace, i) => {
    const base = floor;
    const held = t.map((timeMs) => heldValue(columns[i], timeMs, stepMs));
    floor = base.map((below, at) => (held[at] === undefined ? below : below + Number(held[at])));
    const isOpen = (at) => typeof held[at] === 'number' && !Number.isNaN(base[at]);
    lines.set(trace.key, {
      own: lines.get(trace.key),
      t,
      v: floor.map((top, at) => (isOpen(at) ? top : NaN)),
      base: base.map((below, at) => (isOpen(at) ? below : NaN)),
    });
  });
  return lines;
}

/** The value of a line at a moment; undefined where there is none near. */
export function valueAt(line, timeMs, coarseMs = 0) {
  const own = line.own ?? line;
  const before = indexAt(own.t, timeMs);
  const near = [before, before + 1]
    .filter((at) => at >= 0 && at < own.t.length && !Number.isNaN(own.v[at]))
    .map((at) => ({ at, away: Math.abs(own.t[at] - timeMs) }))
    .sort((a, b) => a.away - b.away)[0];
  return near && near.away <= Math.max(1250, coarseMs) ? own.v[near.at] : undefined;
}

/** The highest or lowest value of a line. */
export function extremeOf(line, extreme) {
  const values = (line.own ?? line).v.filter((value) => !Number.isNaN(value));
  if (values.length === 0) return undefined;
  return values.reduce((a, b) => (extreme === 'lowest' ? Math.min(a, b) : Math.max(a, b)));
}
