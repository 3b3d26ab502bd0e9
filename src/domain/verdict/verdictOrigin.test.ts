import { expect, it } from 'vitest';
import { between, judge, secondOf } from '../../../tests/support/verdictRun';

it('judges the degraded viewers that the origin counts itself', () => {
  const failed = judge({ 'origin originDegraded': between(40, 50, 30, 0) });
  expect(failed.verdict).toBe('fail');
  expect(failed.reasons[0]).toMatchObject({
    expectation: 'degraded',
    node: 'origin',
    sentence: expect.stringMatching(
      /^origin counted 30 of 1,000 viewers, 3 %, as degraded on average over 5 s until/,
    ) as string,
  });
  expect(secondOf(failed.reasons[0]?.timeMs)).toBeLessThan(46);
  // The share of all viewers that it serves, others than this run's included.
  const shared = { 'origin originDegraded': between(40, 50, 30, 0), 'origin originViewers': () => 4000 };
  const { verdict, headroom } = judge(shared);
  expect(verdict).toBe('pass');
  expect(headroom).toContain('Peak degraded, counted by origin: 30 of 4,000 viewers, 0.8 %, on average over 5 s.');
});

it('decides nothing where the origin counts none, or where the tester was at its limit', () => {
  const none = judge({ 'origin originDegraded': () => 0 });
  expect(none.verdict).toBe('pass');
  expect(none.headroom.join()).not.toContain('counted by');
  const limited = { 'origin originDegraded': between(40, 50, 30, 0), 'tester cpuPercent': between(36, 52, 99, 30) };
  expect(judge(limited).verdict).toBe('inconclusive');
});
