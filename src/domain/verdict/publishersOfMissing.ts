import type { Influence, Judged } from '../evidence/evidence';
import { judgedValues } from '../evidence/evidenceValues';
import type { Expectation, Audience } from '../model/plan';
import type { Counted } from './lostViewers';
import { affectedViewers, isRecovering, losesViewers, publisherInfluence, publisherOutagesOf } from './publishers';
import { isMet } from './verdictRules';

/** Publishers of the streams of an audience without whose absence enough of its viewers would have been connected. */
export function publishersOfMissing(
  judged: Judged,
  { requested, connected, sources, toMs }: Counted,
  pull: Audience,
  expectation: Expectation,
): readonly Influence[] {
  const away = publisherOutagesOf(judged, pull).filter(({ fromMs }) => fromMs <= toMs);
  if (away.length === 0) return [];
  const failures = sources.flatMap(({ id }) => {
    const { timeMs, value } = judgedValues(judged, id, 'viewersFailed');
    return value.map((total, i) => ({ timeMs: timeMs[i] ?? toMs, more: Math.max(0, total - (value[i - 1] ?? 0)) }));
  });
  const sum = (of: typeof failures): number => of.reduce((total, { more }) => total + more, 0);
  const within = sum(failures.filter(({ timeMs }) => away.some((each) => losesViewers(each, timeMs))));
  // Those that neither watch nor have failed connect again.
  const connecting = Math.max(0, requested - connected - sum(failures));
  const isRecent = away.some((each) => isRecovering(each, toMs));
  const affected = away.reduce((total, each) => total + affectedViewers(each, requested), 0);
  const explained = Math.min(affected, within + (isRecent ? connecting : 0));
  const percent = requested > 0 ? (100 * Math.min(requested, connected + explained)) / requested : 100;
  return isMet(expectation, percent) ? away.map((each) => publisherInfluence(judged, each)) : [];
}
