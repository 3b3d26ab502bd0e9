import type { Finding, Influence, Judged } from '../evidence/evidence';
import { judgedValues } from '../evidence/evidenceValues';
import type { Expectation } from '../model/plan';
import type { TesterLimit } from '../model/run';
import { severalAudiences } from '../plan/audiences';
import type { SeriesId } from '../series/series';
import { RangeSums, windowEnds } from '../series/windows';
import { influencesOfViewers } from './busyHosts';
import { publishersForViewers, publishersIn } from './publishers';
import {
  at,
  degradedWindow,
  expected,
  isMet,
  minShareOfTarget,
  missing,
  shareText,
  windowMs,
  type DegradedWindow,
} from './verdictRules';

/** The largest share of degraded viewers, as the mean over 5 s. */
export function judgeDegraded(judged: Judged, expectation: Expectation, limits: readonly TesterLimit[] = []): Finding {
  const { view, time } = judged;
  const testers = judged.testers.map(({ id }) => ({
    id,
    degraded: new RangeSums(judgedValues(judged, id, 'viewersDegraded')),
    connected: new RangeSums(judgedValues(judged, id, 'viewersConnected')),
  }));
  if (testers.every(({ degraded }) => degraded.mean(0, time.toMs).count === 0))
    return missing(judged, 'degraded', expectation, 'No tester counted degraded viewers.');
  // Without viewers, nothing can be judged.
  if (testers.every(({ connected }) => connected.mean(0, time.toMs).mean === 0))
    return missing(judged, 'degraded', expectation, 'Degraded viewers were not judged: no viewer connected.');
  const windowOf = (endMs: number, of: typeof testers): DegradedWindow => {
    const sum = (sums: readonly RangeSums[]): number =>
      sums.reduce((total, each) => total + each.mean(endMs - windowMs, endMs).mean, 0);
    const least = (view.figures.requested * minShareOfTarget * of.length) / testers.length;
    const connected = sum(of.map((each) => each.connected));
    return degradedWindow(endMs, sum(of.map(({ degraded }) => degraded)), connected, least);
  };
  const all = windowEnds(time.fromMs, time.toMs, windowMs).map((endMs) => windowOf(endMs, testers));
  const overs = all.filter(({ percent }) => !isMet(expectation, percent));
  const influencesIn = (endMs: number, { id }: { readonly id: string }): readonly Influence[] =>
    influencesOfViewers(judged, id, endMs - windowMs, endMs, limits);
  const publishersOf = ({ endMs }: DegradedWindow): readonly Influence[] =>
    publishersOfDegraded(judged, expectation, endMs - windowMs, endMs);
  // In the windows over the limit only testers count that nothing limited at that time.
  const certain = overs
    .map(({ endMs }) =>
      windowOf(
        endMs,
        testers.filter((tester) => influencesIn(endMs, tester).length === 0),
      ),
    )
    .filter((each) => !isMet(expectation, each.percent) && publishersOf(each).length === 0);
  const isCertain = certain.length > 0;
  const windows = isCertain ? certain : all;
  const worst = windows.reduce((most, each) => (each.percent > most.percent ? each : most));
  const over = certain[0] ?? overs[0];
  const share = shareText(worst);
  return {
    result: over ? 'failed' : 'met',
    expectation: 'degraded',
    sentence: over
      ? `${share}, were degraded on average over 5 s until ${at(judged, worst.endMs)}; too many from ${at(judged, over.endMs)} on.`
      : worst.affected > 0
        ? `Peak degraded: ${share}, on average over 5 s.`
        : 'No viewer was degraded.',
    expected: expected('degraded', expectation),
    timeMs: (over ?? worst).endMs,
    measured: worst.percent,
    invalidatedBy: isCertain
      ? []
      : overs.flatMap((over) => [
          ...testers.flatMap((tester) => influencesIn(over.endMs, tester)),
          ...publishersOf(over),
        ]),
  };
}

/** Publishers that ended, if not too many of the audiences that have a publisher were degraded without them. */
function publishersOfDegraded(judged: Judged, expectation: Expectation, fromMs: number, toMs: number): Influence[] {
  const audiences = severalAudiences(judged.view.plan);
  const others = audiences.filter(({ pull }) => publishersIn(judged, fromMs, toMs, pull).length === 0);
  if (audiences.length === others.length || others.length === 0) return publishersForViewers(judged, fromMs, toMs);
  const mean = (series: SeriesId): number =>
    others
      .map(({ id }) => new RangeSums(judgedValues(judged, id, series)).mean(fromMs, toMs).mean)
      .reduce((sum, mean) => sum + mean, 0);
  const least = minShareOfTarget * others.reduce((sum, { pull }) => sum + pull.viewers, 0);
  const { percent } = degradedWindow(toMs, mean('viewersDegraded'), mean('viewersConnected'), least);
  return isMet(expectation, percent) ? audiences.flatMap(({ pull }) => publishersIn(judged, fromMs, toMs, pull)) : [];
}
