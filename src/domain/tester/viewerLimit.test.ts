import { describe, expect, it } from 'vitest';
import type { MachineFingerprint } from '../model/node';
import { enforcedLimit, machineKey, measuredCost, viewerLimitText, testerCapacity, viewerCost } from './viewerLimit';

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

describe('the viewer limit of a tester', () => {
  it('is bounded by CPU, not only by open files', () => {
    const strength = testerCapacity({ machine: machine(), viewerLimit: 19_744 }, 'whep', 170);
    expect(strength).toEqual({ viewers: 4900, bound: 'cpu', basis: 'estimated' });
    expect(strength && viewerLimitText(strength)).toBe('runs up to 4,900 viewers (estimated, by CPU)');
  });

  it('is bounded by open files, ports and memory if these run out first', () => {
    const few = testerCapacity({ machine: machine({ openFilesLimit: 1024 }), viewerLimit: 768 }, 'whep');
    expect(few).toEqual({ viewers: 768, bound: 'open-files', basis: 'reported' });
    expect(few && viewerLimitText(few)).toBe('runs up to 768 viewers (open file limit)');
    expect(testerCapacity({ machine: machine(), viewerLimit: 900 }, 'whep')?.bound).toBe('ports');
    expect(testerCapacity({ machine: machine({ memoryBytes: 2 ** 28 }) }, 'whep')).toMatchObject({
      viewers: 1300,
      bound: 'memory',
    });
  });

  it('scales with the machine’s self-test: half the speed gives half the viewers', () => {
    const at = (usPerPacket: number): number =>
      testerCapacity({ machine: machine(), measured: { costs: [], selfTest: selfTest(usPerPacket) } }, 'whep', 170)
        ?.viewers ?? 0;
    expect([at(2.4), at(4.8), at(1.2)]).toEqual([4900, 2400, 9800]);
  });

  it('is taken from an earlier run of this protocol there, with its date', () => {
    const measured = { costs: [cost], selfTest: selfTest(99) };
    const strength = testerCapacity({ machine: machine(), measured, viewerLimit: 19_744 }, 'whep');
    expect(strength).toEqual({
      ...{ viewers: 3000, bound: 'cpu', basis: 'measured' },
      measuredMs: cost.measuredMs,
    });
    expect(strength && viewerLimitText(strength)).toBe('runs up to 3,000 viewers (measured 2026-11-21)');
    // Nothing was measured for another protocol.
    expect(testerCapacity({ machine: machine(), measured: { costs: [cost] } }, 'rtmp')?.basis).toBe('estimated');
  });

  it('is lower for a stream of a higher bitrate', () => {
    const of = (kbps: number): number => viewerCost('whep', kbps, { costs: [cost] }).corePercent;
    expect(of(170)).toBeCloseTo(0.03, 6);
    expect(of(4000) / of(170)).toBeGreaterThan(5);
    const rtmp = (kbps: number): number => viewerCost('rtmp', kbps, undefined).corePercent;
    expect(rtmp(2150)).toBeCloseTo(0.12, 3);
  });

  it('is undefined for a WCS, and for an unknown machine', () => {
    expect(testerCapacity({}, 'whep')).toBeUndefined();
    expect(testerCapacity({ machine: machine(), viewerLimit: 5000, settings: { tester: 'wcs' } }, 'wcs')).toMatchObject(
      { viewers: 5000, basis: 'reported' },
    );
    // Its ports are for its own signalling, and it accepts any number.
    const wcs = { viewerLimit: 5000, settings: { tester: 'wcs' } } as const;
    expect(testerCapacity(wcs, 'rtmp')).toBeUndefined();
    expect(enforcedLimit(wcs)).toBeUndefined();
    expect(enforcedLimit({ viewerLimit: 5000, settings: { tester: 'local' } })).toBe(5000);
  });
});

describe('a measured cost', () => {
  const run = { protocol: 'whep', viewers: 300, corePercent: 9, mediaMbps: 51, measuredMs: 7 } as const;

  it('is CPU per viewer at the measured bitrate', () => {
    expect(measuredCost(run)).toEqual({
      ...{ protocol: 'whep', corePercent: 0.03, kbps: 170, viewers: 300, measuredMs: 7 },
    });
  });

  it('is undefined for too few viewers, or too little CPU, which measure the agent itself', () => {
    expect(measuredCost({ ...run, viewers: 20 })).toBeUndefined();
    expect(measuredCost({ ...run, corePercent: 1 })).toBeUndefined();
    expect(measuredCost({ ...run, mediaMbps: 0 })).toBeUndefined();
  });
});

it('recognises a machine after a kernel update, and distinguishes two sizes of it', () => {
  expect(machineKey(machine({ kernel: '6.2' }))).toBe(machineKey(machine()));
  expect(machineKey(machine({ cores: 4 }))).not.toBe(machineKey(machine()));
});
