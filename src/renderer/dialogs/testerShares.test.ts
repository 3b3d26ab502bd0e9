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

describe('the split over testers', () => {
  const strong = tester('strong', 900);
  const weak = tester('weak', 420);

  it('is even, and shows what is too much for one', () => {
    const [first, second] = testerShares([strong, weak], [strong, weak], '1,000');
    expect([first?.share, second?.share]).toEqual([500, 500]);
    expect([first?.over, Math.round(second?.over ?? 0)]).toEqual([0, 8]);
    expect(second?.about).toBe('plays up to 420');
    expect(first?.tick).toBeGreaterThan(second?.tick ?? 0);
  });

  it('gives nothing to who was not chosen', () => {
    const [first, second] = testerShares([strong, weak], [weak], '100');
    expect([first?.isChosen, first?.share, second?.share]).toEqual([false, 0, 100]);
  });

  it('says what it does not know yet, and why one is out of reach', () => {
    const rows = testerShares(
      [tester('new'), tester('off', undefined, { state: 'failed', problem: 'No route.' })],
      [],
      'many',
    );
    expect(rows.map(({ about }) => about)).toEqual(['its limit shows when it plays', 'No route.']);
    expect(rows[0]).toMatchObject({ share: 0, tick: undefined });
  });
});
