import { describeExpectation } from './expectationText';
import type { NodeView, ServerFamily } from './node';
import { formatFigure } from './numberFormat';
import type { Expectation, ExpectationId } from './plan';
import type { SeriesId } from './series';
import { formatRunTime } from './timeFormat';
import type { Finding, Judged } from './judged';
import { Stretches, windowEnds, type Values } from './windows';

/** A spike of a second hurts nobody; what lasts five does. */
export const windowMs = 5000;
/** Fewer samples than this in a window say too little. */
const leastInWindow = 3;
/** While the house fills, one viewer is a large share of the few that are in: the share is taken of at least this part of all. */
const leastShareOfRequested = 0.1;
/** Viewers begin to leave as the hold ends; who was in shortly before it counts. */
const endOfHoldMs = 3000;

export const count = (value: number): string => formatFigure(value, 'integer');
export const figure = (value: number): string => formatFigure(value, 'tenths').replace(/\.0$/, '');
export const viewers = (value: number): string => `${count(value)} viewer${value === 1 ? '' : 's'}`;

/** The run's time of a moment. */
export function at({ time }: Judged, timeMs: number): string {
  return formatRunTime(timeMs - time.runStartMs);
}

function expected(id: ExpectationId, expectation: Expectation): string {
  return `expected ${describeExpectation(id, expectation)}`;
}

function isMet({ comparison, value }: Expectation, measured: number): boolean {
  return comparison === '>=' ? measured >= value : measured <= value;
}

/** Samples from the first arrival to the end of the hold. */
export function judgedValues({ values, time }: Judged, node: string, series: SeriesId): Values {
  const { timeMs, value } = values(node, series);
  const within = timeMs.map((each) => each >= time.fromMs && each <= time.toMs);
  return { timeMs: timeMs.filter((_, i) => within[i]), value: value.filter((_, i) => within[i]) };
}

/** Figures of a host, which may have been sampled under the name of another node on it. */
export function hostValues(judged: Judged, node: NodeView, series: SeriesId): Values {
  const own = judgedValues(judged, node.id, series);
  if (own.timeMs.length > 0) return own;
  const others = judged.view.nodes.filter((other) => other.host === node.host && other.id !== node.id);
  const found = others.map((other) => judgedValues(judged, other.id, series));
  return found.find((each) => each.timeMs.length > 0) ?? own;
}

function missing(judged: Judged, id: ExpectationId, expectation: Expectation, sentence: string): Finding {
  return {
    result: 'missing',
    expectation: id,
    sentence,
    expected: expected(id, expectation),
    timeMs: judged.time.fromMs,
    madeByViewers: false,
  };
}

/** All viewers connected at one moment, over the last samples of each tester before it. */
function connectedAt(judged: Judged, timeMs: number): number {
  return judged.testers
    .map(({ id }) => {
      const { timeMs: times, value } = judgedValues(judged, id, 'viewersConnected');
      const before = times.filter((each) => each <= timeMs).length;
      return value[before - 1] ?? 0;
    })
    .reduce((sum, each) => sum + each, 0);
}

/** Viewers connected when the hold ends, in percent of those asked for. */
export function judgeConnected(judged: Judged, expectation: Expectation): Finding {
  const { view, time, testers } = judged;
  const { requested } = view.figures;
  let connected = 0;
  for (const { id, name } of testers) {
    const { timeMs, value } = judgedValues(judged, id, 'viewersConnected');
    const late = value.filter((_, i) => (timeMs[i] ?? 0) > time.toMs - endOfHoldMs);
    if (late.length === 0)
      return missing(judged, 'connected', expectation, `No word came from ${name} at the end of the hold.`);
    connected += Math.max(...late);
  }
  const percent = requested > 0 ? (100 * connected) / requested : 0;
  const met = isMet(expectation, percent);
  const groups = [...view.failures].sort((a, b) => b.count - a.count);
  const [worst] = groups;
  const why = worst ? ` ${viewers(worst.count)} failed at ${worst.stage}: ${worst.cause}.` : '';
  const firstFailureMs = Math.min(...groups.map((group) => group.example.timeMs));
  return {
    result: met ? 'met' : 'failed',
    expectation: 'connected',
    sentence: `${count(connected)} of ${viewers(requested)} were connected at the end of the hold, ${figure(percent)} %.${why}`,
    expected: expected('connected', expectation),
    timeMs: Number.isFinite(firstFailureMs) ? firstFailureMs : (time.holdFromMs ?? time.toMs),
    madeByViewers: true,
  };
}

