import { everySecond, type Clock } from '../base/clock';
import { hostValues, waitPercent, type HostReading, type HostValues } from './hostRates';

/** One second of a host. */
export interface LocalHostSample {
  readonly timeMs: number;
  readonly values: HostValues;
  /** How long processes of the test waited for a processor, in percent of one core, by pid. */
  readonly waits: ReadonlyMap<number, number>;
}

/**
 * Samples a host each wall-clock second until the returned function is called. A reading that fails leaves a gap;
 * `onProblem` gets the first failure in a row.
 */
export function sampleHost(options: {
  readonly clock: Clock;
  readonly read: () => HostReading;
  readonly onSample: (sample: LocalHostSample) => void;
  readonly onProblem: (sentence: string) => void;
}): () => void {
  let before: HostReading | undefined;
  let failing = false;
  return everySecond(options.clock, (timeMs) => {
    try {
      const now = options.read();
      failing = false;
      const values = hostValues(before, now);
      const waits = waitsOf(before, now);
      before = now;
      options.onSample({ timeMs, values, waits });
    } catch (error) {
      before = undefined;
      if (!failing) options.onProblem(`This host's figures can't be read: ${(error as Error).message}.`);
      failing = true;
    }
  });
}

function waitsOf(before: HostReading | undefined, now: HostReading): ReadonlyMap<number, number> {
  const seconds = before ? (now.monotonicMs - before.monotonicMs) / 1000 : 0;
  if (!(seconds > 0)) return new Map();
  return new Map(
    (now.ours ?? []).flatMap((one): Array<[number, number]> => {
      const percent = waitPercent(before?.ours, [one], seconds);
      return percent === undefined ? [] : [[one.pid, percent]];
    }),
  );
}
