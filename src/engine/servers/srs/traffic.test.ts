import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { summariesResponse, type Summaries } from './responses';
import { Traffic } from './traffic';

/** Captured from an SRS 7 with 200 viewers. */
const captured = summariesResponse.parse(
  JSON.parse(readFileSync(join(__dirname, '../../../../tests/fixtures/srs/webrtc-200/summaries.json'), 'utf8')),
).data;

/** The summaries `ms` later. SRS reports its sums every 3 s and updates them at other times. */
function after(ms: number, bytesPerSecond: number, summedEveryMs: number): Summaries {
  const shownMs = Math.floor(ms / 3000) * 3000;
  const summedMs = Math.floor(shownMs / summedEveryMs) * summedEveryMs;
  const { now_ms: nowMs = 0, system } = captured;
  return {
    ...captured,
    now_ms: nowMs + ms,
    system: {
      ...system,
      srs_sample_time: (system.srs_sample_time ?? 0) + shownMs,
      srs_send_bytes: (system.srs_send_bytes ?? 0) + (bytesPerSecond * summedMs) / 1000,
      srs_recv_bytes: (system.srs_recv_bytes ?? 0) + (bytesPerSecond * summedMs) / 10_000,
    },
  };
}

describe('traffic of an SRS polled every second', () => {
  it.each([3000, 5000, 10_000])('gives even rates where its sums change every %d ms', (summedEveryMs) => {
    const traffic = new Traffic();
    const all = Array.from({ length: 90 }, (_, second) => traffic.values(after(second * 1000, 50_000, summedEveryMs)));
    for (const { originOutMbps, originInMbps } of all.slice(30)) {
      expect(originOutMbps).toBeGreaterThan(0.4 * 0.78);
      expect(originOutMbps).toBeLessThan(0.4 * 1.22);
      expect(originInMbps).toBeCloseTo((originOutMbps ?? 0) / 10, 9);
    }
  });

  it('is 0 where nothing is sent', () => {
    const traffic = new Traffic();
    const all = Array.from({ length: 20 }, (_, second) => traffic.values(after(second * 1000, 0, 5000)));
    expect(all[1]).toEqual({});
    expect(all[19]).toEqual({ originOutMbps: 0, originInMbps: 0 });
  });

  it('is unknown once SRS stops updating its sums', () => {
    const traffic = new Traffic();
    for (let second = 0; second < 30; second += 1) traffic.values(after(second * 1000, 50_000, 3000));
    const { now_ms: nowMs = 0, ...rest } = after(29_000, 50_000, 3000);
    expect(traffic.values({ ...rest, now_ms: nowMs + 12_000 })).toEqual({});
  });
});
