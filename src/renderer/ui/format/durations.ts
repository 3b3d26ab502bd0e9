import { parseDuration } from '../../../domain/plan/quantity';

/** Parses `90 s`, `2 min`, `1 h 30 min`; undefined if a number lacks a unit or other text is present. */
export const readDuration = (text: string): number | undefined =>
  parseDuration(text.toLowerCase().replace(/\s+/g, '').replaceAll('min', 'm'));
