import { describe, expect, it } from 'vitest';
import type { PlanStage } from '../../../../domain/model/audienceValues';
import type { Audience } from '../../../../domain/model/plan';
import { loadProfileFormOf, readLoadProfile, defaultLoadProfile } from './loadProfileForm';
import { stageKinds } from '../../../../domain/plan/fields/stages';
import { asKind, newStage, readStage, stageRow } from './stageFields';

const stages: readonly PlanStage[] = [
  { kind: 'ramp', viewers: 500, overMs: 30_000 },
  { kind: 'hold', forMs: 90_000 },
  { kind: 'step', viewers: 2500, by: 500, holdMs: 60_000, ratePerSecond: 100 },
  { kind: 'spike', viewers: 3000, forMs: 20_000, ratePerSecond: 200 },
  { kind: 'churn', replacePercent: 2.5, everyMs: 3000, forMs: 300_000, ratePerSecond: 50 },
  { kind: 'soak', forMs: 3_600_000 },
];

describe('stages in the form', () => {
  it('survive a round trip', () => {
    const form = loadProfileFormOf({ stages });
    expect(form.kind).toBe('stages');
    const read = readLoadProfile(form, 1);
    expect(read).toMatchObject({ loadProfile: { stages, viewers: 3000, ratePerSecond: 200 } });
  });

  it('start with valid values, of every kind', () => {
    for (const kind of stageKinds) expect(readStage(newStage(kind)), kind).toHaveProperty('stage.kind', kind);
  });

  it('keep common fields when the kind changes', () => {
    const row = asKind(stageRow({ kind: 'spike', viewers: 77, forMs: 5000, ratePerSecond: 9 }), 'ramp');
    expect(row.values).toMatchObject({ viewers: '77', overMs: '30 s' });
  });

  it('report which stage is invalid, and why', () => {
    const [first, ...rest] = defaultLoadProfile.stages;
    const wrong = { ...newStage('hold'), values: { forMs: '60' } };
    expect(readLoadProfile({ ...defaultLoadProfile, kind: 'stages', stages: [wrong] }, 1)).toMatchObject({
      problem: { path: 'pull.stages.0', sentence: expect.stringContaining('needs a unit') as string },
    });
    expect(readLoadProfile({ ...defaultLoadProfile, kind: 'stages', stages: rest }, 1)).toMatchObject({
      problem: { path: 'pull.stages.0', sentence: expect.stringContaining('The hold starts at 0 viewers') as string },
    });
    expect(readLoadProfile({ ...defaultLoadProfile, kind: 'stages', stages: [] }, 1)).toHaveProperty('problem');
    expect(readLoadProfile({ ...defaultLoadProfile, kind: 'stages', stages: first ? [first] : [] }, 1)).toHaveProperty(
      'loadProfile',
    );
  });
});

describe('a search in the form', () => {
  const search: NonNullable<Audience['search']> = {
    fromViewers: 20,
    maxViewers: 1200,
    settleMs: 5000,
    measureMs: 10_000,
    repeats: 3,
    precisionPercent: 2.5,
  };

  it('survives a round trip', () => {
    const form = loadProfileFormOf({ search });
    expect(readLoadProfile(form, 50)).toMatchObject({ loadProfile: { search, viewers: 1200, ratePerSecond: 50 } });
  });

  it('reports invalid values', () => {
    const form = loadProfileFormOf({ search });
    expect(readLoadProfile({ ...form, search: { ...form.search, maxViewers: '10' } }, 50)).toMatchObject({
      problem: { path: 'pull.search.maxViewers' },
    });
    expect(readLoadProfile({ ...form, search: { ...form.search, settleMs: '5' } }, 50)).toMatchObject({
      problem: { path: 'pull.search.settleMs' },
    });
  });
});
