import type { Verdict } from '../../domain/model/run';
import type { Judgement } from '../../domain/verdict/verdict';
import { publishesOnly } from '../../domain/model/publisherGroup';
import { serverTimeout } from '../../domain/run/serverTimeout';
import type { Ending } from '../savedRuns/conclude';
import { callHooks } from './hooks';
import { judgedPhases } from './pullSteps';
import { recordDistributions } from './recordDistributions';
import type { RunData } from './runData';
import type { LostOrigins } from './watch/lostOrigins';
import { counted, formatCount, formatViewers } from '../../domain/text/numberFormat';
import { verdictText } from '../../domain/run/verdictText';

/** What the end of a run needs besides its data. */
export interface RunEndInput extends Pick<Ending, 'lostTesters' | 'shortGroups' | 'pauses'> {
  readonly lostOrigins: LostOrigins;
  /** Publications of the run itself. */
  readonly publications: readonly string[];
}

/** Ends a run whose viewers are gone: its last figures, verdict, hooks and file. Never rejects. */
export async function endRun(data: RunData, input: RunEndInput): Promise<void> {
  const { deps, log, pulls } = data;
  data.isFinishing = true;
  data.baseline.close();
  data.setState('stopping');
  const say = (sentence: string): unknown => log.say(sentence);
  const rows = await pulls.detailedRows(data.id, say).catch((error: unknown) => {
    say(`The list of viewers is missing: ${(error as Error).message}`);
    return [];
  });
  for (const job of input.publications)
    await deps.publications.release(job).catch((error: unknown) => say((error as Error).message));
  data.isReleased = true;
  data.headline.update(deps.clock.now());
  data.endedMs = deps.clock.now();
  log.endPhase();
  try {
    say(
      publishesOnly(data.plan)
        ? publishersEndSentence(data.published.list.length > 0, data.published.present())
        : runEndSentence(
            pulls.list.length > 0,
            pulls.present(),
            data.origins.left(),
            serverTimeout(data.plan, data.wasForced),
          ),
    );
    if (rows.length > 0) deps.writer.setViewers(rows);
    const { stoppedMs, failure, failedAudiences, stopReached: gaveUp } = data;
    const view = { ...data.view(), phases: judgedPhases(log.phases, [...pulls.seen(), ...data.published.seen()]) };
    recordDistributions(data, data.distributions.rest());
    const refused = data.limits.refusals;
    const { lostTesters, shortGroups, pauses } = input;
    const judgement = await judged(data, {
      ...{
        view,
        stoppedMs,
        failure,
        failedAudiences,
        audienceEnds: data.audienceEnds(),
        audienceStarts: data.audienceStarts(),
        refused,
        gaveUp,
        lostTesters,
        shortGroups,
        pauses,
      },
      lostOrigins: input.lostOrigins.all,
      originOutages: input.lostOrigins.outages,
    });
    data.verdict = judgement.verdict;
    data.judgedLimits = judgement.testerLimits;
    say(`${verdictText(judgement.verdict.verdict).toUpperCase()}: ${judgement.verdict.sentence}`);
    await callHooks('end', data.view(), deps, say);
    // It is reported as ended once its file is complete.
    data.state = 'ended';
    await deps.writer.finish(data.view());
    data.changed();
    await deps.saved
      .call('compact', { run: data.id })
      .catch((error: Error) => data.problem(`The run file could not be compacted: ${error.message}`));
  } catch (error) {
    data.state = 'ended';
    data.problem(`The run file could not be finished: ${(error as Error).message}`);
  }
  data.changed();
}

/** A list of many saved runs takes longer to read: the verdict is known before. */
const compareQuietlyMs = 1000;

/** From the run's own file. A run without a verdict is still saved: an error in the rules must not lose it. */
async function judged(data: RunData, ending: Ending): Promise<Partial<Judgement> & Pick<Judgement, 'verdict'>> {
  const { writer, saved, baselinesFolder } = data.deps;
  const lacking = async (): Promise<{ readonly verdict: Verdict } | undefined> => {
    const incomplete = await writer.secure();
    return incomplete === undefined
      ? undefined
      : { verdict: unjudged(`The run can't be judged, its file lacks samples. ${incomplete}`) };
  };
  let judgement: Judgement;
  try {
    const before = await lacking();
    if (before) return before;
    judgement = await saved.call('judge', { ending });
    // Its disk may have fallen silent meanwhile.
    const after = await lacking();
    if (after) return after;
  } catch (error) {
    const sentence = `The run could not be judged: ${(error as Error).message}`;
    data.problem(sentence);
    return { verdict: unjudged(sentence) };
  }
  const { verdict, sentence } = judgement.verdict;
  const cancelTelling = data.deps.clock.after(compareQuietlyMs, () =>
    data.log.say(
      `${verdictText(verdict).toUpperCase()} by its plan: ${sentence} The saved runs are read for a baseline`,
    ),
  );
  try {
    const compared = await saved.call('compareWithBaseline', { view: ending.view, judgement, baselinesFolder });
    for (const problem of compared.problems) data.problem(problem);
    return compared.judgement;
  } catch (error) {
    data.problem(`The run could not be compared with a baseline: ${(error as Error).message}`);
    return judgement;
  } finally {
    cancelTelling();
  }
}

/**
 * The final sentence on remaining viewers: `present` by the testers, `origin` by the origins (undefined: they don't
 * report it), `timeout`: why they may count viewers that have disconnected.
 */
export function runEndSentence(
  hadViewers: boolean,
  present: number,
  origin: number | undefined,
  timeout?: string,
): string {
  if (!hadViewers) return 'Ended before any viewer was requested';
  if (present > 0) return `Ended; ${formatViewers(present)} could not be disconnected`;
  if (origin === undefined)
    return 'Ended; all viewers disconnected, not confirmed: the origin reports no number of viewers';
  if (origin === 0) return 'Ended; all viewers disconnected, confirmed by origin';
  return timeout === undefined
    ? `Ended; all viewers disconnected, but the origin still counts ${formatCount(origin)}`
    : `Ended; all viewers disconnected; the origin still counts ${formatCount(origin)}: ${timeout}`;
}

/** The final sentence on publishers alone. */
function publishersEndSentence(hadPublishers: boolean, present: number): string {
  if (!hadPublishers) return 'Ended before any publisher was started';
  return present > 0
    ? `Ended; ${counted(present, 'publisher')} could not be disconnected`
    : 'Ended; all publishers disconnected';
}

function unjudged(sentence: string): Verdict {
  return { verdict: 'inconclusive', sentence, reasons: [], headroom: [] };
}
