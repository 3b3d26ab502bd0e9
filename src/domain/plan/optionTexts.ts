import type { PlanWatchTime } from '../model/audienceValues';
import type { PlanNetwork } from '../model/network';
import type { Audience } from '../model/plan';
import { optionRows, type OptionName } from '../model/options';
import type { PlanTokens } from '../model/viewerTokens';
import { optionFields } from './fields/options';
import { writeWatchTime } from './fields/watchFor';
import { networkText } from './networkText';
import { isUsed } from './optionRules';
import { turnText } from './turnRules';

/** Options with several values in one line; tokens and headers without their values, which may be secret. */
const structureTexts: { readonly [Name in OptionName]?: (value: NonNullable<Audience[Name]>) => string | undefined } = {
  network: (network: PlanNetwork) => networkText(network),
  turn: turnText,
  watchFor: writeWatchTime,
  tokens: (tokens: PlanTokens) => `by ${Object.keys(tokens).join(' and ')}`,
  headers: (headers) => Object.keys(headers).sort().join(' and '),
};

/** What they say in the line of a load, if not their name and value as in a plan. */
const structureWords: typeof structureTexts = {
  turn: turnText,
  watchFor: (watchFor: PlanWatchTime) => `each for ${writeWatchTime(watchFor)}`,
  tokens: (tokens: PlanTokens) => `tokens ${structureTexts.tokens?.(tokens)}`,
  headers: (headers) => `headers ${structureTexts.headers?.(headers)}`,
};

type TextOf = ((value: unknown) => string | undefined) | undefined;

/** An option of an audience as the cell of a table; undefined if it is not used. */
export function optionText(name: OptionName, pull: Audience): string | undefined {
  const value: unknown = pull[name];
  if (!isUsed(name, pull[name])) return undefined;
  const textOf = (structureTexts[name] ?? optionRows[name].text) as TextOf;
  return textOf ? textOf(value) : plainText(name, value);
}

/** An option in a comparison, where an absent one has a text too. */
export function comparedText(name: OptionName, pull: Audience): string {
  const { value, text, absentText } = optionRows[name];
  const used = optionText(name, pull);
  if (used !== undefined) return used;
  if (absentText !== undefined) return absentText;
  if (value.is === 'choice') return (text as TextOf)?.(value.of[0]) ?? value.of[0] ?? '';
  return value.is === 'flag' ? 'off' : 'none';
}

/** An option of an audience in the line that describes its load; undefined if it is not used. */
export function optionWords(name: OptionName, pull: Audience): string | undefined {
  if (!isUsed(name, pull[name])) return undefined;
  const wordsOf = (structureWords[name] ?? optionRows[name].words) as TextOf;
  return wordsOf ? wordsOf(pull[name]) : `${name} ${writeOption(name, pull[name])}`;
}

/** A value of an option as in a plan. */
export const writeOption = (name: OptionName, value: unknown): string => optionFields[name].kind.write(value as never);

function plainText(name: OptionName, value: unknown): string {
  if (typeof value === 'boolean') return 'on';
  return typeof value === 'string' ? value : writeOption(name, value);
}
