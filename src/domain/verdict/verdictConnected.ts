import type { Expectation } from '../model/plan';
import type { TesterLimit } from '../model/run';
import { limitsOverMs } from '../tester/testerLimit';
import { isServerCause, isTesterCause } from '../tester/testerRules';
import { firstOfEach } from '../tester/testerEffects';
import { busyForViewers } from './busyHosts';
import type { Finding, Judged, Influence } from '../evidence/evidence';
import { connectedAt, judgedValues } from '../evidence/evidenceValues';
import { count, endOfHoldMs, expected, figure, isMet, missing, viewers } from './verdictRules';

/** Connected viewers of one tester when the hold ends; undefined without data. */
function connectedAtEnd(judged: Judged, tester: string): number | undefined {
  const { timeMs, value } = judgedValues(judged, tester, 'viewersConnected');
  const late = value.filter((_, i) => (timeMs[i] ?? 0) > judged.time.toMs - endOfHoldMs);
  return late.length > 0 ? Math.max(...late) : undefined;
}

/** Viewers connected when the hold ends, in percent of the target. */
export function judgeConnected(judged: Judged, expectation: Expectation, limits: readonly TesterLimit[] = []): Finding {
  const { view, time, testers } = judged;
  const { requested } = view.figures;
  let connected = 0;
  for (const { id, name } of testers) {
    const late = connectedAtEnd(judged, id);
    // A tester that refused all of its viewers has no data.
    if (late === undefined && !judged.refused?.some(({ node }) => node === id))
      return missing(judged, 'connected', expectation, `No data from ${name} at the end of the hold.`);
    connected += late ?? 0;
  }
  const percent = requested > 0 ? (100 * connected) / requested : 0;
  const met = isMet(expectation, percent);
  const firstFailureMs = Math.min(...view.failures.map((group) => group.example.timeMs));
  return {
    result: met ? 'met' : 'failed',
    expectation: 'connected',
    sentence: `${count(connected)} of ${viewers(requested)} were connected at the end of the hold, ${figure(percent)} %.${failureReason(judged)}`,
    expected: expected('connected', expectation),
    timeMs: Number.isFinite(firstFailureMs) ? firstFailureMs : (time.holdFromMs ?? time.toMs),
    invalidatedBy: met ? [] : influencesOfConnected(judged, expectation, limits),
  };
}

/**
 * Machines that were busy while viewers connected, and testers at their own limit; none if too few would have connected
 * anyway.
 */
function influencesOfConnected(
  judged: Judged,
  expectation: Expectation,
  limits: readonly TesterLimit[],
): readonly Influence[] {
  const { view, time } = judged;
  const { requested } = view.figures;
  // The same viewer may be counted by both.
  const lost = Math.max(lostRegardlessOfCpu(judged), failedWhileQuiet(judged));
  const isMissedAnyhow = requested > 0 && !isMet(expectation, 100 - (100 * lost) / requested);
  const busy = isMissedAnyhow ? [] : busyForViewers(judged, time.fromMs, time.toMs);
  const testers = isMissedAnyway(judged, expectation, limits) ? [] : firstOfEach(limits);
  return [...busy, ...testers];
}

/**
 * Viewers not lost for a lack of CPU: the server refused them, or their tester ran out of open files, ports or memory.
 */
export function lostRegardlessOfCpu({ view }: Judged): number {
  return view.failures
    .filter(({ cause }) => isServerCause(cause) || isTesterCause(cause))
    .reduce((sum, group) => sum + group.count, 0);
}

/**
 * Viewers that failed while no host was busy with other programs, nor shortly before: a busy second excuses only its
 * own time.
 */
function failedWhileQuiet(judged: Judged): number {
  let failed = 0;
  for (const { id } of judged.testers) {
    const { timeMs, value } = judgedValues(judged, id, 'viewersFailed');
    value.forEach((total, i) => {
      const more = total - (value[i - 1] ?? 0);
      const [fromMs, toMs] = [timeMs[i - 1] ?? judged.time.fromMs, timeMs[i] ?? judged.time.toMs];
      if (more > 0 && busyForViewers(judged, fromMs, toMs).length === 0) failed += more;
    });
  }
  return failed;
}

/** The most frequent failure, as a further sentence. */
export function failureReason({ view }: Judged): string {
  const [worst] = [...view.failures].sort((a, b) => b.count - a.count);
  return worst ? ` ${viewers(worst.count)} failed at ${worst.stage}: ${worst.cause}.` : '';
}

/** Whether too few would have connected even without the limits of testers. */
function isMissedAnyway(judged: Judged, expectation: Expectation, limits: readonly TesterLimit[]): boolean {
  if (limits.length === 0) return true;
  const { view, time, testers } = judged;
  const misses = (connected: number, requested: number): boolean =>
    requested > 0 && !isMet(expectation, (100 * connected) / requested);
  // Viewers lost long after the last limit were not lost because of it.
  const overMs = limitsOverMs(limits);
  const before = overMs < time.toMs - endOfHoldMs ? connectedAt(judged, overMs) : 0;
  const atEnd = testers.reduce((sum, { id }) => sum + (connectedAtEnd(judged, id) ?? 0), 0);
  const { requested } = view.figures;
  const lostLater = Math.max(0, before - atEnd);
  const refused = view.failures
    .filter(({ cause }) => isServerCause(cause))
    .reduce((sum, group) => sum + group.count, 0);
  // The same viewer may be counted by both.
  if (misses(requested - Math.max(lostLater, refused), requested)) return true;
  // Testers that were never at a limit count on their own.
  const sound = testers.filter(({ id }) => !limits.some(({ node }) => node === id));
  const asked = sound.map(({ id }) =>
    judgedValues(judged, id, 'viewersRequested').value.reduce((most, each) => Math.max(most, each), 0),
  );
  const there = sound.map(({ id }) => connectedAtEnd(judged, id) ?? 0);
  const total = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0);
  return misses(total(there), total(asked));
}
