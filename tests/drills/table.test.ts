import { describe, expect, it } from 'vitest';
import { faultsPage, masked, tableOf, type Row } from './table';

const row = (fault: string, sentence = 'It ended.'): Row => ({ fault, lost: '0', leftovers: '0', sentence, exit: '1' });

describe('the page of faults', () => {
  it('keeps rows that were not played, in the order of all faults', () => {
    const before = faultsPage(['a', 'b', 'c'], [row('a'), row('c')], '');
    const after = faultsPage(['a', 'b', 'c'], [row('b'), row('c', 'It crashed.')], before);
    expect(after).toContain(tableOf([row('a'), row('b'), row('c', 'It crashed.')]));
    expect(after.split('\n').filter((line) => line.startsWith('| '))).toHaveLength(5);
  });

  it('drops faults that no longer exist', () => {
    expect(faultsPage(['a'], [], faultsPage(['a', 'b'], [row('a'), row('b')], ''))).not.toContain('| b |');
  });

  it('has no names of the machine', () => {
    expect(
      masked('fh12xabc at 127.0.0.1:40123: /tmp/fullhouse-drill-x1/out/20261126-0301.fullhouse is full at 00:00:13.'),
    ).toBe('USER at HOST:PORT: …/out/RUN.fullhouse is full at HH:MM:SS.');
  });
});
