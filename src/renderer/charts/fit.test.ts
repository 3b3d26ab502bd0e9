import { describe, expect, it } from 'vitest';
import { chartsFor } from '../../domain/charts/charts';
import type { NodeView } from '../../domain/model/node';
import type { Readout } from './readout';
import { fitHead, fitLower, lowerLabel } from './fit';

const node = (id: string, colourSlot: number): NodeView => ({
  ...{ id, name: id, role: 'tester', colourSlot, state: 'live', reach: 'test', host: id, streams: [] },
});
const nodes = [node('a', 1), node('b', 2), node('c', 3), node('d', 4), node('e', 5), node('f', 6)];
const cpu = chartsFor({ nodes, expect: {}, requested: 100 }).find(({ id }) => id === 'cpu');
if (!cpu) throw new Error('No CPU chart.');
const [upper, lower] = cpu.panels;
if (!upper || !lower) throw new Error('The CPU chart has one panel.');
const readouts: readonly Readout[] = lower.traces.map((trace) => ({ panel: 1, trace, value: 12 }));

describe('the header of a card', () => {
  const neutral = (label: string): Readout => ({
    panel: 0,
    trace: { ...upper.traces[0]!, key: label, label, owner: { kind: 'neutral' } },
    value: 12,
  });
  const narrowest = (figures: readonly Readout[]): number => {
    let width = 600;
    while (fitHead(figures, cpu, '', width, undefined).hidden === 0) width -= 1;
    return width + 1;
  };

  it('leaves room for a title in capitals and for wide letters', () => {
    // Measured in the window: the title 25 px, the labels 28, 19 and 22 px, and 5 px, 14 px and a gap of 10 px for each figure.
    const needed = 25 + 45 + (28 + 19 + 22) + 3 * (5 + 13) + 2 * 10;
    expect(narrowest(['mean', 'min', 'max'].map(neutral))).toBeGreaterThanOrEqual(needed);
  });
});

describe('a lower panel', () => {
  it('has its full name in a wide card and the short one in a narrow card', () => {
    expect(lowerLabel(lower, 400)).toBe('process, % of one core');
    expect(lowerLabel(lower, 180)).toBe('% of one core');
    expect(lowerLabel({ ...upper, label: 'a name without a short form' }, 100)).toContain('a name');
  });

  it('shows only figures that fit beside its name', () => {
    expect(fitLower(readouts, cpu, 500, undefined).hidden).toBe(0);
    const narrow = fitLower(readouts, cpu, 250, undefined);
    expect(narrow.hidden).toBeGreaterThan(0);
    // Name, figures, and the count of hidden ones: 5.3, 25 and 26 px as in `fit.ts`.
    const used = '% of one core'.length * 5.3 + narrow.shown.length * 30 + 26;
    expect(used).toBeLessThan(250 - 72);
  });

  it('has only its name if no figure fits', () => {
    expect(fitLower(readouts, cpu, 168, undefined)).toEqual({ subtitle: '', shown: [], hidden: 0 });
  });
});
