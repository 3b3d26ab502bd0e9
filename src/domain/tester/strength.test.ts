import { describe, expect, it } from 'vitest';
import type { MachineFingerprint } from '../node';
import { machineKey, measuredCost, strengthText, testerStrength, viewerCost } from './strength';

const machine = (of: Partial<MachineFingerprint> = {}): MachineFingerprint => ({
  ...{ system: 'Linux', kernel: '6.1', cpuModel: 'EPYC', cores: 2, memoryBytes: 24 * 2 ** 30 },
  ...{ openFilesLimit: 20_000, versions: {} },
  ...of,
});
const selfTest = (usPerPacket: number) => ({ packets: 1000, cpuMs: usPerPacket, measuredMs: 1 });
const cost = {
  protocol: 'whep',
  corePercent: 0.03,
  kbps: 170,
  viewers: 300,
  measuredMs: Date.UTC(2026, 10, 21),
} as const;

describe('how many viewers a tester can play', () => {
  it('is bounded by the CPU that they cost, not by open files alone', () => {
    const strength = testerStrength({ machine: machine(), viewerLimit: 19_744 }, 'whep', 170);
    expect(strength).toEqual({ viewers: 4900, bound: 'cpu', basis: 'estimated' });
    expect(strength && strengthText(strength)).toBe('plays up to 4,900 (estimated, by its CPU)');
  });

  it('is bounded by open files, ports and memory where these run out first', () => {
    const few = testerStrength({ machine: machine({ openFilesLimit: 1024 }), viewerLimit: 768 }, 'whep');
    expect(few).toEqual({ viewers: 768, bound: 'open-files', basis: 'told' });
    expect(few && strengthText(few)).toBe('plays up to 768 (limit of open files)');
    expect(testerStrength({ machine: machine(), viewerLimit: 900 }, 'whep')?.bound).toBe('ports');
    expect(testerStrength({ machine: machine({ memoryBytes: 2 ** 28 }) }, 'whep')).toMatchObject({
      viewers: 1300,
      bound: 'memory',
    });
  });

  it('follows the machine’s self-test: one that is half as fast plays half as many', () => {
    const at = (usPerPacket: number): number =>
      testerStrength(
        { machine: machine(), measured: { costs: [], selfTest: selfTest(usPerPacket) } },
        'whep',
        170,
      )?.viewers ?? 0;
    expect([at(2.4), at(4.8), at(1.2)]).toEqual([4900, 2400, 9800]);
  });

  it('is what an earlier run measured of this protocol there, with its day', () => {
    const measured = { costs: [cost], selfTest: selfTest(99) };
    const strength = testerStrength({ machine: machine(), measured, viewerLimit: 19_744 }, 'whep');
    expect(strength).toEqual({
      ...{ viewers: 3000, bound: 'cpu', basis: 'measured' },
      measuredMs: cost.measuredMs,
    });
    expect(strength && strengthText(strength)).toBe('plays up to 3,000 (measured 2026-11-21)');
    // Of another protocol nothing was measured.
    expect(testerStrength({ machine: machine(), measured: { costs: [cost] } }, 'rtmp')?.basis).toBe(
      'estimated',
    );
  });

  it('is less for a stream of a higher bitrate', () => {
    const of = (kbps: number): number => viewerCost('whep', kbps, { costs: [cost] }).corePercent;
    expect(of(170)).toBeCloseTo(0.03, 6);
    expect(of(4000) / of(170)).toBeGreaterThan(5);
    const rtmp = (kbps: number): number => viewerCost('rtmp', kbps, undefined).corePercent;
    expect(rtmp(2150)).toBeCloseTo(0.12, 3);
  });

  it('has nothing to say of a WCS, and of a machine of which nothing is known', () => {
    expect(testerStrength({}, 'whep')).toBeUndefined();
    expect(
      testerStrength({ machine: machine(), viewerLimit: 5000, settings: { tester: 'wcs' } }, 'wcs'),
    ).toMatchObject({ viewers: 5000, basis: 'told' });
  });
});

describe('a measured cost', () => {
  const run = { protocol: 'whep', viewers: 300, corePercent: 9, mediaMbps: 51, measuredMs: 7 } as const;

  it('is CPU by viewer with the bitrate that it was measured at', () => {
    expect(measuredCost(run)).toEqual({
      ...{ protocol: 'whep', corePercent: 0.03, kbps: 170, viewers: 300, measuredMs: 7 },
    });
  });

  it('is none of so few viewers, or so little CPU, that it says more of the agent itself', () => {
    expect(measuredCost({ ...run, viewers: 20 })).toBeUndefined();
    expect(measuredCost({ ...run, corePercent: 1 })).toBeUndefined();
    expect(measuredCost({ ...run, mediaMbps: 0 })).toBeUndefined();
  });
});

it('knows a machine again after its kernel was updated, and tells two sizes of it apart', () => {
  expect(machineKey(machine({ kernel: '6.2' }))).toBe(machineKey(machine()));
  expect(machineKey(machine({ cores: 4 }))).not.toBe(machineKey(machine()));
});
