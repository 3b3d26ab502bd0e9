import { expect, it } from 'vitest';
import type { Audience } from '../../domain/model/plan';
import { baselineSentences, rampEndSentence } from './sentences';

it('the baseline of a host contains the display names of its nodes', () => {
  const shown: Record<string, string> = { lab: 'local lab', local: 'this machine' };
  const host = {
    nodes: ['lab', 'local'],
    values: { cpuPercent: 61, otherCpuPercent: 59 },
    programs: [{ name: 'node', percent: 19 }],
  };
  expect(baselineSentences([host], (node) => shown[node] ?? node)).toEqual([
    'Baseline of the host of local lab and this machine: CPU 61 %, other programs 59 % (top: node 19 %)',
  ]);
});

it('the end of a ramp names the audience', () => {
  const pull = { viewers: 20, label: 'small' } as Audience;
  expect(rampEndSentence(20, pull)).toBe('All 20 viewers of small connected');
  expect(rampEndSentence(19, pull)).toBe('19 of 20 viewers of small connected, none connecting');
  expect(rampEndSentence(1, { viewers: 1 } as Audience)).toBe('The viewer connected');
});
