import type { NodeView } from '../model/node';
import type { FailureGroup, TesterLimit } from '../model/run';
import type { Judged } from '../evidence/evidence';
import { hostValues, judgedValues } from '../evidence/evidenceValues';
import { isTesterCause } from '../failure/attribution';
import { testerSeries, type TesterFailure, type MonitoredTester } from './testerRules';
import { byTime, TesterLimitDetector } from './testerWatch';
import type { Values } from '../series/windows';

/** A limit affects viewer metrics for this long after it: the window of a degraded viewer, plus one to recover. */
const limitAftermathMs = 10_000;

/** A tester with the data for its rules, among the nodes of its run. */
export function monitoredTester(tester: NodeView, origins: readonly NodeView[]): MonitoredTester {
  const origin = origins.find(({ host }) => host === tester.host);
  return {
    id: tester.id,
    name: tester.name,
    cores: tester.machine?.cores,
    members: tester.group?.members,
    sharedWith: origin?.name,
  };
}

/** Viewers of a tester that failed due to the tester. */
export function failuresOfTester(tester: string, groups: readonly FailureGroup[]): TesterFailure[] {
  return groups
    .filter((group) => group.tester === tester && isTesterCause(group.cause))
    .map(({ cause, count, example }) => ({ cause, count, firstMs: example.timeMs }));
}

/** Intervals in which testers were at their own limit, from the samples of the judged time, plus immediate refusals. */
export function testerLimits(judged: Judged): TesterLimit[] {
  return [...(judged.refused ?? []), ...judged.testers.flatMap((tester) => limitsOf(judged, tester))].sort(byTime);
}

function limitsOf(judged: Judged, tester: NodeView): TesterLimit[] {
  const { view, time, origins } = judged;
  const watch = new TesterLimitDetector(monitoredTester(tester, origins), time.runStartMs);
  watch.takeFailures(failuresOfTester(tester.id, view.failures));
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

/** Passes on the samples up to a time; returns the index of the first one after it. */
function feed(
  watch: TesterLimitDetector,
  { series, timeMs, value, next }: Values & { series: (typeof testerSeries)[number]; next: number },
  untilMs: number,
): number {
  let place = next;
  for (; (timeMs[place] ?? Infinity) <= untilMs; place += 1) watch.take(series, timeMs[place] ?? 0, value[place] ?? 0);
  return place;
}

/** Whether viewer metrics of a tester over the time until `toMs` may be caused by the tester. */
export function isLimited(
  limits: readonly TesterLimit[],
  tester: string,
  fromMs: number,
  toMs: number,
  aftermathMs = limitAftermathMs,
): boolean {
  return limits.some(
    (limit) =>
      limit.node === tester && limit.fromMs <= toMs && (limit.toMs === undefined || limit.toMs + aftermathMs >= fromMs),
  );
}

/** When the last limit of any tester was over; Infinity while one lasts, -Infinity without one. */
export function limitsOverMs(limits: readonly TesterLimit[]): number {
  return Math.max(-Infinity, ...limits.map(({ toMs = Infinity }) => toMs));
}
