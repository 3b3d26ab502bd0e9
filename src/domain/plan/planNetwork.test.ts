import { describe, expect, it } from 'vitest';
import { networkLimits, networkPresets, type PlanNetwork } from '../model/network';
import { isRealNetwork, resolveNetwork } from './networkPresets';
import { networkFault } from './networkFaults';
import { parsePlan, planToYaml } from './planYaml';
import { faultOf, plain } from '../../../tests/support/plans';

const withNetwork = (network: string): string => plain.replace('hold: 10s', `hold: 10s, network: ${network}`);
const read = (network: string): PlanNetwork | undefined => parsePlan(withNetwork(network)).plan.pull?.network;

describe('a network in a plan', () => {
  it.each<[string, PlanNetwork]>([
    ['3g', { preset: '3g' }],
    ['none', { preset: 'none' }],
    ['{ preset: satellite, loss: 2%, sharedBy: 20 }', { preset: 'satellite', lossPercent: 2, sharedBy: 20 }],
    [
      '{ down: 1.5Mbit/s, up: 800kbit/s, rtt: 80ms, jitter: 10ms, queue: 300ms, queuePackets: 50 }',
      { downKbps: 1500, upKbps: 800, rttMs: 80, jitterMs: 10, queueMs: 300, queuePackets: 50 },
    ],
    ['{ burst: { p: 1%, r: 25% } }', { burst: { p: 1, r: 25, h: 0, k: 100 } }],
    [
      '{ rtt: 0s, steps: [{ at: 30s, preset: 3g }, { at: 1m, down: 2Gbit/s, loss: 0% }] }',
      {
        rttMs: 0,
        steps: [
          { atMs: 30_000, preset: '3g' },
          { atMs: 60_000, downKbps: 2_000_000, lossPercent: 0 },
        ],
      },
    ],
  ])('%s is read, and written again', (yaml, network) => {
    expect(read(yaml)).toEqual(network);
    const { plan } = parsePlan(withNetwork(yaml));
    expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
  });

  it.each([
    ['4g', '"4g" is not known. Did you mean "3g"?'],
    ['{ down: 5 }', '5 has no unit. Write it with its unit, e.g. 800kbit/s or 1.5Mbit/s.'],
    ['{ down: 0kbit/s }', 'Nothing passes at this rate.'],
    ['{ down: 11Gbit/s }', '11Gbit/s is more than 10000Mbit/s.'],
    ['{ rtt: 5s }', '5s is more than 4s.'],
    ['{ loss: 101% }', '101% is more than 100 %.'],
    ['{ bandwidth: 1Mbit/s }', '"bandwidth" is not a known field.'],
    ['{ jitter: 20ms, rtt: 30ms }', 'A jitter of 20 ms needs a round-trip time of 40 ms or more'],
    ['{ steps: [{ at: 9s, loss: 1% }, { at: 9s, loss: 2% }] }', 'must be in order of time'],
    ['{ steps: [{ loss: 1% }] }', '"at" is missing.'],
    ['{ steps: [{ at: 0s, loss: 1% }] }', 'A network starts with its own values; a step is later.'],
    ['{ rtt: 50ms, steps: [{ at: 5s, jitter: 30ms }] }', 'A jitter of 30 ms needs'],
    ['{ steps: [{ at: 5s, sharedBy: 3 }] }', '"sharedBy" is not a known field.'],
    ['{ burst: { p: 1% } }', '"r" is missing.'],
  ])('%s is refused', (yaml, sentence) => {
    expect(faultOf(withNetwork(yaml)).sentence).toContain(sentence);
  });

  it('is refused for a WCS as tester', () => {
    const wcs = withNetwork('3g')
      .replace('tester-2: { tester: qa@192.0.2.12 }', 'tester-2: { tester: wcs, url: http://192.0.2.12:8081 }')
      .replace('hold: 10s', 'hold: 10s, protocol: rtmp');
    expect(faultOf(wcs)).toMatchObject({
      path: 'pull.network',
      sentence: expect.stringContaining('"tester-2" is a WCS, which can\'t simulate a network') as string,
    });
  });
});

describe('what is in force', () => {
  it('changes by what a step names; a preset replaces all', () => {
    const steps = resolveNetwork(
      {
        preset: '3g',
        lossPercent: 4,
        sharedBy: 5,
        steps: [
          { atMs: 10, downKbps: 500 },
          { atMs: 20, preset: 'satellite', rttMs: 700 },
          { atMs: 30, preset: 'none' },
          { atMs: 40, upKbps: 9 },
        ],
      },
      200,
    );
    const first = { downKbps: 1600, upKbps: 768, rttMs: 300, jitterMs: 50, lossPercent: 4, queueMs: 300 };
    expect(steps).toEqual([
      { ...first, atMs: 0 },
      { ...first, downKbps: 500, atMs: 10 },
      expect.objectContaining({ atMs: 20, downKbps: 1000, rttMs: 700 }),
      { atMs: 30 },
      { atMs: 40, upKbps: 9 },
    ]);
    expect(steps[2]).not.toHaveProperty('lossPercent');
  });

  it('LTE in motion changes its rate until the next step, and within the bounds of an order', () => {
    const steps = resolveNetwork({ preset: 'lte-moving', steps: [{ atMs: 90_000, lossPercent: 1 }] }, 200);
    expect(steps.map(({ atMs, downKbps }) => [atMs, downKbps])).toEqual([
      [0, 4200],
      [40_000, 10_500],
      [60_000, 2520],
      [80_000, 4200],
      [90_000, 4200],
    ]);
    const endless = resolveNetwork({ preset: 'lte-moving' }, networkLimits.steps);
    expect(endless).toHaveLength(networkLimits.steps);
    // The mean of the recording from which the preset is made.
    const kbps = endless.slice(0, 40).map(({ downKbps = 0 }, place) => downKbps * [40, 20, 20, 20][place % 4]!);
    expect(kbps.reduce((sum, kbps) => sum + kbps) / 1000).toBeCloseTo(5124, -1);
  });

  it('every preset is possible, and only `none` is the real network', () => {
    for (const preset of networkPresets) {
      expect(networkFault({ preset })).toBeUndefined();
      expect(isRealNetwork({ preset })).toBe(preset === 'none');
    }
    expect(isRealNetwork(undefined)).toBe(true);
    expect(isRealNetwork({ rttMs: 0, queueMs: 100, sharedBy: 4 })).toBe(true);
    expect(isRealNetwork({ preset: 'none', steps: [{ atMs: 5, lossPercent: 1 }] })).toBe(false);
  });
});
