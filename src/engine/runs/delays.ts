import type { ViewerRow } from '../../contract/viewerSchemas';
import type { ClockView } from '../../domain/model/node';
import { clockCorrectionMs } from '../../domain/node/clockCorrection';
import type { SeriesId } from '../../domain/series/series';
import { clocksDifferSentence, isPossibleDelay } from '../../domain/viewer/delay';
import type { PullSample } from '../load/driver';

/** Offsets of the clocks of a job's tester and of its stream's sender, where known. */
export interface Clocks {
  readonly tester: ClockView | undefined;
  readonly sender: ClockView | undefined;
}

const methods = [
  ['senderReportMs', ['senderReportDelayP50Ms', 'senderReportDelayP95Ms', 'senderReportDelayP99Ms']],
  ['captureTimeMs', ['captureDelayP50Ms', 'captureDelayP95Ms', 'captureDelayP99Ms']],
] as const satisfies ReadonlyArray<readonly [string, readonly SeriesId[]]>;

/**
 * The values of a job's report with its delays, in one clock. A delay that the clocks make impossible is left out;
 * `problem` is why, in one sentence.
 */
export function withDelays(
  { values, delay }: Pick<PullSample, 'values' | 'delay'>,
  { tester, sender }: Clocks,
  stream: string,
  testerName: string,
): { readonly values: PullSample['values']; readonly problem?: string } {
  if (!delay) return { values };
  const correctionMs = clockCorrectionMs(tester, sender);
  const found: Partial<Record<SeriesId, number>> = { ...values };
  let problem = delay.clocksDiffer ? clocksDifferSentence(stream, testerName, undefined) : undefined;
  for (const [method, [p50, p95, p99]] of methods) {
    const percentiles = delay[method];
    if (!percentiles) continue;
    const medianMs = percentiles.p50 + correctionMs;
    if (!isPossibleDelay(medianMs)) {
      problem = clocksDifferSentence(stream, testerName, medianMs);
      continue;
    }
    found[p50] = medianMs;
    found[p95] = percentiles.p95 + correctionMs;
    if (percentiles.p99 !== undefined) found[p99] = percentiles.p99 + correctionMs;
  }
  return { values: found, ...(problem === undefined ? {} : { problem }) };
}

/** A viewer with its delay in one clock, without one that is impossible. */
export function correctedRow(row: ViewerRow, { tester, sender }: Clocks): ViewerRow {
  if (row.delayMs === undefined) return row;
  const delayMs = row.delayMs + clockCorrectionMs(tester, sender);
  if (isPossibleDelay(delayMs)) return { ...row, delayMs };
  const { delayMs: _, delayMethod: __, ...rest } = row;
  return rest;
}
