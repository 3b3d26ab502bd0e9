import type { ViewerRow } from './run';

/** Of how many viewers a run file keeps the details. */
export const detailedCount = { worst: 20, random: 20 } as const;

/**
 * The viewers whose details a run keeps: the worst, worst first, and as many others by chance, so that the worst can be compared with
 * the usual. The same `seed` chooses the same viewers.
 */
export function detailedViewers(rows: readonly ViewerRow[], seed: string): readonly ViewerRow[] {
  // Who never arrived has nothing to tell.
  const arrived = rows.filter(({ state }) => state !== 'waiting');
  const worst = worstViewers(arrived, detailedCount.worst);
  const taken = new Set(worst);
  const others = arrived.filter((row) => !taken.has(row));
  return [...worst, ...randomViewers(others, detailedCount.random, seed)];
}

/** Worst first: failed ones, then by the time degraded, freezes, loss, and the time to connect. */
export function worstViewers(rows: readonly ViewerRow[], count: number): readonly ViewerRow[] {
  return [...rows].sort(byBadness).slice(0, count);
}

const badness: ReadonlyArray<(row: ViewerRow) => number> = [
  ({ state }) => (state === 'failed' ? 1 : 0),
  ({ degradedMs = 0 }) => degradedMs,
  ({ frozenMs }) => frozenMs,
  ({ freezes }) => freezes,
  ({ lossPercent = 0 }) => lossPercent,
  ({ connectMs = 0 }) => connectMs,
];

function byBadness(a: ViewerRow, b: ViewerRow): number {
  for (const of of badness) {
    const difference = of(b) - of(a);
    if (difference !== 0) return difference;
  }
  return a.tester.localeCompare(b.tester) || a.job.localeCompare(b.job) || a.viewer - b.viewer;
}

/** A sample without repetition, in the order of the rows (Knuth's selection sampling, algorithm S). */
function randomViewers(rows: readonly ViewerRow[], count: number, seed: string): readonly ViewerRow[] {
  const random = randomOf(seed);
  const chosen: ViewerRow[] = [];
  rows.forEach((row, place) => {
    if (random() * (rows.length - place) < count - chosen.length) chosen.push(row);
  });
  return chosen;
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32 over an FNV-1a hash). */
function randomOf(seed: string): () => number {
  let state = 0x811c9dc5;
  for (const sign of seed) state = Math.imul(state ^ (sign.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