/** The largest share of degraded viewers, as the mean over 5 s. */
export function judgeDegraded(judged: Judged, expectation: Expectation): Finding {
  const { view, time, testers } = judged;
  const stretchesOf = (series: SeriesId): Stretches[] =>
    testers.map(({ id }) => new Stretches(judgedValues(judged, id, series)));
  const degraded = stretchesOf('viewersDegraded');
  const connected = stretchesOf('viewersConnected');
  const sum = (stretches: readonly Stretches[], endMs: number): number =>
    stretches.reduce((total, each) => total + each.mean(endMs - windowMs, endMs).mean, 0);
  if (degraded.every((each) => each.mean(0, time.toMs).count === 0))
    return missing(judged, 'degraded', expectation, 'No tester counted degraded viewers.');
  const windows = windowEnds(time.fromMs, time.toMs, windowMs).map((endMs) => {
    const viewing = Math.max(sum(connected, endMs), view.figures.requested * leastShareOfRequested);
    const suffering = sum(degraded, endMs);
    return { endMs, viewing, suffering, percent: viewing > 0 ? (100 * suffering) / viewing : 0 };
  });
  const worst = windows.reduce((most, each) => (each.percent > most.percent ? each : most));
  const over = windows.find((each) => !isMet(expectation, each.percent));
  const share = `${count(Math.round(worst.suffering))} of ${viewers(Math.round(worst.viewing))}, ${figure(worst.percent)} %`;
  return {
    result: over ? 'failed' : 'met',
    expectation: 'degraded',
    sentence: over
      ? `${share}, were degraded over 5 s until ${at(judged, worst.endMs)}; too many from ${at(judged, over.endMs)} on.`
      : worst.suffering > 0
        ? `Degraded: at most ${share} over 5 s.`
        : 'No viewer was degraded.',
    expected: expected('degraded', expectation),
    timeMs: (over ?? worst).endMs,
    madeByViewers: true,
  };
}

function times(measured: number): string {
  if (measured === 0) return 'not once';
  return measured === 1 ? 'only once' : `only ${count(measured)} times`;
}

/** The highest CPU of the origin's host, as the mean over 5 s. */
export function judgeCpu(judged: Judged, expectation: Expectation): Finding {
  const { time, origin, testers } = judged;
  const values = hostValues(judged, origin, 'cpuPercent');
  const stretches = new Stretches(values);
  const windows = windowEnds(time.fromMs, time.toMs, windowMs)
    .map((endMs) => ({ endMs, ...stretches.mean(endMs - windowMs, endMs) }))
    .filter((each) => each.count >= leastInWindow);
  const seconds = (time.toMs - time.fromMs) / 1000;
  const [first] = windows;
  if (!first || values.timeMs.length < seconds / 2)
    return missing(
      judged,
      'cpu',
      expectation,
      `CPU of ${origin.name} was measured ${times(values.timeMs.length)} in ${count(Math.round(seconds))} s.`,
    );
  const worst = windows.reduce((most, each) => (each.mean > most.mean ? each : most), first);
  const over = windows.find((each) => !isMet(expectation, each.mean));
  const shared = testers.filter((tester) => tester.host === origin.host).map((tester) => tester.name);
  const both = shared.length > 0 ? `; ${shared.join(' and ')} runs on the same machine` : '';
  const most = `${figure(worst.mean)} % over 5 s`;
  return {
    result: over ? 'failed' : 'met',
    expectation: 'cpu',
    sentence: over
      ? `CPU of ${origin.name} went over its limit at ${at(judged, over.endMs)} with ${viewers(connectedAt(judged, over.endMs))}, and to ${most} at ${at(judged, worst.endMs)}${both}.`
      : `CPU of ${origin.name}: at most ${most}, limit ${expectation.value} %${both}.`,
    expected: expected('cpu', expectation),
    timeMs: (over ?? worst).endMs,
    node: origin.id,
    madeByViewers: false,
  };
}

/** Servers written in C and C++. */
const withoutCollector: ReadonlySet<ServerFamily> = new Set(['srs', 'nginx-rtmp']);

/** The longest pause of the origin's garbage collector: here a single one is felt by everybody. */
export function judgeGcPause(judged: Judged, expectation: Expectation): Finding {
  const { origin, time } = judged;
  const { timeMs, value } = judgedValues(judged, origin.id, 'gcPauseMs');
  if (origin.server !== undefined && withoutCollector.has(origin.server))
    return {
      result: 'met',
      expectation: 'gcPause',
      sentence: `${origin.name} has no garbage collector.`,
      expected: expected('gcPause', expectation),
      timeMs: time.fromMs,
      node: origin.id,
      madeByViewers: false,
    };
  // A second without a pause is only told from one without a look by whoever looks; the lab's process always does.
  const isWatched =
    origin.gcSource !== undefined ||
    (origin.server === 'lab' && judgedValues(judged, origin.id, 'processCpuPercent').timeMs.length > 0);
  if (timeMs.length === 0 && !isWatched)
    return missing(
      judged,
      'gcPause',
      expectation,
      `The garbage collector of ${origin.name} can't be seen; set "gcPause: off" if it has none.`,
    );
  const longest = value.reduce((most, each) => Math.max(most, each), 0);
  const over = value.findIndex((each) => !isMet(expectation, each));
  const pause = `${formatFigure(longest, 'adaptive')} ms`;
  const overMs = timeMs[over] ?? time.fromMs;
  return {
    result: over >= 0 ? 'failed' : 'met',
    expectation: 'gcPause',
    sentence:
      over >= 0
        ? `The garbage collector stopped ${origin.name} for up to ${pause}, for too long first at ${at(judged, overMs)}.`
        : `GC pauses of ${origin.name}: at most ${pause}, limit ${expectation.value} ms.`,
    expected: expected('gcPause', expectation),
    timeMs: overMs,
    node: origin.id,
    madeByViewers: false,
  };
}
