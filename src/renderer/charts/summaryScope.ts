import type { SummaryScope } from '../../domain/charts/chartSummary';
import type { Scene } from './scene';
import type { TimeAxis } from './timeAxis.svelte';

/** How often the summary of a live chart is read again, ms. */
export const summaryEveryMs = 5000;

/** What the summary of a chart covers: what is visible. */
export function summaryScope(
  { startedMs, ended, nowMs, timeScale }: Pick<Scene, 'startedMs' | 'ended' | 'nowMs' | 'timeScale'>,
  { range, zoom, span, firstMs }: Pick<TimeAxis, 'range' | 'zoom' | 'span' | 'firstMs'>,
): SummaryScope {
  const [fromMs, toMs] = [Math.max(firstMs, range.fromMs), Math.min(range.toMs, nowMs)];
  const isPart = zoom !== undefined || (span !== 'run' && fromMs > firstMs);
  return { startedMs, fromMs, toMs, nowMs: ended ? undefined : nowMs, isPart, timeText: timeScale.text };
}
