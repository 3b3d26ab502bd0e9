import type { ViewerRow } from '../../contract/viewerSchemas';
import type { ClockView } from '../../domain/model/node';
import { clockCorrectionMs } from '../../domain/node/clockCorrection';
import type { Histogram } from '../../domain/distribution/histogram';
import type { DistributionId } from '../../domain/series/distributions';
import { clocksDifferSentence, isPossibleDelay } from '../../domain/viewer/delay';
import type { PullSample } from '../load/driver';

/** Offsets of the clocks of a job's tester and of its stream's sender, where known. */
export interface Clocks {
  readonly tester: ClockView | undefined;
  readonly sender: ClockView | undefined;
}

const delayIds = ['senderReportDelayMs', 'captureDelayMs'] as const satisfies readonly DistributionId[];

/**
 * The distributions of a job's report with those of its delays, in one clock. A delay that the clocks make impossible is
 * left out; `problem` is why, in one sentence.
 */
export function withDelays(
  { distributions, delay }: Pick<PullSample, 'distributions' | 'delay'>,
  { tester, sender }: Clocks,
  stream: string,
  testerName: string,
): { readonly distributions: PullSample['distributions']; readonly problem?: string } {
  if (!delay) return { distributions };
  const correctionMs = delay.referenceMs + clockCorrectionMs(tester, sender);
  const histograms: Partial<Record<DistributionId, Histogram>> = { ...distributions };
  let problem = delay.clocksDiffer ? clocksDifferSentence(stream, testerName, undefined) : undefined;
  for (const id of delayIds) {
    const delays = delay[id];
    if (!delays) continue;
    const medianMs = delays.percentile(50) + correctionMs;
    if (isPossibleDelay(medianMs)) histograms[id] = delays.shifted(correctionMs);
    else problem = clocksDifferSentence(stream, testerName, medianMs);
  }
  return { distributions: histograms, ...(problem === undefined ? {} : { problem }) };
}

/** A viewer with its delay in one clock, without one that is impossible. */
export function correctedRow(row: ViewerRow, { tester, sender }: Clocks): ViewerRow {
  if (row.delayMs === undefined) return row;
  const delayMs = row.delayMs + clockCorrectionMs(tester, sender);
  if (isPossibleDelay(delayMs)) return { ...row, delayMs };
  const { delayMs: _, delayMethod: __, ...rest } = row;
  return rest;
}
