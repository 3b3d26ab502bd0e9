import { delayStats, type DelayExpectation } from '../model/plan';
import { maxDelayMs } from '../viewer/delay';

export const delayExample = 'p95 <= 500ms';
const write = `Write it like "${delayExample}", with ${delayStats.join(', ')}; or a list of several.`;

/** Reads `p95 <= 500ms`; otherwise returns a sentence that states what to write. */
export function parseDelay(text: string): DelayExpectation | string {
  const [, statText, amount, unit] = /^(\w+)\s*<=\s*(\d+(?:\.\d+)?)\s*([a-z]*)$/.exec(text.trim()) ?? [];
  const stat = delayStats.find((each) => each === statText);
  if (stat === undefined) return `"${text}" is not valid. ${write}`;
  if (unit !== 'ms' && unit !== 's')
    return unit === '' ? `${amount} has no unit. ${write}` : `"${amount}${unit}" is not valid. ${write}`;
  const valueMs = Number(amount) * (unit === 's' ? 1000 : 1);
  if (valueMs > maxDelayMs) return `${amount}${unit} is more than ${maxDelayMs / 1000}s. ${write}`;
  return { stat, valueMs };
}

/** The inverse of `parseDelay`, e.g. `p95 <= 500ms`. */
export const formatDelay = ({ stat, valueMs }: DelayExpectation): string => `${stat} <= ${valueMs}ms`;

/** For display, e.g. `p95 <= 500 ms`. */
export const describeDelay = ({ stat, valueMs }: DelayExpectation): string => `${stat} <= ${valueMs} ms`;
