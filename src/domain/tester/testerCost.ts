import { sharingHost } from '../host';
import type { NodeView } from '../node';
import type { SeriesId } from '../series';

/** A burden of a tester and the viewers that it had, oldest first; the two are sampled each at their own moments. */
export interface Measured {
  /** `cpu`: of all cores; `reader`: of the one thread that reads for all viewers. */
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

/** What a share of viewers would cost a tester, as its samples before its limit tell. */
export interface TesterCost {
  readonly tester: NodeView;
  readonly what: Measured['what'];
  /** At the share; extrapolated. */
  readonly percent: number;
  /** Most viewers that the samples reach to. */
  readonly viewers: number;
}

/**
 * The series that tells what CPU a tester's viewers cost, and the factor that makes it percent of all cores: of its machine, or of
 * its own process where an origin on the same machine is busy too.
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

/** Fewer samples than these are no line. */
const leastSamples = 5;
/** Part of its variance that a line must explain: below, it went up and down for other reasons than viewers. */
const leastExplained = 0.6;
/** The samples must reach over this part of what they are asked about: who has seen 10 viewers knows nothing of 500. */
const leastReach = 0.4;
const togetherMs = 2000;

/**
 * The burden at a share of viewers on the straight line through the samples until the tester was at its limit: at the limit it shows what
 * it had, not what it needed. Undefined where they make no line.
 */
export function costOf(
  tester: NodeView,
  { what, burden, factor, viewers }: Measured,
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
  if (!line || most < leastReach * share) return undefined;
  return { tester, what, percent: line.at(share), viewers: most };
}

/** The line of least squares; undefined where it does not rise, or explains too little. */
function fit(points: readonly { x: number; y: number }[]): { at: (x: number) => number } | undefined {
  const count = points.length;
  if (count < leastSamples) return undefined;
  const mean = (pick: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + pick(point), 0) / count;
  const [meanX, meanY] = [mean(({ x }) => x), mean(({ y }) => y)];
  const xx = mean(({ x }) => (x - meanX) ** 2);
  const yy = mean(({ y }) => (y - meanY) ** 2);
  const xy = mean(({ x, y }) => (x - meanX) * (y - meanY));
  if (xx === 0 || yy === 0 || xy <= 0 || xy ** 2 / (xx * yy) < leastExplained) return undefined;
  return { at: (x) => Math.max(0, meanY + (xy / xx) * (x - meanX)) };
}
