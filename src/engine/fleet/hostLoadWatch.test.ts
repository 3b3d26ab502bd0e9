import { describe, expect, it } from 'vitest';
import type { ProgramShare } from '../../domain/model/otherLoad';
import { loadChecks } from '../runs/loadCheck';
import { HostLoadWatch } from './hostLoadWatch';

function watching(programs: readonly ProgramShare[] = []) {
  const state = { nowMs: 0, looks: 0, changes: 0 };
  const watch = new HostLoadWatch(
    () => state.nowMs,
    () => {
      state.looks += 1;
      return Promise.resolve(programs);
    },
  );
  watch.changed.on(() => (state.changes += 1));
  const seconds = async (count: number, other: number): Promise<void> => {
    for (let each = 0; each < count; each += 1) {
      state.nowMs += 1000;
      watch.take('this-machine', state.nowMs, { cpuPercent: other + 5, otherCpuPercent: other });
      await Promise.resolve();
      await Promise.resolve();
    }
  };
  return { watch, state, seconds };
}

const here = { host: 'this-machine', name: 'lab' };
const chrome = [{ name: 'chrome', percent: 61 }];

describe('the load before a test', () => {
  it('reports a machine that is too busy for a valid verdict', async () => {
    const { watch, seconds } = watching(chrome);
    await seconds(6, 84);
    expect(watch.before(here, 80)).toEqual({
      ...{ state: 'busy', takenPercent: 84 },
      sentence:
        'This machine is busy: other programs use 84 % of its CPU (top: chrome 61 %). A run now would be inconclusive.',
    });
    expect(loadChecks(watch, [here, { ...here, name: 'local' }], 80)).toMatchObject([{ good: false }]);
  });

  it.each([
    [3, 80, 'quiet', 'Load before the test on this machine: other programs use 3 % of its CPU.'],
    [40, 80, 'loaded', 'This machine is in use: other programs use 40 % of its CPU (top: chrome 40 %).'],
    [71, 80, 'busy', 'This machine is busy'],
    [71, 95, 'loaded', 'This machine is in use'],
  ])('%s %% beside a limit of %s %% is %s', async (other, limit, state, sentence) => {
    const { watch, seconds } = watching(chrome);
    await seconds(6, other);
    expect(watch.before(here, limit)?.state).toBe(state);
    expect(watch.before(here, limit)?.sentence).toContain(sentence);
  });

  it('covers the last seconds, and is unknown before the first samples', async () => {
    const { watch, seconds } = watching();
    expect(watch.before(here, 80)).toBeUndefined();
    await seconds(6, 84);
    await seconds(6, 2);
    expect(watch.before(here, 80)?.state).toBe('quiet');
  });
});

it('names programs only under load from others, at most every 5 s', async () => {
  const { state, seconds } = watching(chrome);
  await seconds(20, 10);
  expect(state.looks).toBe(0);
  await seconds(20, 60);
  expect(state.looks).toBe(4);
  expect(state.changes).toBeGreaterThan(0);
});
