import { describe, expect, it } from 'vitest';
import type { NodeView } from '../../../domain/model/node';
import { testerAllocations } from './testerDistribution';

const tester = (id: string, viewerLimit?: number, of: Partial<NodeView> = {}): NodeView => ({
  id,
  name: id,
  role: 'tester',
  colourSlot: 1,
  state: 'live',
  reach: 'SSH',
  host: id,
  streams: [],
  viewerLimit,
  ...of,
});

const stream = { protocol: 'whep' } as const;

describe('the split over testers', () => {
  const strong = tester('strong', 900);
  const weak = tester('weak', 420);

  it('is even, and shows what exceeds the limit of a tester', () => {
    const [first, second] = testerAllocations([strong, weak], [strong, weak], '1,000', stream);
    expect([first?.share, second?.share]).toEqual([500, 500]);
    expect([first?.over, Math.round(second?.over ?? 0)]).toEqual([0, 8]);
    expect(second?.about).toBe('runs up to 420 viewers (local port limit)');
    expect(first?.tick).toBeGreaterThan(second?.tick ?? 0);
  });

  it('follows the weights of the plan', () => {
    const rows = testerAllocations([strong, weak], [strong, weak], '300', stream, { strong: 2 });
    expect(rows.map(({ share }) => share)).toEqual([200, 100]);
  });

  it('assigns nothing to testers not chosen', () => {
    const [first, second] = testerAllocations([strong, weak], [weak], '100', stream);
    expect([first?.isChosen, first?.share, second?.share]).toEqual([false, 0, 100]);
  });

  it('states unknown limits, and why a tester is unreachable', () => {
    const rows = testerAllocations(
      [tester('new'), tester('off', undefined, { state: 'failed', problem: 'No route.' })],
      [],
      'many',
      stream,
    );
    expect(rows.map(({ about }) => about)).toEqual(['limit unknown until it runs', 'No route.']);
    expect(rows[0]).toMatchObject({ share: 0, tick: undefined });
    // The ports of a WCS are for its own signalling.
    const wcs = tester('wcs', 1000, { settings: { tester: 'wcs' } });
    const about = (protocol: 'wcs' | 'rtmp'): string | undefined =>
      testerAllocations([wcs], [wcs], '10', { protocol })[0]?.about;
    expect([about('wcs'), about('rtmp')]).toEqual(['runs up to 1,000 viewers (local port limit)', 'limit unknown']);
  });

  it('limits a tester by the cost of its viewers, not by open files alone', () => {
    const machine = {
      ...{ system: 'Linux', kernel: '6.1', cpuModel: 'EPYC', cores: 2, memoryBytes: 24 * 2 ** 30 },
      ...{ openFilesLimit: 20_000, versions: {} },
    };
    const two = tester('two', 19_744, { machine });
    const about = (node: NodeView): string | undefined =>
      testerAllocations([node], [node], '100', { protocol: 'whep', kbps: 170 })[0]?.about;
    expect(about(two)).toBe('2 cores · runs up to 4,900 viewers (estimated, by CPU)');
    const cost = { protocol: 'whep', corePercent: 0.03, kbps: 170, viewers: 300 } as const;
    expect(about({ ...two, measured: { costs: [{ ...cost, measuredMs: Date.UTC(2026, 10, 21) }] } })).toBe(
      '2 cores · runs up to 3,000 viewers (measured 2026-11-21)',
    );
  });
});
