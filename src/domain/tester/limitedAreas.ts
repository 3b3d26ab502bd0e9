import type { RunView } from '../model/run';

/**
 * An interval in which at least one tester was at its own limit, Unix ms; without an end while it lasts, and if it
 * lasted to the end of the run.
 */
export interface LimitedArea {
  readonly fromMs: number;
  readonly toMs?: number;
}

/** The hatched areas of charts: the limits of all testers, merged. */
export function limitedAreas({ testerLimits = [] }: Pick<RunView, 'testerLimits'>): readonly LimitedArea[] {
  const areas: Array<{ fromMs: number; toMs: number }> = [];
  for (const { fromMs, toMs = Infinity } of [...testerLimits].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = areas.at(-1);
    if (last && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs);
    else areas.push({ fromMs, toMs });
  }
  return areas.map(({ fromMs, toMs }) => ({ fromMs, ...(toMs === Infinity ? {} : { toMs }) }));
}
