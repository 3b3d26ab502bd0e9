import { describe, expect, it } from 'vitest';
import type { PlanPull, PlanStage } from '../../domain/plan/plan';
import { courseFormOf, readCourse, usualCourse } from './courseForm';
import { asKind, newStage, readStage, stageKinds, stageRow } from './stageFields';

const stages: readonly PlanStage[] = [
  { kind: 'ramp', viewers: 500, overMs: 30_000 },
  { kind: 'hold', forMs: 90_000 },
  { kind: 'step', viewers: 2500, by: 500, holdMs: 60_000, ratePerSecond: 100 },
  { kind: 'spike', viewers: 3000, forMs: 20_000, ratePerSecond: 200 },
  { kind: 'churn', replacePercent: 2.5, everyMs: 3000, forMs: 300_000, ratePerSecond: 50 },
  { kind: 'soak', forMs: 3_600_000 },
];

describe('stages as fields', () => {
  it('are the same stages again', () => {
    const form = courseFormOf({ stages });
    expect(form.kind).toBe('stages');
    const read = readCourse(form, 1);
    expect(read).toMatchObject({ course: { stages, viewers: 3000, ratePerSecond: 200 } });
  });

  it('begin with values that can be used, of every kind', () => {
    for (const kind of stageKinds) expect(readStage(newStage(kind)), kind).toHaveProperty('stage.kind', kind);
  });

  it('keep what both kinds have when one becomes the other', () => {
    const row = asKind(stageRow({ kind: 'spike', viewers: 77, forMs: 5000, ratePerSecond: 9 }), 'ramp');
    expect(row.values).toMatchObject({ viewers: '77', overMs: '30 s' });
  });

  it('say which stage is wrong, and why', () => {
    const [first, ...rest] = usualCourse.stages;
    const wrong = { ...newStage('hold'), values: { forMs: '60' } };
    expect(readCourse({ ...usualCourse, kind: 'stages', stages: [wrong] }, 1)).toMatchObject({
      problem: { path: 'pull.stages.0', sentence: expect.stringContaining('needs a unit') as string },
    });
    expect(readCourse({ ...usualCourse, kind: 'stages', stages: rest }, 1)).toMatchObject({
      problem: { path: 'pull.stages.0', sentence: expect.stringContaining('Nobody has come yet') as string },
    });
    expect(readCourse({ ...usualCourse, kind: 'stages', stages: [] }, 1)).toHaveProperty('problem');
    expect(readCourse({ ...usualCourse, kind: 'stages', stages: first ? [first] : [] }, 1)).toHaveProperty(
      'course',
    );
  });
});

describe('a search as fields', () => {
  const search: NonNullable<PlanPull['search']> = {
    fromViewers: 20,
    mostViewers: 1200,
    settleMs: 5000,
    measureMs: 10_000,
    repeats: 3,
    precisionPercent: 2.5,
  };

  it('is the same search again', () => {
    const form = courseFormOf({ search });
    expect(readCourse(form, 50)).toMatchObject({ course: { search, viewers: 1200, ratePerSecond: 50 } });
  });

  it('says what can not be', () => {
    const form = courseFormOf({ search });
    expect(readCourse({ ...form, search: { ...form.search, mostViewers: '10' } }, 50)).toMatchObject({
      problem: { path: 'pull.search.mostViewers' },
    });
    expect(readCourse({ ...form, search: { ...form.search, settleMs: '5' } }, 50)).toMatchObject({
      problem: { path: 'pull.search.settleMs' },
    });
  });
});
