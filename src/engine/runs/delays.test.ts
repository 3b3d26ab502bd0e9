import { describe, expect, it } from 'vitest';
import type { ViewerRow } from '../../contract/viewerSchemas';
import { Histogram } from '../../domain/distribution/histogram';
import type { JobDelay } from '../load/driver';
import { correctedRow, withDelays } from './delays';

const same = { tester: undefined, sender: undefined };
const ahead = (offsetMs: number) => ({ offsetMs, uncertaintyMs: 1 });
const around = (median: number) => Histogram.of([median - 20, median, median + 20]);
/** As an agent sends delays: less what the first one was. */
const sent = (of: { report?: number; capture?: number }, referenceMs = 0): JobDelay => ({
  referenceMs,
  ...(of.report === undefined ? {} : { senderReportDelayMs: around(of.report - referenceMs) }),
  ...(of.capture === undefined ? {} : { captureDelayMs: around(of.capture - referenceMs) }),
});
const frameRate = Histogram.of([25]);
const delays = (delay: JobDelay | undefined, clocks: Parameters<typeof withDelays>[1] = same) =>
  withDelays({ distributions: { frameRate }, delay }, clocks, 'cam', 'tester-1');
const medians = ({ distributions }: ReturnType<typeof withDelays>) => [
  distributions.senderReportDelayMs?.percentile(50),
  distributions.captureDelayMs?.percentile(50),
];

describe('the delays of a report', () => {
  it('become distributions by their method', () => {
    const [report, capture] = medians(delays(sent({ report: 40, capture: 300 })));
    expect(report).toBeCloseTo(40, 0);
    expect(capture).toBeCloseTo(300, -1);
    expect(delays(undefined)).toEqual({ distributions: { frameRate } });
  });

  it('are put into one clock without becoming coarser: a tester 50 s ahead sees packets 50 s late', () => {
    const found = delays(sent({ report: 50_040 }, 50_033), { tester: ahead(50_000), sender: ahead(0) });
    const { senderReportDelayMs } = found.distributions;
    expect(senderReportDelayMs?.percentile(50)).toBeCloseTo(40, 0);
    expect([senderReportDelayMs?.low, senderReportDelayMs?.high]).toEqual([20, 60]);
  });

  it('are left out with a reason where the clocks make them impossible', () => {
    for (const impossible of [-5000, 75_000]) {
      const found = delays(sent({ report: impossible, capture: 300 }));
      const [report, capture] = medians(found);
      expect(report).toBeUndefined();
      expect(capture).toBeCloseTo(300, -1);
      expect(found.problem).toContain('One-way delay of cam not measured.');
    }
    expect(delays({ referenceMs: 0, clocksDiffer: 3 }).problem).toContain('more than an hour');
  });
});

describe('the delay of a viewer', () => {
  const row = { viewer: 1, delayMs: 5040, delayMethod: 'sender-report' } as ViewerRow;

  it('is put into the same clock', () => {
    expect(correctedRow(row, { tester: ahead(5000), sender: ahead(0) })).toEqual({ ...row, delayMs: 40 });
    expect(correctedRow({ viewer: 1 } as ViewerRow, same)).toEqual({ viewer: 1 });
  });

  it('is left out if it is impossible', () => {
    expect(correctedRow(row, { tester: ahead(9000), sender: ahead(0) })).toEqual({ viewer: 1 });
  });
});
