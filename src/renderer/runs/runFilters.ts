import type { RunSummary, RunView } from '../../domain/run';

export type VerdictFilter = 'all' | RunSummary['verdict'];

export const verdictTitles: Readonly<Record<RunSummary['verdict'], string>> = {
  running: 'Running',
  pass: 'Pass',
  fail: 'Fail',
  inconclusive: 'Inconclusive',
  stopped: 'Stopped',
  interrupted: 'Interrupted',
  damaged: 'Damaged',
};

/** `All` and every verdict that a kept run has, with how many. */
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

/** Runs whose name, origin or verdict holds every word of the text. */
export function filterRuns(
  runs: readonly RunSummary[],
  verdict: VerdictFilter,
  text: string,
): readonly RunSummary[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return runs.filter((run) => {
    if (verdict !== 'all' && run.verdict !== verdict) return false;
    const all = `${run.name} ${run.origin} ${verdictTitles[run.verdict]} ${run.problem ?? ''}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** The list with the present figures of the run under way: its file is summed up only when it ends. */
export function withLive(
  runs: readonly RunSummary[],
  live: RunView | undefined,
  nowMs: number,
): readonly RunSummary[] {
  if (!live) return runs;
  const { requested, connectedPeak, degradedPercentPeak } = live.figures;
  return runs.map((run) =>
    run.id === live.id ? { ...run, requested, connectedPeak, degradedPercentPeak, endedMs: nowMs } : run,
  );
}

/** Points of the small picture, for an SVG polyline in a box of this size; the asked number is its top. */
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
