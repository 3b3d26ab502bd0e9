import { expect, it } from 'vitest';
import { baselineSentences } from './sentences';

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
