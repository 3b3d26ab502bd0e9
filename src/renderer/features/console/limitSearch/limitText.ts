import type { LimitResult, Trial, TrialResult } from '../../../../domain/model/limitFound';
import { unfinishedRepeat } from '../../../../domain/search/limitText';
import { grouped } from '../../../ui/format/numbers';

/** The figure of a search: the value, and its unit in smaller type. */
export interface LimitFigure {
  readonly label: string;
  readonly value: string;
  readonly unit: string;
}

const unitOf = (count: number, clients: LimitResult['clients']): string => {
  const unit = clients ? 'publisher' : 'viewer';
  return count === 1 ? unit : `${unit}s`;
};

export function limitFigure({ state, viewers, plusMinus, maxMet, now, clients }: LimitResult): LimitFigure | undefined {
  if (viewers !== undefined && plusMinus !== undefined)
    return {
      label: state === 'searching' ? 'Limit so far' : 'Limit',
      value: `${grouped(viewers)} ± ${grouped(plusMinus)}`,
      unit: unitOf(viewers, clients),
    };
  if (state === 'searching' && now)
    return {
      label: now.kind === 'try' ? 'Trying' : 'Recovering at',
      value: grouped(now.viewers),
      unit: unitOf(now.viewers, clients),
    };
  return maxMet ? { label: 'Passed', value: `≥ ${grouped(maxMet)}`, unit: unitOf(maxMet, clients) } : undefined;
}

/** The current step. */
export function currentStepText({ now, repeats, clients }: LimitResult): string | undefined {
  if (!now) return undefined;
  const size = `${grouped(now.viewers)} ${unitOf(now.viewers, clients)}`;
  const round = `Repeat ${repeats + 1}`;
  return now.kind === 'try' ? `${round}: trying ${size}.` : `${round}: down to ${size} to recover.`;
}

export const resultLabels: Readonly<Record<TrialResult, string>> = {
  met: 'passed',
  missed: 'failed',
  'tester-limited': 'tester',
  unknown: 'unknown',
};

/** Cause of a trial's result; size and result are shown beside it. */
export function causeText({ sentence }: Trial): string {
  return sentence.replace(/^[\d,]+ (?:passed|held): /, '');
}

/** Text below the figure, without repeating it. */
export function panelSentence(limit: LimitResult): string {
  const { state, sentence, repeats, maxMet, minMissed, plusMinus } = limit;
  const unfinished = unfinishedRepeat(limit);
  if (state !== 'found' || !maxMet || minMissed === undefined || plusMinus === undefined) return sentence;
  const times = repeats === 1 ? 'Found once' : `Found ${grouped(repeats)} times`;
  const rounds = repeats === 0 ? 'Stopped before the requested precision' : times;
  const found = `${rounds}: ${grouped(maxMet)} always passed, ${grouped(minMissed)} failed.`;
  return unfinished ? `${found} Another repeat was aborted: ${unfinished.sentence}` : found;
}
