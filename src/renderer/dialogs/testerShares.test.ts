import { describe, expect, it } from 'vitest';
import type { NodeView } from '../../domain/node';
import { testerShares } from './testerShares';

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

  it('is even, and shows what is too much for one', () => {
    const [first, second] = testerShares([strong, weak], [strong, weak], '1,000', stream);
    expect([first?.share, second?.share]).toEqual([500, 500]);
    expect([first?.over, Math.round(second?.over ?? 0)]).toEqual([0, 8]);
    expect(second?.about).toBe('plays up to 420 (limit of local ports)');
    expect(first?.tick).toBeGreaterThan(second?.tick ?? 0);
  });

  it('gives nothing to who was not chosen', () => {
    const [first, second] = testerShares([strong, weak], [weak], '100', stream);
    expect([first?.isChosen, first?.share, second?.share]).toEqual([false, 0, 100]);
  });

  it('says what it does not know yet, and why one is out of reach', () => {
    const rows = testerShares(
      [tester('new'), tester('off', undefined, { state: 'failed', problem: 'No route.' })],
      [],
      'many',
      stream,
    );
    expect(rows.map(({ about }) => about)).toEqual(['its limit shows when it plays', 'No route.']);
    expect(rows[0]).toMatchObject({ share: 0, tick: undefined });
  });

  it('bounds a tester by what its viewers cost it, not by its open files alone', () => {
    const machine = {
      ...{ system: 'Linux', kernel: '6.1', cpuModel: 'EPYC', cores: 2, memoryBytes: 24 * 2 ** 30 },
      ...{ openFilesLimit: 20_000, versions: {} },
    };
    const two = tester('two', 19_744, { machine });
    const about = (node: NodeView): string | undefined =>
      testerShares([node], [node], '100', { protocol: 'whep', kbps: 170 })[0]?.about;
    expect(about(two)).toBe('2 cores · plays up to 4,900 (estimated, by its CPU)');
    const cost = { protocol: 'whep', corePercent: 0.03, kbps: 170, viewers: 300 } as const;
    expect(about({ ...two, measured: { costs: [{ ...cost, measuredMs: Date.UTC(2026, 10, 21) }] } })).toBe(
      '2 cores · plays up to 3,000 (measured 2026-11-21)',
    );
  });
});
