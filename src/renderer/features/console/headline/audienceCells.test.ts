import { describe, expect, it } from 'vitest';
import { audienceCells, type AudienceCounts, type AudienceCell } from './audienceCells';

function count(audience: Partial<AudienceCounts>): Record<AudienceCell, number> {
  const cells = audienceCells({
    requested: 1000,
    connected: 0,
    degraded: 0,
    connecting: 0,
    failed: 0,
    ...audience,
  });
  expect(cells).toHaveLength(100);
  const of = (seat: AudienceCell): number => cells.filter((cell) => cell === seat).length;
  return {
    watching: of('watching'),
    degraded: of('degraded'),
    connecting: of('connecting'),
    empty: of('empty'),
    failedOnTester: of('failedOnTester'),
    failed: of('failed'),
  };
}

describe('the audience bar', () => {
  it('shows 742 of 1,000 with 23 degraded, 9 connecting and 4 failed', () => {
    expect(count({ connected: 742, degraded: 23, connecting: 9, failed: 4 })).toEqual({
      watching: 72,
      degraded: 2,
      connecting: 1,
      empty: 24,
      failedOnTester: 0,
      failed: 1,
    });
  });

  it('gives a single failure a cell even if all others connected', () => {
    expect(count({ connected: 999, failed: 1 })).toMatchObject({ watching: 99, failed: 1, empty: 0 });
    expect(count({ requested: 100_000, connected: 1 })).toMatchObject({ watching: 1 });
  });

  it('distinguishes tester failures from server failures', () => {
    const cells = { failed: 30, failedOnTester: 20, connected: 500 };
    expect(count(cells)).toMatchObject({ failedOnTester: 2, failed: 1, watching: 50, empty: 47 });
    expect(count({ ...cells, failed: 20 })).toMatchObject({ failedOnTester: 2, failed: 0 });
  });

  it('keeps healthy viewers visible beside degraded ones', () => {
    expect(count({ requested: 100_000, connected: 2, degraded: 1 })).toMatchObject({
      watching: 1,
      degraded: 1,
    });
    expect(count({ connected: 10, degraded: 10 })).toMatchObject({ watching: 0, degraded: 1 });
  });

  it('is empty before a run, and its failed cells are at the right end', () => {
    expect(audienceCells({ requested: 0, connected: 0, degraded: 0, connecting: 0, failed: 0 })[0]).toBe('empty');
    expect(audienceCells({ requested: 10, connected: 1, degraded: 0, connecting: 0, failed: 1 }).at(-1)).toBe('failed');
  });
});
