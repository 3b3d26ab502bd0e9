import { aloneExpected } from '../otherLoad/otherLoad';
import type { RunView, TesterLimit, Verdict, VerdictName, VerdictReason } from '../run';
import type { LimitFound } from '../search/found';

/**
 * The verdict of a run that looked for the limit. It went beyond what is expected on purpose, so what it found is judged, not what it saw on
 * the way. A limit of the testers is never one of the origin.
 */
export function searchVerdict(
  view: Pick<RunView, 'limit'>,
  stoppedMs: number | undefined,
  limits: readonly TesterLimit[],
): Verdict {
  const { limit } = view;
  if (!limit)
    return { verdict: 'inconclusive', sentence: 'The search found nothing.', reasons: [], room: [] };
  const verdict = verdictOf(limit, stoppedMs !== undefined);
  const isLimit = limit.state === 'found' || limit.state === 'not-reached';
  return {
    verdict,
    sentence: isLimit ? `Limit: ${lowerFirst(limit.sentence)}` : limit.sentence,
    reasons: verdict === 'inconclusive' ? reasonsOf(limit, limits) : [],
    room: verdict === 'pass' && limit.gaveOut ? [limit.gaveOut.sentence] : [],
  };
}

function verdictOf({ state }: LimitFound, isStopped: boolean): VerdictName {
  switch (state) {
    // What was found before somebody stopped the run is found all the same.
    case 'found':
    case 'not-reached':
      return 'pass';
    case 'stopped':
    case 'searching':
      return isStopped || state === 'stopped' ? 'stopped' : 'inconclusive';
    case 'tester-limited':
    case 'unknown':
      return isStopped ? 'stopped' : 'inconclusive';
  }
}

/** What kept the search from an answer: the testers' limits, else what gave out. */
function reasonsOf({ gaveOut, state, trials }: LimitFound, limits: readonly TesterLimit[]): VerdictReason[] {
  const first = limits.filter(
    ({ node, kind }, place) =>
      limits.findIndex((other) => other.node === node && other.kind === kind) === place,
  );
  if (state === 'tester-limited' && first.length > 0)
    return first.map(({ sentence, expected, fromMs, node }, i) => ({
      number: i + 1,
      sentence,
      expected,
      timeMs: Math.round(fromMs),
      node,
      causedBy: 'tester',
    }));
  const busy = [...trials].reverse().find(({ busyNode }) => busyNode !== undefined);
  if (state === 'unknown' && busy)
    return [
      {
        ...{ number: 1, sentence: busy.sentence, expected: aloneExpected, causedBy: 'machine' },
        ...{ timeMs: Math.round(busy.fromMs), node: busy.busyNode },
      },
    ];
  if (!gaveOut) return [];
  const { sentence, timeMs, node } = gaveOut;
  const expected = 'expected the origin to be the first to give out';
  const causedBy = gaveOut.what === 'tester' ? 'tester' : 'origin';
  return [{ number: 1, sentence, expected, timeMs: Math.round(timeMs), node, causedBy }];
}

/** Figures and names keep their letters. */
function lowerFirst(sentence: string): string {
  return /^(At|Not|No) /.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
}
