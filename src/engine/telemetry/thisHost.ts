import { everySecond, type Clock } from '../clock';
import { hostValues, type HostReading, type HostValues } from './hostRates';

/** One second of a host. */
export interface HostSample {
  readonly timeMs: number;
  readonly values: HostValues;
}

/**
 * Samples a host each wall-clock second until the returned function is called. A reading that fails leaves a gap;
 * `onProblem` hears of the first failure in a row.
 */
export function sampleHost(options: {
  readonly clock: Clock;
  readonly read: () => Promise<HostReading>;
  readonly onSample: (sample: HostSample) => void;
  readonly onProblem: (sentence: string) => void;
}): () => void {
  let before: HostReading | undefined;
  let reading = false;
  let failing = false;
  return everySecond(options.clock, (timeMs) => {
    if (reading) return;
    reading = true;
    options
      .read()
      .then((now) => {
        failing = false;
        const values = hostValues(before, now);
        before = now;
        options.onSample({ timeMs, values });
      })
      .catch((error: unknown) => {
        before = undefined;
        if (!failing) options.onProblem(`This host's figures can't be read: ${(error as Error).message}.`);
        failing = true;
      })
      .finally(() => {
        reading = false;
      });
  });
}
