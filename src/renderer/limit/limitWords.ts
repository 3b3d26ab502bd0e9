import type { LimitFound, Trial, TrialResult } from '../../domain/search/found';
import { unfinishedRepeat } from '../../domain/search/limitText';
import { grouped } from '../format/numbers';

/** The figure of a search: what stands large, and what follows it in smaller type. */
export interface LimitFigure {
  readonly label: string;
  readonly value: string;
  readonly unit: string;
}

const unitOf = (count: number): string => (count === 1 ? 'viewer' : 'viewers');

export function limitFigure({ state, viewers, plusMinus, held, now }: LimitFound): LimitFigure | undefined {
  if (viewers !== undefined && plusMinus !== undefined)
    return {
      label: state === 'searching' ? 'Limit so far' : 'Limit',
      value: `${grouped(viewers)} ± ${grouped(plusMinus)}`,
      unit: unitOf(viewers),
    };
  if (state === 'searching' && now)
    return {
      label: now.kind === 'try' ? 'Trying' : 'Recovering at',
      value: grouped(now.viewers),
      unit: unitOf(now.viewers),
    };
  return held ? { label: 'Held', value: `≥ ${grouped(held)}`, unit: unitOf(held) } : undefined;
}

/** What is done at this moment, in plain words. */
export function nowWords({ now, repeats }: LimitFound): string | undefined {
  if (!now) return undefined;
  const size = `${grouped(now.viewers)} ${unitOf(now.viewers)}`;
  const round = `Repeat ${repeats + 1}`;
  return now.kind === 'try'
    ? `${round}: ${size} are tried.`
    : `${round}: down to ${size} until they watch well.`;
}

export const resultWords: Readonly<Record<TrialResult, string>> = {
  met: 'held',
  missed: 'broke',
  'tester-limited': 'tester',
  unknown: 'unknown',
};

/** What decided a trial, where its size and result stand beside it already. */
export function whyWords({ sentence }: Trial): string {
  return sentence.replace(/^[\d,]+ held: /, '');
}

/** What stands under the figure: it says what the figure does not. */
export function panelSentence(limit: LimitFound): string {
  const { state, sentence, repeats, held, broke, plusMinus } = limit;
  const unfinished = unfinishedRepeat(limit);
  if (state !== 'found' || !held || broke === undefined || plusMinus === undefined) return sentence;
  const times = repeats === 1 ? 'Found once' : `Found ${grouped(repeats)} times`;
  const rounds = repeats === 0 ? 'Ended before it was found as precisely as asked' : times;
  const found = `${rounds}: ${grouped(held)} always held, ${grouped(broke)} did not.`;
  return unfinished ? `${found} Another repeat was given up: ${unfinished.sentence}` : found;
}
