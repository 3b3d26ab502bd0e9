import { delayBounds } from '../../../contract/delayCalls';
import { expectedTestMs } from '../../../domain/delay/duration';
import type { DelayPath } from '../../../domain/delay/paths';
import { formatAbout } from '../../../domain/text/timeFormat';
import { counted, grouped, typedNumber } from '../../ui/format/numbers';

/** A number from a text field, or what to enter instead. */
export type ReadNumber =
  { readonly value: number; readonly problem?: undefined } | { readonly value?: undefined; readonly problem: string };

const readWithin = (text: string, least: number, most: number, unit: string): ReadNumber => {
  const value = typedNumber(text);
  return value !== undefined && Number.isInteger(value) && value >= least && value <= most
    ? { value }
    : { problem: `Enter ${grouped(least)} to ${grouped(most)} ${unit}.` };
};

/** Seconds that a path is measured; in a window, a path that takes minutes is a mistake. */
export const readSeconds = (text: string): ReadNumber =>
  readWithin(text, delayBounds.measureMs.least / 1000, delayBounds.measureMs.most / 1000, 's');

export const readRepeats = (text: string): ReadNumber =>
  readWithin(text, delayBounds.repeats.least, delayBounds.repeats.most, 'repeats');

export const readLoad = (text: string): ReadNumber =>
  readWithin(text, delayBounds.viewers.least, delayBounds.viewers.most, 'viewers');

/** `14 paths × 3 repeats, about 12 min`. */
export function expectationOf(paths: readonly DelayPath[], repeats: number, measureMs: number): string {
  return `${counted(paths.length, 'path')} × ${counted(repeats, 'repeat')}, about ${formatAbout(
    expectedTestMs(paths, repeats, measureMs),
  )}`;
}
