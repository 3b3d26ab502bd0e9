import { beforeEach, describe, expect, it } from 'vitest';
import { samplePlan } from '../../../tests/support/samplePlan';
import { VirtualTime } from '../../../tests/support/virtualTime';
import type { Plan } from '../../domain/model/plan';
import type { Permission } from '../consent/planGate';
import { sleep } from '../base/clock';
import { Schedules, type SchedulesParts } from './schedules';

const permission = { allowHooks: false } as unknown as Permission;
const hourMs = 3_600_000;

let time: VirtualTime;
let startMs: number;
/** Each run by its name, with the minute of its start. */
let runs: Array<readonly [string, number]>;
let problems: string[];
/** How long a run takes. */
let runMs: number;
let active: Promise<void> | undefined;
let schedules: Schedules;

beforeEach(() => {
  time = new VirtualTime();
  startMs = time.clock.now();
  [runs, problems, runMs, active] = [[], [], 60_000, undefined];
  const run = (name: string): void => {
    runs.push([name, (time.clock.now() - startMs) / 60_000]);
    active = sleep(time.clock, runMs).then(() => (active = undefined));
  };
  schedules = new Schedules({
    clock: time.clock,
    gate: { allow: (plan: Plan) => ({ plan, texts: [] }) },
    runManager: {
      get activeRun() {
        return active;
      },
      idle: () => active ?? Promise.resolve(),
      start: ({ plan }: { plan: Plan }) => {
        if (plan.name.startsWith('Broken')) return Promise.reject(new Error('no such server'));
        run(plan.name);
        return Promise.resolve('run-1');
      },
    },
    problem: (sentence: string) => problems.push(sentence),
  } as unknown as SchedulesParts);
});

const add = (schedule: NonNullable<Plan['schedule']>, name = 'Pull') =>
  schedules.add(samplePlan({}, { name, schedule }), permission);

describe('a scheduled plan', () => {
  it('starts at its time of day', async () => {
    expect(add({ atMs: startMs + 8 * hourMs })).toMatchObject({ state: 'waiting', runs: 1, done: 0 });
    await time.pass(8 * hourMs - 1000);
    expect(runs).toEqual([]);
    await time.pass(1000);
    expect(runs).toEqual([['Pull', 480]]);
    expect(schedules.list()).toMatchObject([{ state: 'running', lastRun: 'run-1' }]);
    await time.pass(runMs);
    expect(schedules.list()).toEqual([]);
  });

  it('follows the clock when that is set while it waits', async () => {
    add({ atMs: startMs + 8 * hourMs });
    await time.pass(hourMs);
    time.setClock(6 * hourMs);
    await time.pass(hourMs);
    expect(runs).toEqual([['Pull', 120]]);
  });

  it('is repeated from start to start, however the clock is set', async () => {
    add({ repeat: 3, everyMs: hourMs });
    await time.pass(10_000);
    time.setClock(-5 * hourMs);
    await time.pass(3 * hourMs);
    expect(runs).toEqual([
      ['Pull (1 of 3)', 0],
      ['Pull (2 of 3)', 60],
      ['Pull (3 of 3)', 120],
    ]);
    expect(schedules.list()).toEqual([]);
  });

  it('starts as soon as the run before has ended that took longer than the interval', async () => {
    runMs = 90 * 60_000;
    add({ repeat: 2, everyMs: hourMs });
    await time.pass(4 * hourMs);
    expect(runs.map(([, minute]) => minute)).toEqual([0, 90]);
  });

  it('waits for the active run', async () => {
    add({ atMs: startMs + 1000 }, 'First');
    add({ atMs: startMs + 30_000 }, 'Second');
    await time.pass(60_000);
    expect(runs.map(([name]) => name)).toEqual(['First']);
    await time.pass(2000);
    expect(runs.map(([name]) => name)).toEqual(['First', 'Second']);
  });

  it('can be cancelled before it starts, and between two runs', async () => {
    const { id } = add({ atMs: startMs + hourMs });
    const repeated = add({ repeat: 5, everyMs: hourMs }, 'Repeated');
    await time.pass(30 * 60_000);
    schedules.remove(id);
    schedules.remove(repeated.id);
    await time.pass(5 * hourMs);
    expect(runs.map(([name]) => name)).toEqual(['Repeated (1 of 5)']);
    expect(() => schedules.remove(id)).toThrow('cancelled already');
  });

  it('that can not start is reported, and does not end the schedule', async () => {
    add({ repeat: 2, everyMs: hourMs }, 'Broken');
    await time.pass(2 * hourMs);
    expect(problems).toEqual([
      'Broken (1 of 2): the scheduled run could not start: no such server',
      'Broken (2 of 2): the scheduled run could not start: no such server',
    ]);
  });
});
