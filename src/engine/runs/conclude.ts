import type { RunView, TesterLimit, Verdict } from '../../domain/run';
import type { LostOrigin, LostTester, StopReached } from '../../domain/verdict/judged';
import { judgeRun, type Judgement } from '../../domain/verdict/verdict';
import type { SavedRuns } from '../savedRuns/savedRuns';
import type { RunReader } from '../store';
import { pauseSentence, viewers, whole } from './sentences';

export interface Ending {
  /** The run as it is at its end, without a verdict. */
  readonly view: RunView;
  /** When a person stopped it before its own end. */
  readonly stoppedMs?: number;
  /** Why it could not be started at all. */
  readonly failure?: string;
  /** Testers that stopped before the plan's end, each with its reason. */
  readonly lostTesters: readonly LostTester[];
  /** For how long the engine itself did not run, each time. */
  readonly pauses?: readonly number[];
  /** Testers that could not take their part of the viewers. */
  readonly refused?: readonly TesterLimit[];
  /** The plan's stop condition that ended it. */
  readonly gaveUp?: StopReached;
  /** Origins that died on the way. */
  readonly lostOrigins?: readonly LostOrigin[];
}

/** The verdict of a run, from what happened to it and from its samples. */
export function conclude(ending: Ending, reader: Pick<RunReader, 'values'>): Judgement {
  const { view, stoppedMs, failure, refused = [], lostTesters, lostOrigins, gaveUp, pauses = [] } = ending;
  // A tester whose console fell silent does as it should: the console is the news.
  const longest = Math.max(0, ...pauses);
  return judgeRun({
    view,
    stoppedMs,
    refused,
    values: (node, series) => reader.values(node, series),
    course: {
      failure,
      lostTesters,
      lostOrigins,
      stopCondition: gaveUp,
      ...(longest > 0 ? { consolePause: pauseSentence(longest) } : {}),
    },
  });
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
