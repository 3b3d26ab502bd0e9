import { basename, dirname } from 'node:path';
import { openRunLibrary, readSaved } from '../../src/engine/store';
import type { Drill } from './drill';
import { filesIn } from './leftovers';

/** A time in which nothing could be measured, e.g. while all processes were suspended. */
export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The samples of the audience in a run's file. */
export interface Recorded {
  /** Seconds without a sample, except those of the gap. */
  readonly lost: number;
  /** Samples of a time in which nothing was measured. */
  readonly invented: number;
  /** Length of the gap in the record, in seconds. */
  readonly gapSeconds: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly peak: number;
}

/** Half of the interval of samples: one that is due when a gap starts or ends may be on either side of it. */
const edgeMs = 500;

/** The only run in a folder. */
export function runFileIn(folder: string): string {
  const [file, ...more] = filesIn(folder).filter((name) => name.endsWith('.fullhouse'));
  if (file === undefined || more.length > 0)
    throw new Error(`One run expected in ${folder}, found: ${[file, ...more].join(', ')}`);
  return file;
}

/** The audience's samples in the only run of a drill; `node` is its tester. */
export function recordedIn(drill: Pick<Drill, 'folder'>, node: string, gap?: Gap): Recorded {
  const file = runFileIn(drill.folder);
  const id = basename(file, '.fullhouse');
  return readSaved(openRunLibrary(dirname(file)), id, (reader) => {
    const { timeMs, value } = reader.values(node, 'viewersConnected');
    return samplesOf([...timeMs], [...value], gap);
  });
}

/**
 * Each second has one sample, so those that are missing in the record's time are lost. A late one is not: a busy
 * machine delays samples, and the next one follows at once.
 */
export function samplesOf(times: readonly number[], values: readonly number[], gap?: Gap): Recorded {
  let gapSeconds = 0;
  let gapMs = 0;
  let disordered = 0;
  times.slice(1).forEach((time, index) => {
    const before = times[index] ?? time;
    if (time <= before) disordered += 1;
    if (!gap || before >= gap.toMs || time <= gap.fromMs || time - before < 1000 * gapSeconds) return;
    gapSeconds = (time - before) / 1000;
    // One second of it is the usual distance.
    gapMs = Math.max(0, time - before - 1000);
  });
  const firstMs = times[0] ?? 0;
  const lastMs = times[times.length - 1] ?? 0;
  const expected = times.length === 0 ? 0 : Math.round((lastMs - firstMs - gapMs) / 1000) + 1;
  return {
    lost: Math.max(0, expected - times.length) + disordered,
    invented: gap ? times.filter((time) => time > gap.fromMs + edgeMs && time < gap.toMs - edgeMs).length : 0,
    ...{ gapSeconds, firstMs, lastMs },
    peak: Math.max(0, ...values),
  };
}
