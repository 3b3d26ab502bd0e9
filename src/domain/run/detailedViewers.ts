/** A viewer's row, as far as it says how bad its stream was. */
export interface RankedViewer {
  readonly tester: string;
  readonly job: string;
  readonly viewer: number;
  readonly state: string;
  readonly connectMs?: number;
  readonly lossPercent?: number;
  readonly stalls: number;
  readonly stalledMs: number;
  readonly degradedMs?: number;
}

/** Number of viewers whose details a run file keeps. */
export const detailedCount = { worst: 20, random: 20 } as const;

/**
 * The viewers whose details a run keeps: the worst, worst first, and as many random others for comparison. The same
 * `seed` selects the same viewers.
 */
export function detailedViewers<Row extends RankedViewer>(rows: readonly Row[], seed: string): readonly Row[] {
  // Viewers that never started have no details.
  const arrived = rows.filter(({ state }) => state !== 'waiting');
  const worst = worstViewers(arrived, detailedCount.worst);
  const taken = new Set(worst);
  const others = arrived.filter((row) => !taken.has(row));
  return [...worst, ...randomViewers(others, detailedCount.random, seed)];
}

/** Worst first: failed ones, then by time degraded, stalls, loss, and time to connect. */
export function worstViewers<Row extends RankedViewer>(rows: readonly Row[], count: number): readonly Row[] {
  return [...rows].sort(byBadness).slice(0, count);
}

const badness: ReadonlyArray<(row: RankedViewer) => number> = [
  ({ state }) => (state === 'failed' ? 1 : 0),
  ({ degradedMs = 0 }) => degradedMs,
  ({ stalledMs }) => stalledMs,
  ({ stalls }) => stalls,
  ({ lossPercent = 0 }) => lossPercent,
  ({ connectMs = 0 }) => connectMs,
];

function byBadness(a: RankedViewer, b: RankedViewer): number {
  for (const of of badness) {
    const difference = of(b) - of(a);
    if (difference !== 0) return difference;
  }
  return a.tester.localeCompare(b.tester) || a.job.localeCompare(b.job) || a.viewer - b.viewer;
}

/** A sample without repetition, in the order of the rows (Knuth's selection sampling, algorithm S). */
function randomViewers<Row>(rows: readonly Row[], count: number, seed: string): readonly Row[] {
  const random = randomOf(seed);
  const chosen: Row[] = [];
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
