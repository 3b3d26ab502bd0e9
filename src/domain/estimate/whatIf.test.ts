import { describe, expect, it } from 'vitest';
import { perViewer, predict } from './ceiling';
import type { Estimate, ResourceEstimate, ResourceId } from './estimate';
import { fitLine } from './line';
import { resourceKind } from './resources';
import { coresPower, measuredBitrateKbps, whatIf, type Need, type NeedId, type WhatIf } from './whatIf';
import { whatIfSentences } from './whatIfText';

const gib = 2 ** 30;

/** A resource of exactly this cost, measured at 8 to 40 viewers. */
function exactly(id: ResourceId, idle: number, slope: number, threshold?: number): ResourceEstimate {
  const points = [8, 16, 24, 32, 40].flatMap((viewers) =>
    [1, 2, 3].map(() => ({ viewers, value: idle + slope * viewers, weight: 5 })),
  );
  const line = fitLine(points);
  if (!line) throw new Error('No line.');
  return {
    id,
    series: resourceKind(id).series,
    points,
    line,
    perViewer: perViewer(line),
    idle: predict(line, 0, 40),
    isRising: true,
    ...(threshold !== undefined && { threshold: { value: threshold, text: '' } }),
    notes: [],
  };
}

const estimate: Estimate = {
  run: 'r',
  name: 'Calibration load',
  origin: 'edge-1',
  sizes: [],
  largest: 40,
  machine: { cores: 4, memoryBytes: 8 * gib, capacityMbps: 940, sharedWith: [] },
  resources: [
    exactly('hostCpu', 8, 0.2, 80),
    exactly('memory', 2 * gib, 0.004 * gib),
    exactly('bandwidth', 0, 2),
    exactly('packets', 0, 220),
  ],
  unknown: [],
  sentence: '',
  notes: [],
};

function need(scenario: WhatIf, id: NeedId, of = estimate): Need {
  const found = whatIf(of, scenario).needs.find((need) => need.id === id);
  if (!found) throw new Error(`No need for ${id}.`);
  return found;
}

