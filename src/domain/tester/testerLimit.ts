import type { NodeView } from '../node';
import type { FailureGroup, TesterLimit } from '../run';
import type { Judged } from '../verdict/judged';
import { hostValues, judgedValues } from '../verdict/judgedValues';
import { isTestersFault, testerSeries, type FailedHere, type WatchedTester } from './testerRules';
import { byTime, TesterWatch } from './testerWatch';
import type { Values } from '../windows';

/** What viewers suffered in a stretch shows in their figures for this long after it: the window of a degraded viewer, and one to recover. */
const aftermathMs = 10_000;

/** A tester as its rules have to know it, among the nodes of its run. */
export function watchedTester(tester: NodeView, origins: readonly NodeView[]): WatchedTester {
  const origin = origins.find(({ host }) => host === tester.host);
  return { id: tester.id, name: tester.name, cores: tester.machine?.cores, sharedWith: origin?.name };
}

/** Viewers of a tester that failed by its own fault. */
export function failedHere(tester: string, groups: readonly FailureGroup[]): FailedHere[] {
  return groups
    .filter((group) => group.tester === tester && isTestersFault(group.cause))
    .map(({ cause, count, example }) => ({ cause, count, firstMs: example.timeMs }));
}

/** Stretches in which testers were at their own limit, from the samples of the judged time; what a tester refused at once is of the run. */
export function testerLimits(judged: Judged): TesterLimit[] {
  return [...(judged.refused ?? []), ...judged.testers.flatMap((tester) => limitsOf(judged, tester))].sort(
    byTime,
  );
}

function limitsOf(judged: Judged, tester: NodeView): TesterLimit[] {
  const { view, time, origins } = judged;
  const watch = new TesterWatch(watchedTester(tester, origins), time.runStartMs);
  watch.takeFailures(failedHere(tester.id, view.failures));
  const columns = testerSeries.map((series) => ({
    series,
    next: 0,
    ...(series === 'cpuPercent' || series === 'udpReceiveBufferErrorsPerSecond'
      ? hostValues(judged, tester, series)
      : judgedValues(judged, tester.id, series)),
  }));
  for (let nowMs = time.fromMs; ; nowMs = Math.min(nowMs + 1000, time.toMs)) {
    for (const column of columns) column.next = feed(watch, column, nowMs);
    watch.look(nowMs);
    if (nowMs >= time.toMs) return watch.limits;
  }
}

/** Gives the samples up to a moment; returns the place of the first one after it. */
function feed(
  watch: TesterWatch,
  { series, timeMs, value, next }: Values & { series: (typeof testerSeries)[number]; next: number },
  untilMs: number,
): number {
  let place = next;
  for (; (timeMs[place] ?? Infinity) <= untilMs; place += 1)
    watch.take(series, timeMs[place] ?? 0, value[place] ?? 0);
  return place;
}

/** Whether what a tester's viewers showed over the time until `toMs` may be its own doing. */
export function isLimited(
  limits: readonly TesterLimit[],
  tester: string,
  fromMs: number,
  toMs: number,
): boolean {
  return limits.some(
    (limit) =>
      limit.node === tester &&
      limit.fromMs <= toMs &&
      (limit.toMs === undefined || limit.toMs + aftermathMs >= fromMs),
  );
}

/** When the last stretch of any tester was over, its aftermath included; Infinity while one lasts. */
export function limitsOverMs(limits: readonly TesterLimit[]): number {
  return Math.max(...limits.map(({ toMs }) => (toMs === undefined ? Infinity : toMs + aftermathMs)));
}
