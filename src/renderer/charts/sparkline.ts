import { gapSteps } from '../../domain/series/gap';
import type { Column } from './column';

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
  /** Position of the last sample; absent without samples. */
  readonly end?: { readonly x: number; readonly y: number };
}

/** A column as a sparkline: the maximum per pixel, so no spike is lost. */
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
