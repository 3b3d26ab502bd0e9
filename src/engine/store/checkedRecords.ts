import { FullhouseError } from '../../contract/calls';
import type { RunEvent, Still } from '../../domain/model/run';
import type { Sample } from '../../domain/series/series';
import { earliestMs, latestMs } from './bounds';
import type { NewStill } from './types';

/** Memory limit for stills that wait for a disk. */
const maxStillBytes = 64 * 1024 * 1024;

/** Divides samples into those that can be saved and a sentence about the first other one. */
export function checkedSamples(samples: readonly Sample[]): {
  readonly good: readonly Sample[];
  readonly bad?: string;
} {
  const bad = samples.find((sample) => !isSample(sample));
  if (!bad) return { good: samples };
  return {
    good: samples.filter(isSample),
    bad: Number.isFinite(bad.value)
      ? `${bad.node} sent ${bad.series} with an impossible time (${bad.timeMs} ms); check the clock of its machine.`
      : `${bad.node} sent ${bad.value} as ${bad.series}; only numbers can be saved.`,
  };
}

function isSample({ value, timeMs }: Sample): boolean {
  return Number.isFinite(value) && timeMs >= earliestMs && timeMs <= latestMs;
}

/** Saved and shown with the same time: whole ms, as every reader requires. */
export function keptEvent(event: Omit<RunEvent, 'id'>, id: number): RunEvent {
  return { ...event, timeMs: Math.round(event.timeMs), id };
}

/** A still as it is read back. */
export function keptStill({ timeMs, cause, mime, data }: NewStill, id: number): Still {
  return { id, timeMs: Math.round(timeMs), cause, mime, bytes: data.length };
}

/** Throws a sentence when stills of so many bytes can't wait in memory. */
export function requireStillSpace(bytes: number): void {
  if (bytes > maxStillBytes)
    throw new FullhouseError('run-not-written', 'The still is not saved: too many are waiting for the disk.');
}
