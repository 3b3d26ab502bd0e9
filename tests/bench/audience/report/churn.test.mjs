import { describe, expect, it } from 'vitest';
import { verdictOf } from './churn.mjs';

const side = (rssMb, openFiles) => ({ rssMb, openFiles, goroutines: 20 });
const row = (rssMb, more = {}) => ({
  agent: side(rssMb, 1010),
  lab: side(30, 12),
  sessions: 1000,
  present: 1000,
  degraded: 0,
  failed: 0,
  ...more,
});
const seen = (rows, end = {}, minutesApart = 2) => ({
  start: { ...row(20), agent: side(20, 12) },
  rows: rows.map((each, index) => ({ ...each, minute: (index + 1) * minutesApart })),
  end: { ...row(20), agent: side(30, 12), sessions: 0, present: 0, ...end },
  replaced: 3,
  perJob: 100,
});
const missed = (result) =>
  verdictOf(result)
    .filter(({ isGood }) => !isGood)
    .map(({ what }) => what);

describe('the verdict on churn', () => {
  it('is good without leftovers', () => {
    expect(missed(seen([row(40), row(41), row(42), row(43), row(42), row(43)]))).toEqual([]);
  });

  it('detects memory growth from the first third to the last', () => {
    expect(missed(seen([row(40), row(40), row(42), row(44), row(46), row(48)]))).toEqual([
      'memory of the agent, first and last third',
    ]);
  });

  it('does not judge memory in a run hardly longer than its warm-up', () => {
    expect(missed(seen([row(20), row(30), row(40)], {}, 0.5))).toEqual([]);
  });

  it('detects leftover files, sessions, viewers and failures', () => {
    const rows = [row(40, { degraded: 11 }), row(40, { failed: 2 }), row(40)];
    expect(missed(seen(rows, { agent: side(30, 40), sessions: 3, present: 1 }))).toEqual([
      'open files of the agent, before and after',
      'sessions left at the lab',
      'viewers left in the audience',
      'peak degraded, 300 viewers replaced',
      'peak failed',
    ]);
  });
});
