import { expect, it } from 'vitest';
import { orderOf } from './order.mjs';
import { busyTable } from './table.mjs';

it('distributes runs over sizes and busy processors', () => {
  const all = orderOf(200);
  expect(all.length).toBe(200);
  for (const burners of [0, 1, 2]) {
    const mine = all.filter((each) => each.burners === burners);
    expect(mine.length).toBeGreaterThanOrEqual(66);
    expect(new Set(mine.map(({ viewers }) => viewers)).size).toBe(6);
  }
});

it('counts verdicts, reasons and causes for each number of busy processors', () => {
  const busy = (percent) => ({
    burners: 2,
    verdict: 'inconclusive',
    sentence: '',
    reason: `This machine was busy: other programs used ${percent} % of its CPU (top: burner 49 %).`,
  });
  const rows = [
    { burners: 0, verdict: 'pass', sentence: '' },
    { burners: 0, verdict: 'fail', sentence: 'CPU of lab exceeded its limit' },
    busy(84),
    busy(91),
    { burners: 2, verdict: 'inconclusive', sentence: '', reason: 'tester was at its own limit: CPU 97 %.' },
  ];
  expect(busyTable({ rows }).split('\n').slice(2)).toEqual([
    '| 0 | 2 | 1 | 0 | 1 | 1 |',
    '| 2 | 3 | 0 | 3: 2 busy with other programs, 1 tester at its limit | 0 | 0 |',
  ]);
});
