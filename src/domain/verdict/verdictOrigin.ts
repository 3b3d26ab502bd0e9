import type { Finding, Judged } from '../evidence/evidence';
import { judgedValues } from '../evidence/evidenceValues';
import type { NodeView } from '../model/node';
import type { Expectation } from '../model/plan';
import type { TesterLimit } from '../model/run';
import { RangeSums, windowEnds } from '../series/windows';
import { influencesOfViewers } from './busyHosts';
import { at, degradedWindow, expected, isMet, minShareOfTarget, shareText, windowMs } from './verdictRules';

/**
 * The degraded viewers that an origin counts itself, by the limit of the testers' count: a server may be unable to send
 * a stream in time before its viewers show it. Undefined where it counted none.
 */
export function judgeOriginDegraded(
  judged: Judged,
  expectation: Expectation,
  origin: NodeView,
  limits: readonly TesterLimit[] = [],
): Finding | undefined {
  const { time, testers, view } = judged;
  const counted = judgedValues(judged, origin.id, 'originDegraded');
  if (!counted.value.some((value) => value > 0)) return undefined;
  const degraded = new RangeSums(counted);
  const served = new RangeSums(judgedValues(judged, origin.id, 'originViewers'));
  const connected = testers.map(({ id }) => new RangeSums(judgedValues(judged, id, 'viewersConnected')));
  const windows = windowEnds(time.fromMs, time.toMs, windowMs).map((endMs) => {
    const startMs = endMs - windowMs;
    const originViewers = connected.reduce((sum, sums) => sum + sums.mean(startMs, endMs).mean, 0);
    const viewing = Math.max(served.mean(startMs, endMs).mean, originViewers);
    const least = view.figures.requested * minShareOfTarget;
    return degradedWindow(endMs, degraded.mean(startMs, endMs).mean, viewing, least);
  });
  const overs = windows.filter(({ percent }) => !isMet(expectation, percent));
  // The origin counts the viewers of all testers together.
  const influencesIn = ({ endMs }: { readonly endMs: number }) =>
    testers.flatMap(({ id }) => influencesOfViewers(judged, id, endMs - windowMs, endMs, limits));
  const certain = overs.filter((each) => influencesIn(each).length === 0);
  const relevant = certain.length > 0 ? certain : windows;
  const [first] = relevant;
  if (!first) return undefined;
  const worst = relevant.reduce((most, window) => (window.percent > most.percent ? window : most), first);
  const over = certain[0] ?? overs[0];
  const share = shareText(worst);
  return {
    result: over ? 'failed' : 'met',
    expectation: 'degraded',
    sentence: over
      ? `${origin.name} counted ${share}, as degraded on average over 5 s until ${at(judged, worst.endMs)}; too many from ${at(judged, over.endMs)} on.`
      : `Peak degraded, counted by ${origin.name}: ${share}, on average over 5 s.`,
    expected: expected('degraded', expectation),
    timeMs: (over ?? worst).endMs,
    node: origin.id,
    measured: worst.percent,
    invalidatedBy: certain.length > 0 ? [] : overs.flatMap(influencesIn),
  };
}
