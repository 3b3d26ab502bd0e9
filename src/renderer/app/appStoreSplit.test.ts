import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ShellApi } from '../../contract/shell';
import type { NodeView } from '../../domain/model/node';
import type { JobView, RunView, TesterLimit } from '../../domain/model/run';
import { AppStore } from './appStore.svelte';
import { FakeClient } from '../../../tests/support/fakeClient';
import { Notices } from '../ui/notices/notices.svelte';
import { Layouts } from '../charts/layouts.svelte';
import type { Preferences } from '../parts/preferences.svelte';

const tester = (id: string): NodeView => ({
  id,
  name: id,
  role: 'tester',
  colourSlot: 2,
  state: 'live',
  reach: '',
  host: id,
  streams: [],
  settings: { tester: 'ssh', ssh: `qa@${id}` },
});
const limit: TesterLimit = {
  node: 'tester-1',
  kind: 'cpu',
  fromMs: 5000,
  viewers: 60,
  sentence: 'tester-1 was at its own limit.',
  expected: '<= 90 %',
};
const plan = {
  name: 'Pull 100',
  nodes: { lab: { server: 'lab' }, 'tester-1': tester('tester-1').settings },
  pull: { by: ['tester-1'], from: 'lab', protocol: 'whep', viewers: 100 },
};
const run = (id: string, state: RunView['state'], of: Partial<RunView> = {}): RunView =>
  ({
    id,
    state,
    plan,
    startedMs: 0,
    nodes: [tester('tester-1')],
    phases: [{ name: 'ramp', startMs: 0 }],
    failures: [],
    figures: { present: 0 },
    testerLimits: [limit],
    ...of,
  }) as unknown as RunView;
const job: JobView = {
  id: 'pull-1',
  kind: 'pull',
  node: 'tester-1',
  stream: 'cam',
  state: 'holding',
  requested: 100,
  connected: 100,
  present: 100,
};

async function deskOf(jobs: readonly JobView[] = [job]): Promise<{ app: AppStore; engine: FakeClient }> {
  const engine = new FakeClient({
    'engine.state': () => ({
      version: '1',
      runsFolder: '',
      nodes: [tester('tester-1'), tester('tester-2')],
      jobs: [...jobs],
      run: null,
      events: [],
      stills: [],
    }),
    'runs.list': () => [],
    'runs.samples': () => ({ batch: { keys: [], key: [], timeMs: [], value: [] }, nextMs: null }),
    'runs.start': () => ({ run: 'next' }),
    'runs.stopJob': () => ({ present: 100 }),
    'runs.stopAll': () => ({ present: 0 }),
  });
  const shell = { call: () => Promise.resolve(null), on: () => () => undefined } as unknown as ShellApi;
  const app = new AppStore(engine, shell, { layouts: new Layouts(() => undefined) } as Preferences, new Notices());
  onTestFinished(() => app.dispose());
  await app.load();
  return { app, engine };
}
const asked = (engine: FakeClient, name: string): unknown[] =>
  engine.asked.filter((call) => call.name === name).map(({ input }) => input);
const by = (engine: FakeClient): string[] | undefined =>
  (asked(engine, 'runs.start')[0] as { plan: { pull: { by: string[] } } } | undefined)?.plan.pull.by;

describe('splitting over one more tester', () => {
  it('starts immediately if the run has ended', async () => {
    const { app, engine } = await deskOf();
    engine.push('run', run('a', 'running'));
    engine.push('run', run('a', 'ended'));
    expect(app.starting.split?.candidates.map(({ id }) => id)).toEqual(['tester-2']);
    await app.starting.splitOver(tester('tester-2'));
    expect(by(engine)).toEqual(['tester-1', 'tester-2']);
    expect(asked(engine, 'runs.stopJob')).toEqual([]);
  });

  it('first disconnects all viewers of an active run, without stopping publications', async () => {
    const { app, engine } = await deskOf([job, { ...job, id: 'pull-0', state: 'ended' }]);
    engine.push('run', run('a', 'running'));
    await app.starting.splitOver(tester('tester-2'));
    expect(app.starting.next?.pull?.by).toEqual(['tester-1', 'tester-2']);
    expect(asked(engine, 'runs.stopJob')).toEqual([{ job: 'pull-1', force: false }]);
    expect(asked(engine, 'runs.stopAll')).toEqual([]);
    engine.push('run', run('a', 'stopping'));
    expect(by(engine)).toBeUndefined();
    engine.push('run', run('a', 'ended'));
    await vi.waitFor(() => expect(by(engine)).toEqual(['tester-1', 'tester-2']));
    expect(app.starting.next).toBeUndefined();
    engine.push('run', run('a', 'ended'));
    expect(asked(engine, 'runs.start')).toHaveLength(1);
  });

  it('is cancelled by Stop all', async () => {
    const { app, engine } = await deskOf();
    engine.push('run', run('a', 'running'));
    await app.starting.splitOver(tester('tester-2'));
    app.stopAll();
    engine.push('run', run('a', 'ended'));
    await Promise.resolve();
    expect(by(engine)).toBeUndefined();
    expect(app.starting.next).toBeUndefined();
  });

  it('is cancelled if stopping the active run fails', async () => {
    const { app, engine } = await deskOf();
    engine.push('run', run('a', 'running'));
    engine.call = () => Promise.reject(new Error('The engine is gone.'));
    await app.starting.splitOver(tester('tester-2'));
    expect(app.starting.next).toBeUndefined();
    expect(app.notices.list.some(({ sentence }) => sentence.includes('The engine is gone.'))).toBe(true);
  });
});
