/** A file of the watched history: all that was watched from one time to another. */
export interface WatchedSegment {
  readonly run: string;
  /** Unix ms; both ends included. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Between two samples of a series. */
  readonly stepMs: number;
  readonly bytes: number;
}

/** How long the watched history is kept, and how large it may be. */
export interface Retention {
  readonly keepMs: number;
  readonly maxBytes: number;
}

const dayMs = 86_400_000;
export const defaultRetention: Retention = { keepMs: 7 * dayMs, maxBytes: 1e9 };

/** Samples of this age are kept at this step; the peaks stay, see `Reducer`. */
const tiers = [
  { stepMs: 10_000, fromAgeMs: 2 * dayMs },
  { stepMs: 60_000, fromAgeMs: 5 * dayMs },
] as const;
const thinnest = 60_000;

/** Rough size of a segment in relation to the same at 1 s: two samples of each step remain. */
const shares: Readonly<Record<number, number>> = { 10_000: 0.35, 60_000: 0.07 };

export type RetentionStep =
  | { readonly kind: 'delete'; readonly run: string }
  | { readonly kind: 'thin'; readonly run: string; readonly stepMs: number };

/**
 * What to delete and what to make thinner, so that no segment is older than allowed and all of them together are not
 * larger. `segments` are those that nothing is added to any more; `activeBytes` is the size of the others. The oldest
 * data becomes thinner first, and is deleted only once all of it is as thin as possible.
 */
export function retentionSteps(
  segments: readonly WatchedSegment[],
  nowMs: number,
  { keepMs, maxBytes }: Retention,
  activeBytes = 0,
): readonly RetentionStep[] {
  const kept = segments
    .filter(({ toMs }) => nowMs - toMs <= keepMs)
    .sort((a, b) => a.fromMs - b.fromMs)
    .map((segment) => ({ ...segment, due: Math.max(segment.stepMs, stepAtAge(nowMs - segment.toMs)), isKept: true }));
  const sizeAt = ({ bytes, stepMs }: WatchedSegment, due: number): number =>
    bytes * ((shares[due] ?? 1) / (shares[stepMs] ?? 1));
  let total = activeBytes + kept.reduce((sum, each) => sum + sizeAt(each, each.due), 0);
  for (const step of [10_000, thinnest])
    for (const each of kept) {
      if (total <= maxBytes) break;
      if (each.due >= step) continue;
      total -= sizeAt(each, each.due) - sizeAt(each, step);
      each.due = step;
    }
  for (const each of kept) {
    if (total <= maxBytes) break;
    total -= sizeAt(each, each.due);
    each.isKept = false;
  }
  const known = new Map(kept.map((each) => [each.run, each]));
  return segments.flatMap(({ run, stepMs }): RetentionStep[] => {
    const each = known.get(run);
    if (!each?.isKept) return [{ kind: 'delete', run }];
    return each.due > stepMs ? [{ kind: 'thin', run, stepMs: each.due }] : [];
  });
}

function stepAtAge(ageMs: number): number {
  return tiers.reduce<number>((step, tier) => (ageMs >= tier.fromAgeMs ? tier.stepMs : step), 0);
}
