import { dedicatedExpected } from '../model/otherLoad';
import type { RunView, TesterLimit, Verdict, VerdictName, VerdictReason } from '../model/run';
import type { LimitResult } from '../model/limitFound';

/**
 * The verdict of a limit search. It exceeded the expectations on purpose, so its result is judged, not the measurements
 * on the way. A limit of the testers is never one of the origin.
 */
export function searchVerdict(
  view: Pick<RunView, 'limit'>,
  stoppedMs: number | undefined,
  limits: readonly TesterLimit[],
): Verdict {
  const { limit } = view;
  if (!limit) return { verdict: 'inconclusive', sentence: 'The search has no result.', reasons: [], headroom: [] };
  const verdict = verdictOf(limit, stoppedMs !== undefined);
  // Why it had no result until then is not why it ended.
  if (verdict === 'stopped' && limit.state !== 'stopped' && limit.state !== 'searching')
    return {
      ...{ verdict, sentence: 'Stopped before the search had a result.', reasons: [], headroom: [] },
      notes: [{ sentence: limit.sentence }],
    };
  const isLimit = limit.state === 'found' || limit.state === 'not-reached';
  return {
    verdict,
    sentence: isLimit ? `Limit: ${lowerFirst(limit.sentence)}` : limit.sentence,
    reasons: verdict === 'inconclusive' ? reasonsOf(limit, limits) : [],
    headroom: verdict === 'pass' && limit.bottleneck ? [limit.bottleneck.sentence] : [],
  };
}

function verdictOf({ state }: LimitResult, isStopped: boolean): VerdictName {
  switch (state) {
    // Results from before the user stopped the run count.
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

/** What prevented a result: the testers' limits, else the bottleneck. */
function reasonsOf({ bottleneck, state, trials }: LimitResult, limits: readonly TesterLimit[]): VerdictReason[] {
  const first = limits.filter(
    ({ node, kind }, place) => limits.findIndex((other) => other.node === node && other.kind === kind) === place,
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
        ...{ number: 1, sentence: busy.sentence, expected: dedicatedExpected, causedBy: 'machine' },
        ...{ timeMs: Math.round(busy.fromMs), node: busy.busyNode },
      },
    ];
  if (!bottleneck) return [];
  const { sentence, timeMs, node } = bottleneck;
  const expected = 'expected the origin to be the bottleneck';
  const causedBy = bottleneck.what === 'tester' ? 'tester' : 'origin';
  return [{ number: 1, sentence, expected, timeMs: Math.round(timeMs), node, causedBy }];
}

/** Figures and names keep their case. */
function lowerFirst(sentence: string): string {
  return /^(At|Not|No) /.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
}
