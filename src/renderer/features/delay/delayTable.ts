import { md, tableOf } from '../../../domain/text/escape/markdown';
import type { DelaySummary } from '../../player/clock/delaySamples';
import { grouped, missing } from '../../ui/format/numbers';

/** What is known of a row. */
export type DelayState =
  | { readonly kind: 'waiting' }
  /** `step`: what is being done, `share` of the measurement from 0 to 1. */
  | { readonly kind: 'running'; readonly step: string; readonly share: number }
  | { readonly kind: 'done'; readonly delay: DelaySummary; readonly remark?: string }
  | { readonly kind: 'failed'; readonly sentence: string };

export interface DelayResult {
  readonly title: string;
  readonly state: DelayState;
}

export const delayColumns = ['p50', 'p95', 'p99', 'Jitter', '±'] as const;

/** The figures of a row in the order of the columns, in ms. */
export function delayFigures(state: DelayState): readonly string[] {
  if (state.kind !== 'done') return delayColumns.map(() => missing);
  const { p50Ms, p95Ms, p99Ms, jitterMs, uncertaintyMs } = state.delay;
  return [grouped(p50Ms), grouped(p95Ms), grouped(p99Ms), grouped(jitterMs, 1), grouped(uncertaintyMs)];
}

/** The table as Markdown, for a ticket or a page of documentation. */
export function delayMarkdown(server: string, results: readonly DelayResult[]): string {
  const measured = results.filter(({ state }) => state.kind === 'done' || state.kind === 'failed');
  const remarkOf = (state: DelayState): string =>
    state.kind === 'failed' ? state.sentence : state.kind === 'done' ? (state.remark ?? '') : '';
  const rows = measured.map(({ title, state }, index) => [
    String(index + 1),
    md(title),
    ...delayFigures(state),
    md(remarkOf(state)),
  ]);
  return [
    `Glass-to-glass delay of ${md(server)}, in ms: from drawing a test pattern to displaying it, by the clock in each frame.`,
    '',
    tableOf(['#', 'Path', ...delayColumns, 'Remark'], rows, ['---', '---', ...delayColumns.map(() => '---:'), '---']),
    '',
  ].join('\n');
}
