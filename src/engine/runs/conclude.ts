import type { RunView, TesterLimit, Verdict } from '../../domain/run';
import { judgeRun, type Judgement } from '../../domain/verdict/verdict';
import type { SavedRuns } from '../savedRuns/savedRuns';
import type { RunReader } from '../store';
import { pauseSentence, viewers, whole } from './sentences';
import { withLostOrigins, type LostOrigin } from './watch/origins';
import type { GivenUp } from './watch/stopWhen';

export interface Ending {
  /** The run as it is at its end, without a verdict. */
  readonly view: RunView;
  /** When a person stopped it before its own end. */
  readonly stoppedMs?: number;
  /** Why it could not be made at all. */
  readonly failure?: string;
  /** Testers that stopped before the plan's end, each with its reason. */
  readonly lostTesters: readonly string[];
  /** For how long the engine itself did not run, each time. */
  readonly pauses?: readonly number[];
  /** Testers that could not take their part of the viewers. */
  readonly refused?: readonly TesterLimit[];
  /** The plan's stop condition that ended it. */
  readonly gaveUp?: GivenUp;
  /** Origins that died on the way. */
  readonly lostOrigins?: readonly LostOrigin[];
}

/** The verdict of a run. What a tester that stopped has seen says nothing of the origin, so nothing is judged by it. */
export function conclude(ending: Ending, reader: Pick<RunReader, 'values'>): Judgement {
  const { refused = [] } = ending;
  if (ending.failure !== undefined) {
    const reasons = refused.map(({ sentence, expected, fromMs, node }, i) => ({
      number: i + 1,
      sentence,
      expected,
      timeMs: fromMs,
      node,
    }));
    const verdict = { ...unjudged(`The run could not be made: ${ending.failure}`), reasons };
    return { verdict, testerLimits: refused };
  }
  const { verdict, testerLimits } = judgeRun({
    view: ending.view,
    stoppedMs: ending.stoppedMs,
    values: (node, series) => reader.values(node, series),
    refused,
  });
  const [lost] = ending.lostTesters;
  // A tester without its console does as it should: the console is the news.
  const longest = Math.max(0, ...(ending.pauses ?? []));
  const why = longest > 0 ? pauseSentence(longest) : 'A tester stopped.';
  const sentence = `${why} The origin can't be judged. ${lost ?? ''}`;
  const { figures, nodes } = ending.view;
  const judgement = withGivenUp(
    lost !== undefined && verdict.verdict !== 'stopped'
      ? { ...verdict, verdict: 'inconclusive', sentence }
      : verdict,
    ending.gaveUp,
  );
  return {
    verdict: withLostOrigins(judgement, ending.lostOrigins ?? [], {
      testers: new Set(nodes.filter(({ role }) => role === 'tester').map(({ id }) => id)),
      got: `${whole(figures.connectedPeak)} of ${viewers(figures.requested)} connected`,
    }),
    testerLimits,
  };
}

/** A run that gave up by itself has not passed, whatever had room until then; what can't be judged stays so. */
function withGivenUp(verdict: Verdict, gaveUp: GivenUp | undefined): Verdict {
  if (!gaveUp) return verdict;
  const reason = { number: verdict.reasons.length + 1, ...gaveUp };
  const isPass = verdict.verdict === 'pass';
  return {
    ...verdict,
    verdict: isPass ? 'fail' : verdict.verdict,
    sentence: isPass ? gaveUp.sentence : verdict.sentence,
    reasons: [...verdict.reasons, reason],
  };
}

/** The same from the run's own file. What can't be judged is still kept: a fault of the rules must not cost the run. */
export async function judged(
  ending: Ending,
  deps: { readonly saved: SavedRuns; readonly problem: (sentence: string) => void },
): Promise<Partial<Judgement> & Pick<Judgement, 'verdict'>> {
  try {
    const { judgement, problems } = await deps.saved.call('judge', { ending });
    for (const problem of problems) deps.problem(problem);
    return judgement;
  } catch (error) {
    const sentence = `The run could not be judged: ${(error as Error).message}`;
    deps.problem(sentence);
    return { verdict: unjudged(sentence) };
  }
}

/** The last word on who is left: `present` by the testers, `origin` by the origins (undefined: they don't answer). */
export function endSentence(anybodyCame: boolean, present: number, origin: number | undefined): string {
  if (!anybodyCame) return 'Ended before any viewer was asked to come';
  if (present > 0) return `Ended; ${viewers(present)} could not be sent home`;
  if (origin === undefined) return 'Ended; 0 viewers left by the audience, the origin does not answer';
  return origin === 0
    ? 'Ended; 0 viewers left, audience and origin agree'
    : `Ended; 0 viewers left by the audience, the origin still counts ${whole(origin)}`;
}

function unjudged(sentence: string): Verdict {
  return { verdict: 'inconclusive', sentence, reasons: [], room: [] };
}
