import { beforeAll, describe, expect, it } from 'vitest';
import {
  samplesFor,
  type Plant,
  plantsOf,
  sleeps,
  startMs,
  dayMs,
  factsAt,
  names,
  extraRules,
} from '../../../tests/support/incidentDay';
import { inOrder, isFiring, type Incident } from './incident';
import { IncidentWatch } from './incidentWatch';
import { defaultRules } from './rules';

/** A day of ten nodes with noise, at one look a second. */
function replay(plants: readonly Plant[]): IncidentWatch {
  const watch = new IncidentWatch([...defaultRules, ...extraRules]);
  for (let timeMs = startMs; timeMs < startMs + dayMs; timeMs += 1000) {
    const sleep = sleeps.find(({ fromMs, toMs }) => timeMs > fromMs && timeMs <= toMs);
    if (sleep && timeMs < sleep.toMs) continue;
    if (sleep) watch.unwatched(sleep.fromMs, sleep.toMs);
    watch.observe(
      names.map((name) => factsAt(name, timeMs, plants)),
      timeMs,
    );
    watch.samples(samplesFor(timeMs, plants));
  }
  return watch;
}

describe('a day with 50 planted incidents', () => {
  const plants = plantsOf(50);
  let found: readonly Incident[] = [];
  beforeAll(() => {
    found = replay(plants).incidents;
  }, 120_000);

  it('has exactly these and no others, each with its begin, its end and its reason', () => {
    const seen = [...found].sort((a, b) => a.beganMs - b.beganMs);
    expect(plants).toHaveLength(50);
    expect(seen.map(({ kind, began }) => `${kind}: ${began}`)).toHaveLength(50);
    for (const [place, plant] of plants.entries()) {
      const incident = seen[place];
      const text = JSON.stringify({ plant, incident }, null, 1);
      expect([incident?.kind, [...(incident?.nodes ?? [])].sort()], text).toEqual([plant.kind, [...plant.nodes]]);
      expect(incident?.began, text).toMatch(plant.reason);
      const { beganMs = 0, endedMs = 0 } = incident ?? {};
      expect(Math.abs(beganMs - plant.fromMs), text).toBeLessThanOrEqual(plant.toleranceMs ?? 5000);
      expect(Math.abs(endedMs - plant.toMs), text).toBeLessThanOrEqual(plant.toleranceMs ?? 12_000);
      // What has a length has a sentence about it.
      if (plant.toMs > plant.fromMs) expect(incident?.ended, text).toMatch(plant.end ?? /for \d/);
      expect(incident?.count, text).toBe(plant.count ?? 1);
    }
  });

  it('says what was not watched in the one that lasted while the console slept', () => {
    expect(found.flatMap(({ unwatched }) => unwatched)).toEqual([{ fromMs: sleeps[1]?.fromMs, toMs: sleeps[1]?.toMs }]);
  });
});

it('shows 1,000 flaps of one cause as one line', () => {
  const watch = new IncidentWatch(defaultRules);
  const opened: string[] = [];
  const origin = { id: 'origin', role: 'origin', host: 'host a' } as const;
  for (let flap = 0; flap < 1000; flap += 1)
    for (let second = 0; second < 40; second += 1) {
      const timeMs = startMs + (flap * 40 + second) * 1000;
      const state = second >= 20 && second < 30 ? 'failed' : 'live';
      const changes = watch.observe([{ ...origin, state, problem: 'origin: it is gone.' }], timeMs);
      opened.push(...changes.filter(({ change }) => change === 'opened').map(({ incident }) => incident.id));
    }
  expect(opened).toHaveLength(1);
  const [line, ...more] = inOrder(watch.incidents);
  expect(more).toEqual([]);
  expect(line).toMatchObject({
    count: 1000,
    began: 'origin stopped responding: it is gone.',
    ended: 'origin did not respond 1,000 times within 11 h 6 min.',
  });
  expect(line && isFiring(line)).toBe(false);
});
