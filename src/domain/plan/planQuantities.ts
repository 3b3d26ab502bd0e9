import type { PlanField } from './planField';
import { longestMs, parseBitrate, parseDuration, parseRate, writeBitrate } from './quantity';

/**
 * Quantities of a plan's text, each with its unit. A fault is a `PlanError` that ends with `write`, what to write
 * instead.
 */

const isBareNumber = (text: string): boolean => /^\d+(\.\d+)?$/.test(text);

/** A duration in ms; 0 for `0s`. */
export function readDuration(field: PlanField, write: string): number {
  const text = field.text(write);
  if (text.startsWith('-')) field.fail(`${text} is negative. ${write}`);
  const durationMs = parseDuration(text.replace(/\s+/g, ''));
  if (durationMs === undefined)
    return field.fail(isBareNumber(text) ? `${text} has no unit. ${write}` : `"${text}" is not a duration. ${write}`);
  return durationMs <= longestMs ? durationMs : field.fail(`${text} is longer than a year. ${write}`);
}

/** A duration above 0, in ms; `nothing` is the sentence for `0s`. */
export function readTime(field: PlanField, write: string, nothing: string): number {
  const durationMs = readDuration(field, write);
  return durationMs > 0 ? durationMs : field.fail(`${nothing} ${write}`);
}

/** Viewers per second. */
export function readRate(field: PlanField): number {
  const write = 'Write viewers per second or minute, e.g. 200/s or 10/min.';
  const text = field.text(write);
  if (text.startsWith('-')) field.fail(`${text} is negative. ${write}`);
  const rate = parseRate(text.replace(/\s+/g, ''));
  if (rate === undefined)
    return field.fail(isBareNumber(text) ? `${text} has no unit. ${write}` : `"${text}" is not a rate. ${write}`);
  return rate > 0 ? rate : field.fail(`At this rate no viewer ever connects. ${write}`);
}

/** A bitrate in kbit/s, at most `most`. */
export function readBitrate(field: PlanField, most: number): number {
  const write = 'Write it with its unit, e.g. 800kbit/s or 1.5Mbit/s.';
  const text = field.text(write);
  const kbps = parseBitrate(text.replace(/\s+/g, ''));
  if (kbps === undefined)
    return field.fail(isBareNumber(text) ? `${text} has no unit. ${write}` : `"${text}" is not a bitrate. ${write}`);
  if (kbps === 0) field.fail(`Nothing passes at this rate. ${write}`);
  return kbps <= most ? kbps : field.fail(`${text} is more than ${writeBitrate(most)}. ${write}`);
}

/** A percentage, more than `above` and at most `most`. */
export function readPercent(
  field: PlanField,
  write: string,
  { above, most }: { readonly above: number; readonly most: number },
): number {
  const text = field.text(write);
  if (text.startsWith('-')) field.fail(`${text} is negative. ${write}`);
  const match = /^(\d+(?:\.\d+)?)\s*%$/.exec(text);
  if (!match)
    return field.fail(isBareNumber(text) ? `${text} has no unit. ${write}` : `"${text}" is not a percentage. ${write}`);
  const percent = Number(match[1]);
  if (percent <= above) return field.fail(`${text} is too small. ${write}`);
  return percent <= most ? percent : field.fail(`${text} is more than ${most} %. ${write}`);
}
