import { describe, expect, it } from 'vitest';
import type { ViewerRow } from '../../contract/viewerSchemas';
import { correctedRow, withDelays } from './delays';

const same = { tester: undefined, sender: undefined };
const ahead = (offsetMs: number) => ({ offsetMs, uncertaintyMs: 1 });
const ofMedian = (p50: number) => ({ p50, p95: p50 + 20, p99: p50 + 30 });
const delays = (delay: Parameters<typeof withDelays>[0]['delay'], clocks: Parameters<typeof withDelays>[1] = same) =>
  withDelays({ values: { frameRate: 25 }, delay }, clocks, 'cam', 'tester-1');

describe('the delays of a report', () => {
  it('become series by their method', () => {
    expect(delays({ senderReportMs: ofMedian(40), captureTimeMs: ofMedian(300) })).toEqual({
      values: {
        frameRate: 25,
        senderReportDelayP50Ms: 40,
        senderReportDelayP95Ms: 60,
        senderReportDelayP99Ms: 70,
        captureDelayP50Ms: 300,
        captureDelayP95Ms: 320,
        captureDelayP99Ms: 330,
      },
    });
    expect(delays(undefined)).toEqual({ values: { frameRate: 25 } });
  });

  it('are put into one clock: a tester 5 s ahead sees packets 5 s late', () => {
    const { values } = delays({ senderReportMs: ofMedian(5040) }, { tester: ahead(5000), sender: ahead(0) });
    expect(values).toMatchObject({ senderReportDelayP50Ms: 40, senderReportDelayP95Ms: 60 });
  });

  it('are left out with a reason where the clocks make them impossible', () => {
    for (const impossible of [-5000, 75_000]) {
      const { values, problem } = delays({ senderReportMs: ofMedian(impossible), captureTimeMs: ofMedian(300) });
      expect(values).not.toHaveProperty('senderReportDelayP50Ms');
      expect(values).not.toHaveProperty('senderReportDelayP95Ms');
      expect(values).toHaveProperty('captureDelayP50Ms', 300);
      expect(problem).toContain('One-way delay of cam not measured.');
    }
    expect(delays({ clocksDiffer: 3 }).problem).toContain('more than an hour');
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
