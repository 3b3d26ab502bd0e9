import type { Expectation } from '../model/plan';
import type { NodeView } from '../model/node';
import type { FailureGroup, TesterLimit } from '../model/run';
import { severalAudiences } from '../plan/audiences';
import { limitsOverMs } from '../tester/testerLimit';
import { isServerCause, isTesterCause } from '../tester/testerRules';
import { firstOfEach } from '../tester/testerEffects';
import { busyForViewers } from './busyHosts';
import type { Finding, Judged, Influence } from '../evidence/evidence';
import { connectedAt, judgedValues } from '../evidence/evidenceValues';
import { count, endOfHoldMs, expected, figure, isMet, missing, viewers } from './verdictRules';

/** Viewers that are counted together. */
interface Counted {
  /** Of an audience beside others. */
  readonly audience?: string;
  /** Where their figures are recorded. */
  readonly sources: ReadonlyArray<Pick<NodeView, 'id' | 'name'>>;
  readonly testers: readonly NodeView[];
  readonly requested: number;
  /** The end of their hold. */
  readonly toMs: number;
  readonly failures: readonly FailureGroup[];
}

/** Viewers connected when the hold ends, in percent of the target; of several audiences each at its own end. */
export function judgeConnected(
  judged: Judged,
  expectation: Expectation,
  limits: readonly TesterLimit[] = [],
): readonly Finding[] {
  const { view, time, testers, audienceEnds = {} } = judged;
  const counted = severalAudiences(view.plan).flatMap(({ id, name, pull }): Counted[] => {
    const toMs = audienceEnds[id];
    if (toMs === undefined) return [];
    return [
      {
        audience: name,
        sources: [{ id, name }],
        testers: testers.filter((node) => pull.by.includes(node.name) || pull.by.includes(node.id)),
        requested: pull.viewers,
        toMs,
        failures: view.failures.filter(({ audience }) => audience === name),
      },
    ];
  });
  const all = {
    sources: testers,
    testers,
    requested: view.figures.requested,
    toMs: time.toMs,
    failures: view.failures,
  };
  return (counted.length > 0 ? counted : [all]).map((each) => judgeCounted(judged, each, expectation, limits));
}

function judgeCounted(
  judged: Judged,
  counted: Counted,
  expectation: Expectation,
  limits: readonly TesterLimit[],
): Finding {
  const { time } = judged;
  const { audience, sources, requested, toMs, failures } = counted;
  let connected = 0;
  for (const { id, name } of sources) {
    const late = connectedAtEnd(judged, id, toMs);
    // A tester that refused all of its viewers has no data.
    if (late === undefined && !judged.refused?.some(({ node }) => node === id))
      return missing(judged, 'connected', expectation, `No data from ${name} at the end of the hold.`);
    connected += late ?? 0;
  }
  const percent = requested > 0 ? (100 * connected) / requested : 0;
  const met = isMet(expectation, percent);
  const firstFailureMs = Math.min(...failures.map((group) => group.example.timeMs));
  const whose = audience === undefined ? '' : ` of ${audience}`;
  const when = audience === undefined ? 'the hold' : 'its hold';
  return {
    result: met ? 'met' : 'failed',
    expectation: 'connected',
    sentence: `${count(connected)} of ${viewers(requested)}${whose} were connected at the end of ${when}, ${figure(percent)} %.${failureReason(failures)}`,
    expected: expected('connected', expectation),
    timeMs: Number.isFinite(firstFailureMs) ? firstFailureMs : (time.holdFromMs ?? toMs),
    invalidatedBy: met ? [] : influencesOfConnected(judged, counted, expectation, limits),
  };
}

/** The highest count shortly before the end of a hold; undefined without data. */
function connectedAtEnd(judged: Judged, source: string, toMs: number): number | undefined {
  const { timeMs, value } = judgedValues(judged, source, 'viewersConnected');
  const late = value.filter((_, i) => (timeMs[i] ?? 0) > toMs - endOfHoldMs && (timeMs[i] ?? 0) <= toMs);
  return late.length > 0 ? Math.max(...late) : undefined;
}

