import type { PhotoDelay, PhotoReading } from './photoDelays';

/** The delay of one screen behind the newest one, over the pictures of a recording; a photo has one. */
export interface RecordedDelay {
  readonly source: number;
  readonly medianMs: number;
  readonly minMs: number;
  readonly maxMs: number;
  /** Of each picture. */
  readonly uncertaintyMs: number;
  /** In how many pictures it is readable. */
  readonly pictures: number;
}

/**
 * Delays over several pictures of the same screens. Which screen is which is known by their order only, so pictures in
 * which fewer of them are readable than in others are left out.
 */
export function recordingDelays(readings: readonly PhotoReading[]): RecordedDelay[] {
  const sources = [...new Set(readings.flatMap(({ delays }) => delays.map(({ source }) => source)))];
  return sources.flatMap((source) => {
    const each = readings.map(({ delays }) => delays.filter((delay) => delay.source === source));
    const screens = Math.max(...each.map(({ length }) => length));
    const whole = each.filter(({ length }) => length === screens);
    return Array.from({ length: screens }, (_, rank) => summaryOf(whole.flatMap((delays) => delays[rank] ?? [])));
  });
}

function summaryOf(delays: readonly PhotoDelay[]): RecordedDelay {
  const sorted = delays.map(({ delayMs }) => delayMs).sort((a, b) => a - b);
  return {
    source: delays[0]?.source ?? 0,
    medianMs: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0,
    minMs: sorted[0] ?? 0,
    maxMs: sorted.at(-1) ?? 0,
    uncertaintyMs: Math.max(...delays.map(({ uncertaintyMs }) => uncertaintyMs)),
    pictures: delays.length,
  };
}
