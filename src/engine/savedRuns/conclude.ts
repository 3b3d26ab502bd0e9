import type { RunView, TesterLimit } from '../../domain/model/run';
import type {
  AudienceEnds,
  FailedAudience,
  LostOrigin,
  LostTester,
  OriginOutage,
  ShortGroup,
  StopReached,
} from '../../domain/evidence/evidence';
import { judgeRun, type Judgement } from '../../domain/verdict/verdict';
import type { RunReader } from '../store';
import { pauseSentence } from '../base/sentences';

export interface Ending {
  /** The run at its end, without a verdict. */
  readonly view: RunView;
  /** When the user stopped it before its planned end. */
  readonly stoppedMs?: number;
  /** Why it could not be started. */
  readonly failure?: string;
  /** Audiences that could not be started beside others. */
  readonly failedAudiences?: readonly FailedAudience[];
  /** When the hold of each audience ended, in a run with several. */
  readonly audienceEnds?: AudienceEnds;
  /** When each audience had started, in a run with several. */
  readonly audienceStarts?: AudienceEnds;
  /** Testers that stopped before the plan's end, each with its reason. */
  readonly lostTesters: readonly LostTester[];
  /** Tester groups that started with fewer members than they have. */
  readonly shortGroups?: readonly ShortGroup[];
  /** How long the engine itself did not run, each time. */
  readonly pauses?: readonly number[];
  /** Testers that could not take their share of the viewers. */
  readonly refused?: readonly TesterLimit[];
  /** The plan's stop condition that ended it. */
  readonly gaveUp?: StopReached;
  /** Origins lost during the run. */
  readonly lostOrigins?: readonly LostOrigin[];
  /** Origins that did not respond for a time. */
  readonly originOutages?: readonly OriginOutage[];
}

/** The verdict of a run, from its events and samples. */
export function conclude(ending: Ending, reader: Pick<RunReader, 'values'>): Judgement {
  const { view, stoppedMs, failure, failedAudiences, audienceEnds, audienceStarts, refused = [] } = ending;
  const { lostTesters, lostOrigins, originOutages, shortGroups, gaveUp, pauses = [] } = ending;
  // A tester that disconnects its viewers without a console works as intended; the lost console is reported.
  const longest = Math.max(0, ...pauses);
  return judgeRun({
    view,
    stoppedMs,
    refused,
    audienceEnds,
    audienceStarts,
    values: (node, series) => reader.values(node, series),
    runEvents: {
      failure,
      failedAudiences,
      lostTesters,
      lostOrigins,
      originOutages,
      shortGroups,
      stopCondition: gaveUp,
      ...(longest > 0 ? { consolePause: pauseSentence(longest) } : {}),
    },
  });
}