/**
 * Machines that were busy while viewers connected, and testers at their own limit; none if too few would have connected
 * anyway.
 */
function influencesOfConnected(
  judged: Judged,
  counted: Counted,
  expectation: Expectation,
  limits: readonly TesterLimit[],
): readonly Influence[] {
  const { requested, testers, toMs, failures } = counted;
  // The same viewer may be counted by both.
  const lost = Math.max(lostRegardlessOfCpu(failures), failedWhileQuiet(judged, counted));
  const isMissedAnyhow = requested > 0 && !isMet(expectation, 100 - (100 * lost) / requested);
  const busy = isMissedAnyhow ? [] : busyForViewers(judged, judged.time.fromMs, toMs, testers);
  const ofTesters = limits.filter(({ node }) => testers.some(({ id }) => id === node));
  return [...busy, ...(isMissedAnyway(judged, counted, expectation, ofTesters) ? [] : firstOfEach(ofTesters))];
}

/**
 * Viewers not lost for a lack of CPU: the server refused them, or their tester ran out of open files, ports or memory.
 */
export function lostRegardlessOfCpu(failures: readonly FailureGroup[]): number {
  return failures
    .filter(({ cause }) => isServerCause(cause) || isTesterCause(cause))
    .reduce((sum, group) => sum + group.count, 0);
}

/**
 * Viewers that failed while no host was busy with other programs, nor shortly before: a busy second excuses only its
 * own time.
 */
function failedWhileQuiet(judged: Judged, { sources, testers, toMs: endMs }: Counted): number {
  let failed = 0;
  for (const { id } of sources) {
    const { timeMs, value } = judgedValues(judged, id, 'viewersFailed');
    value.forEach((total, i) => {
      const more = total - (value[i - 1] ?? 0);
      const [fromMs, toMs] = [timeMs[i - 1] ?? judged.time.fromMs, timeMs[i] ?? endMs];
      if (more > 0 && busyForViewers(judged, fromMs, toMs, testers).length === 0) failed += more;
    });
  }
  return failed;
}

/** The most frequent failure, as a further sentence. */
export function failureReason(failures: readonly FailureGroup[]): string {
  const [worst] = [...failures].sort((a, b) => b.count - a.count);
  return worst ? ` ${viewers(worst.count)} failed at ${worst.stage}: ${worst.cause}.` : '';
}

/** Whether too few would have connected even without the limits of testers. */
function isMissedAnyway(
  judged: Judged,
  { sources, testers, requested, toMs, failures }: Counted,
  expectation: Expectation,
  limits: readonly TesterLimit[],
): boolean {
  if (limits.length === 0) return true;
  const misses = (connected: number, requested: number): boolean =>
    requested > 0 && !isMet(expectation, (100 * connected) / requested);
  const total = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0);
  // Viewers lost long after the last limit were not lost because of it.
  const overMs = limitsOverMs(limits);
  const before = overMs < toMs - endOfHoldMs ? connectedAt(judged, overMs, sources) : 0;
  const atEnd = total(sources.map(({ id }) => connectedAtEnd(judged, id, toMs) ?? 0));
  const lostLater = Math.max(0, before - atEnd);
  const refused = total(failures.filter(({ cause }) => isServerCause(cause)).map((group) => group.count));
  // The same viewer may be counted by both.
  if (misses(requested - Math.max(lostLater, refused), requested)) return true;
  // The figures of an audience are not known per tester.
  if (sources !== testers) return false;
  // Testers that were never at a limit count on their own.
  const sound = testers.filter(({ id }) => !limits.some(({ node }) => node === id));
  const asked = sound.map(({ id }) =>
    judgedValues(judged, id, 'viewersRequested').value.reduce((most, each) => Math.max(most, each), 0),
  );
  const there = sound.map(({ id }) => connectedAtEnd(judged, id, toMs) ?? 0);
  return misses(total(there), total(asked));
}
