import type { RunSummary, RunView } from '../../../domain/model/run';

export type VerdictFilter = 'all' | RunSummary['verdict'];

const verdictTitles: Readonly<Record<RunSummary['verdict'], string>> = {
  running: 'Running',
  pass: 'Pass',
  fail: 'Fail',
  inconclusive: 'Inconclusive',
  stopped: 'Stopped',
  interrupted: 'Interrupted',
  'not-started': 'Not started',
  damaged: 'Damaged',
};

/** `All` and every verdict of the saved runs, with counts. */
export function verdictFilters(
  runs: readonly RunSummary[],
): readonly { filter: VerdictFilter; text: string; count: number }[] {
  const verdicts = (Object.keys(verdictTitles) as RunSummary['verdict'][]).map((verdict) => ({
    filter: verdict,
    text: verdictTitles[verdict],
    count: runs.filter((run) => run.verdict === verdict).length,
  }));
  return [{ filter: 'all', text: 'All', count: runs.length }, ...verdicts.filter(({ count }) => count > 0)];
}

/** Filter of the library. */
export interface RunFilter {
  readonly verdict: VerdictFilter;
  readonly origin?: string;
  readonly tag?: string;
  readonly text: string;
}

export const noFilter: RunFilter = { verdict: 'all', text: '' };

/**
 * Runs that have the verdict, origin and tag, and whose name, tags, nodes, reason or note hold every word of the text.
 */
export function filterRuns(runs: readonly RunSummary[], filter: RunFilter): readonly RunSummary[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return runs.filter((run) => {
    if (filter.verdict !== 'all' && run.verdict !== filter.verdict) return false;
    if (filter.origin !== undefined && run.origin !== filter.origin) return false;
    if (filter.tag !== undefined && !run.tags?.includes(filter.tag)) return false;
    if (words.length === 0) return true;
    const all = searched(run);
    return words.every((word) => all.includes(word));
  });
}

function searched(run: RunSummary): string {
  const { name, origin, verdict, problem, tags = [], testers = [], reason, note, isBaseline } = run;
  const parts = [name, origin, verdictTitles[verdict], problem, ...tags, ...testers, reason, note];
  return [...parts, isBaseline ? 'baseline' : ''].join(' ').toLowerCase();
}

/** Origins with run counts and colour: the fleet's, or that of the newest run for a removed node. */
export function originCounts(
  runs: readonly RunSummary[],
  nodes: ReadonlyArray<{ readonly name: string; readonly colourSlot: number }>,
): readonly { origin: string; slot: number | undefined; count: number }[] {
  const counts = new Map<string, { slot: number | undefined; count: number }>();
  for (const { origin, originSlot } of runs) {
    if (origin === '') continue;
    const known = counts.get(origin);
    if (known) counts.set(origin, { slot: known.slot ?? originSlot, count: known.count + 1 });
    else
      counts.set(origin, {
        slot: nodes.find(({ name }) => name === origin)?.colourSlot ?? originSlot,
        count: 1,
      });
  }
  return [...counts]
    .map(([origin, { slot, count }]) => ({ origin, slot, count }))
    .sort((a, b) => b.count - a.count || a.origin.localeCompare(b.origin));
}

/** The list with the current figures of the active run: its file is summarised only when it ends. */
export function withLive(runs: readonly RunSummary[], live: RunView | undefined, nowMs: number): readonly RunSummary[] {
  if (!live) return runs;
  const { requested, connectedPeak, degradedPercentPeak } = live.figures;
  return runs.map((run) =>
    run.id === live.id ? { ...run, requested, connectedPeak, degradedPercentPeak, endedMs: nowMs } : run,
  );
}

/** Points of the sparkline, for an SVG polyline in a box of this size; the requested number is its top. */
export function tracePoints(
  trace: readonly number[],
  requested: number,
  size: { readonly width: number; readonly height: number },
): string {
  const top = Math.max(1, requested, ...trace);
  const step = trace.length > 1 ? size.width / (trace.length - 1) : 0;
  return trace
    .map((value, index) => `${(index * step).toFixed(1)},${((1 - value / top) * size.height).toFixed(1)}`)
    .join(' ');
}
