import type { Column } from '../charts/column';

/** Samples further apart than this many steps are a gap, drawn as nothing. */
const gapSteps = 2.5;

export interface SparkBox {
  readonly width: number;
  readonly height: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Value at the top edge; 0 is at the bottom. */
  readonly top: number;
}

export interface Spark {
  /** An SVG path, broken at gaps. */
  readonly path: string;
  /** Where the last sample stands; absent when there is none. */
  readonly end?: { readonly x: number; readonly y: number };
}

/** A column as a small line: at most the highest sample of each pixel, so that a spike is not lost. */
export function sparkline(column: Column | undefined, factor: number, box: SparkBox): Spark {
  if (!column || box.toMs <= box.fromMs) return { path: '' };
  const msPerPixel = (box.toMs - box.fromMs) / box.width;
  let path = '';
  let end: Spark['end'];
  let lastMs = Number.NEGATIVE_INFINITY;
  let at = column.indexAt(box.fromMs - 1) + 1;
  while (at < column.length && column.timeAt(at) <= box.toMs) {
    const timeMs = column.timeAt(at);
    let value = column.valueAt(at);
    for (at += 1; at < column.length && column.timeAt(at) < timeMs + msPerPixel; at += 1)
      value = Math.max(value, column.valueAt(at));
    const x = (timeMs - box.fromMs) / msPerPixel;
    const y = box.height * (1 - Math.min(1, Math.max(0, (value * factor) / box.top)));
    path += `${timeMs - lastMs > Math.max(gapSteps * column.stepMs, 2 * msPerPixel) ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
    end = { x, y };
    lastMs = timeMs;
  }
  return { path, end };
}
