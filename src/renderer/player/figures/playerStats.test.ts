import { describe, expect, it } from 'vitest';
import chromium108 from './fixtures/getStats-chromium108.json';
import chromium156 from './fixtures/getStats-chromium156.json';
import { intervalBetween, readReport, type StatsEntry } from './playerStats';
import { addInterval, lostPercent, noTotals } from './playerFigures';

/** Two reports a second apart, from Chromium 108 (Electron 22) and 156 playing the lab's sample. */
const recorded: Record<string, readonly (readonly StatsEntry[])[]> = { chromium108, chromium156 };

function reportsOf(browser: string): [readonly StatsEntry[], readonly StatsEntry[]] {
  const [before, now] = recorded[browser] ?? [];
  if (!before || !now) throw new Error(`No two reports of ${browser} were recorded.`);
  return [before, now];
}

function withVideo(report: readonly StatsEntry[], changes: StatsEntry): StatsEntry[] {
  return report.map((entry) =>
    entry['type'] === 'inbound-rtp' && entry['kind'] === 'video' ? { ...entry, ...changes } : entry,
  );
}

describe.each(Object.keys(recorded))('a report of %s', (browser) => {
  it('is converted to the units of the project', () => {
    const [, now] = reportsOf(browser);
    expect(readReport(now)).toMatchObject({
      width: 426,
      height: 240,
      videoCodec: 'H.264 CBP',
      audioCodec: 'Opus',
      audioClockHz: 48_000,
      packetsLost: 0,
      framesDropped: 0,
      // Loopback: under Chromium's resolution of 1 ms. The unused pair reports another value.
      rttMs: 0,
    });
  });

  it('yields rates for the second between two of them', () => {
    const [before, now] = reportsOf(browser);
    const interval = intervalBetween(readReport(before), readReport(now));
    expect(interval.decodedFps).toBeGreaterThan(24);
    expect(interval.decodedFps).toBeLessThan(26);
    expect(interval.bitrateKbps).toBeGreaterThan(100);
    expect(interval.bitrateKbps).toBeLessThan(200);
    expect(interval.packetsLost).toBe(0);
    expect(interval).toMatchObject({ freezeCount: 0, freezeDurationMs: 0, pauseCount: 0 });
    expect(interval.jitterBufferMs).toBeGreaterThan(0);
    // H.264 of 426x240 at a constant QP.
    expect(interval.qp).toBeCloseTo(18, 1);
    expect(interval.decodeMs).toBeGreaterThan(0);
    expect(interval.decodeMs).toBeLessThan(5);
    expect(interval.audioJitterBufferMs).toBeGreaterThan(5);
    expect(interval.concealedPercent).toBe(0);
    // Within one frame of 40 ms.
    expect(Math.abs(readReport(now).avOffsetMs ?? Infinity)).toBeLessThanOrEqual(40);
  });
});

describe('readReport', () => {
  it('contains the decoder only if the browser reports it', () => {
    expect(readReport(reportsOf('chromium108')[1]).decoder).toBe('libavcodec');
    expect(readReport(reportsOf('chromium156')[1]).decoder).toBeUndefined();
  });

  it('leaves missing values unknown', () => {
    const reading = readReport([]);
    const { timeMs, ...figures } = reading;
    expect(timeMs).toBe(0);
    for (const value of Object.values(figures)) expect(value).toBeUndefined();
  });

  it('ignores fields of the wrong type', () => {
    const [, now] = reportsOf('chromium108');
    expect(readReport(withVideo(now, { framesDecoded: 'many', jitter: null })).framesDecoded).toBeUndefined();
    expect(readReport(withVideo(now, { jitter: Number.NaN })).jitterMs).toBeUndefined();
  });
});

describe('intervalBetween', () => {
  it('yields nothing from one report, nor from the same one twice', () => {
    const reading = readReport(reportsOf('chromium108')[1]);
    for (const before of [undefined, reading])
      for (const value of Object.values(intervalBetween(before, reading))) expect(value).toBeUndefined();
  });

  it('yields nothing for a counter that was reset', () => {
    const [before, now] = reportsOf('chromium108');
    const anew = readReport(withVideo(now, { framesDecoded: 3 }));
    expect(intervalBetween(readReport(before), anew).decodedFps).toBeUndefined();
  });

  it('subtracts packets counted as lost that arrived late', () => {
    const [before, now] = reportsOf('chromium108');
    const late = intervalBetween(readReport(withVideo(before, { packetsLost: 5 })), readReport(now));
    expect(late.packetsLost).toBe(-5);
  });
});

describe('totals', () => {
  const none = intervalBetween(undefined, { timeMs: 0 });

  it('continue across the connections of one player', () => {
    const second = { ...none, packets: 99, packetsLost: 1, framesDropped: 2 };
    const totals = addInterval(addInterval(noTotals, second), second);
    expect(totals).toEqual({ ...noTotals, packets: 198, packetsLost: 2, framesDropped: 4 });
    expect(lostPercent(totals)).toBeCloseTo(1);
  });

  it('stay unknown until the first count', () => {
    const totals = addInterval(noTotals, none);
    expect(totals).toEqual(noTotals);
    expect(lostPercent(totals)).toBeUndefined();
  });
});
