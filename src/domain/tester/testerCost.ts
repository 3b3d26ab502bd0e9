import { sharingHost } from '../model/host';
import type { NodeView } from '../model/node';
import type { SeriesId } from '../series/series';

/** CPU of a tester and its viewers, oldest first; both have their own timestamps. */
export interface MeasuredLoad {
  /** `cpu`: of all cores; `reader`: of the single thread that reads for all viewers. */
  readonly what: 'cpu' | 'reader';
  readonly burden: Column;
  /** From the series' unit to percent. */
  readonly factor: number;
  readonly viewers: Column;
}

interface Column {
  readonly length: number;
  readonly timesMs: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** Estimated cost of a share of viewers on a tester, from the samples before its limit. */
export interface TesterCost {
  readonly tester: NodeView;
  readonly what: MeasuredLoad['what'];
  /** At that share; extrapolated. */
  readonly percent: number;
  /** Maximum viewers in the samples. */
  readonly viewers: number;
}

/**
 * The series of the CPU used by a tester's viewers, and the factor to percent of all cores: of its machine, or of its
 * own process if an origin runs on the same machine.
 */
export function cpuBurden(
  tester: NodeView,
  nodes: readonly NodeView[],
): { readonly series: SeriesId; readonly factor: number } {
  const shared = sharingHost(tester, nodes);
  if (!shared.some(({ role }) => role === 'origin')) return { series: 'cpuPercent', factor: 1 };
  const cores = [tester, ...shared].find(({ machine }) => machine)?.machine?.cores ?? 1;
  return { series: 'processCpuPercent', factor: 1 / cores };
}

/** Minimum number of samples for a line. */
const minSamples = 5;
/** Minimum share of the variance that a line must explain; below, the CPU varied for other reasons. */
const minExplained = 0.6;
/** The samples must cover this share of the requested size: 10 viewers say nothing about 500. */
const minReach = 0.4;
const togetherMs = 2000;

/**
 * The CPU at a share of viewers, on the straight line through the samples before the tester's limit: at the limit they
 * show the available CPU, not the required one. Undefined if they make no line.
 */
export function costOf(
  tester: NodeView,
  { what, burden, factor, viewers }: MeasuredLoad,
  untilMs: number,
  share: number,
): TesterCost | undefined {
  const points: { x: number; y: number }[] = [];
  let at = 0;
  for (let index = 0; index < burden.length; index += 1) {
    const timeMs = burden.timesMs[index] ?? Infinity;
    if (timeMs > untilMs) break;
    while (at + 1 < viewers.length && (viewers.timesMs[at + 1] ?? Infinity) <= timeMs) at += 1;
    const x = viewers.values[at] ?? 0;
    const isTogether = Math.abs(timeMs - (viewers.timesMs[at] ?? -Infinity)) <= togetherMs;
    if (isTogether && x > 0) points.push({ x, y: (burden.values[index] ?? 0) * factor });
  }
  const line = fit(points);
  const most = Math.max(0, ...points.map(({ x }) => x));
  if (!line || most < minReach * share) return undefined;
  return { tester, what, percent: line.at(share), viewers: most };
}

/** The least squares line; undefined if it does not rise, or explains too little. */
function fit(points: readonly { x: number; y: number }[]): { at: (x: number) => number } | undefined {
  const count = points.length;
  if (count < minSamples) return undefined;
  const mean = (pick: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + pick(point), 0) / count;
  const [meanX, meanY] = [mean(({ x }) => x), mean(({ y }) => y)];
  const xx = mean(({ x }) => (x - meanX) ** 2);
  const yy = mean(({ y }) => (y - meanY) ** 2);
  const xy = mean(({ x, y }) => (x - meanX) * (y - meanY));
  if (xx === 0 || yy === 0 || xy <= 0 || xy ** 2 / (xx * yy) < minExplained) return undefined;
  return { at: (x) => Math.max(0, meanY + (xy / xx) * (x - meanX)) };
}