describe('what-if: the needs of an audience', () => {
  it('extrapolates the measurement', () => {
    // 8 % and 100 x 0.2 % of 4 cores are 1.12 cores, at 80 % utilization.
    expect(need({ viewers: 100 }, 'cpu').value).toBeCloseTo(1.4);
    expect(need({ viewers: 100 }, 'bandwidth').value).toBeCloseTo(200);
    expect(need({ viewers: 100 }, 'memory').value).toBeCloseTo((2.4 * gib) / 0.85, -4);
    expect(measuredBitrateKbps(estimate)).toBeCloseTo(2000);
  });

  it('marks needs within the measured sizes and bitrate as measured', () => {
    expect(need({ viewers: 40 }, 'cpu').mark).toBe('measured');
    expect(need({ viewers: 40, bitrateKbps: 4000 }, 'cpu').mark).toBe('extrapolated');
    expect(need({ viewers: 400 }, 'cpu').mark).toBe('extrapolated');
  });

  it('is less certain further from the measurement', () => {
    const width = (viewers: number): number => {
      const { low, high, value } = need({ viewers }, 'bandwidth');
      return (high - low) / value;
    };
    expect(width(40)).toBeCloseTo(0);
    expect(width(80)).toBeCloseTo(2 * 0.04, 2);
    expect(width(640)).toBeCloseTo(2 * 4 * 0.04, 2);
  });

  it('scales bandwidth with bits and CPU with packets', () => {
    const scenario = { viewers: 100, bitrateKbps: 4000 };
    expect(need(scenario, 'bandwidth').value).toBeCloseTo(400);
    const cpu = need(scenario, 'cpu');
    // 250,000 bytes a second more in packets of 1,100: 227 in addition to the 220.
    expect(cpu.value).toBeCloseTo(((0.08 + 0.2 * (1 + 250_000 / 1100 / 220)) * 4) / 0.8, 1);
    expect(cpu.low).toBeLessThan(cpu.value);
    expect(cpu.high).toBeGreaterThanOrEqual(cpu.value);
    const less = need({ viewers: 100, bitrateKbps: 1000 }, 'cpu');
    expect(less.value).toBeLessThan(need({ viewers: 100 }, 'cpu').value);
    expect(less.high).toBeGreaterThanOrEqual(need({ viewers: 100 }, 'cpu').value);
  });

  it('does not assume that larger machines are proportionally faster', () => {
    // 2,000 viewers are 16.3 busy cores and need 20.4 of such a machine, if it scaled linearly from four.
    const even = ((0.08 + 2000 * 0.002) * 4) / 0.8;
    const { value, low, high } = need({ viewers: 2000 }, 'cpu');
    expect(value).toBeCloseTo(4 * (even / 4) ** (1 / coresPower.value));
    expect(low).toBeLessThan(even);
    expect(high).toBeGreaterThan(4 * (even / 4) ** (1 / coresPower.low));
  });

  it('compares the need with the capacity: enough, close, too little', () => {
    expect(need({ viewers: 100 }, 'cpu')).toMatchObject({ has: 4, verdict: 'enough' });
    expect(need({ viewers: 450 }, 'bandwidth')).toMatchObject({ has: 940, verdict: 'close' });
    expect(need({ viewers: 900 }, 'bandwidth').verdict).toBe('too-little');
    expect(need({ viewers: 900, nicMbps: 10_000 }, 'bandwidth').verdict).toBe('enough');
    const unknown: Estimate = { ...estimate, machine: { ...estimate.machine, capacityMbps: undefined } };
    expect(need({ viewers: 900 }, 'bandwidth', unknown).verdict).toBe('unknown');
  });

  it('names the bottleneck of a machine, and its maximum audience', () => {
    const here = whatIf(estimate, { viewers: 1000 });
    expect(here.limitedBy).toBe('cpu');
    expect(here.most).toMatchObject({ by: 'cpu' });
    expect(here.most?.value).toBeGreaterThanOrEqual(359);
    expect(here.most?.value).toBeLessThanOrEqual(360);
    const many = whatIf(estimate, { viewers: 1000, cores: 32 });
    expect(many.limitedBy).toBe('bandwidth');
    expect(many.most).toMatchObject({ by: 'bandwidth', value: 470 });
    expect(many.most?.low).toBeLessThan(470);
    expect(many.most?.high).toBeGreaterThan(470);
  });

  it('uses the process if the audience is on the same machine', () => {
    const shared: Estimate = {
      ...estimate,
      machine: { ...estimate.machine, sharedWith: ['tester-1'] },
      resources: [...estimate.resources, exactly('processCpu', 10, 0.5)],
    };
    expect(need({ viewers: 100 }, 'cpu', shared)).toMatchObject({ from: 'processCpu' });
    expect(need({ viewers: 100 }, 'cpu', shared).value).toBeCloseTo(0.6 / 0.8);
  });

  it('states the result with intervals and marks', () => {
    const scenario = { viewers: 1000, bitrateKbps: 2000, cores: 32 };
    const [needs, verdict, most, ...notes] = whatIfSentences(whatIf(estimate, scenario), scenario);
    expect(needs).toMatch(
      /^For 1,000 viewers at 2 Mbit\/s: ≈ 1\d\.\d cores \(.+\) of this kind, ≈ 2 Gbit\/s \(1\.6 to 2\.4\), ≈ 7\.\d GiB/,
    );
    expect(verdict).toBe('It is not sufficient: limited by the network (940 Mbit/s available).');
    expect(most).toMatch(/^Such a machine supports ≈ 470 viewers \(\d+ to \d+\), limited by the network\.$/);
    expect(notes.join()).toContain('32 cores of this kind handle 5.9 times the load of 4 (between 4.3 and 8.0)');
    const nothing: Estimate = { ...estimate, resources: [] };
    expect(whatIfSentences(whatIf(nothing, scenario), scenario)[0]).toContain('cannot be estimated');
  });
});
