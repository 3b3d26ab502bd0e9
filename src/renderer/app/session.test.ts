import { describe, expect, it, vi } from 'vitest';
import type { RunEvent, RunView } from '../../domain/model/run';
import type { SampleBatch } from '../../domain/series/series';
import { FakeClient } from '../../../tests/support/fakeClient';
import { Session } from './session.svelte';

const startedMs = 1_000_000;

function run(id: string, state: RunView['state'] = 'running'): RunView {
  return {
    id,
    state,
    startedMs,
    nodes: [],
    phases: [],
    failures: [],
    figures: { timeMs: startedMs },
  } as unknown as RunView;
}

function batch(timeMs: number, value: number): SampleBatch {
  return { keys: [{ node: 'lab', series: 'cpuPercent' }], key: [0], timeMs: [timeMs], value: [value] };
}

function event(id: number, timeMs: number): RunEvent {
  return { id, timeMs, kind: 'note', mark: 'note', who: 'you', sentence: '' };
}

const idle = { version: '1', runsFolder: '', nodes: [], jobs: [], run: null, events: [], stills: [] };

function client(
  state: object = idle,
  recorded: SampleBatch = batch(startedMs, 1),
  watchedFromMs: number | null = null,
): FakeClient {
  return new FakeClient({
    'engine.state': () => ({ ...idle, ...state }),
    'runs.samples': () => ({ batch: recorded, nextMs: null }),
    'watch.state': () => ({ fromMs: watchedFromMs, toMs: null, bytes: 0, problem: null }),
    'watch.samples': () => ({ batch: batch(watchedFromMs ?? 0, 3), nextMs: null }),
  });
}

describe('session', () => {
  it('keeps what was watched before, during and after a run, apart from the samples of the run', async () => {
    const engine = client();
    const session = new Session(engine, () => undefined);
    await session.load();
    engine.push('samples', batch(10, 5));
    expect(session.watchedSamples.latest('lab', 'cpuPercent')?.value).toBe(5);
    engine.push('run', run('a'));
    engine.push('samples', batch(startedMs + 1000, 7));
    expect(session.record?.samples.latest('lab', 'cpuPercent')?.value).toBe(7);
    expect(session.record?.samples.column('lab', 'cpuPercent')?.length).toBe(1);
    engine.push('run', run('a', 'ended'));
    session.closeRun();
    engine.push('samples', batch(startedMs + 2000, 9));
    const watched = session.watchedSamples.column('lab', 'cpuPercent');
    expect([...(watched?.values.subarray(0, watched.length) ?? [])]).toEqual([5, 7, 9]);
    // The list of nodes continues through both.
    expect(session.fleetSamples.column('lab', 'cpuPercent')?.length).toBe(3);
  });

  it('has the samples of a run under its names, and those of the fleet under its own', async () => {
    const engine = client();
    const session = new Session(engine, () => undefined);
    await session.load();
    engine.push('run', run('a'));
    engine.push('samples', {
      // The run calls the node `lab` of the fleet `origin`; the fleet has another node of that name.
      keys: [
        { node: 'origin', series: 'cpuPercent', fleetNode: 'lab' },
        { node: 'origin', series: 'cpuPercent', fleetNode: 'origin' },
      ],
      key: [0, 1],
      timeMs: [startedMs, startedMs],
      value: [11, 22],
    });
    expect(session.record?.samples.latest('origin', 'cpuPercent')?.value).toBe(11);
    expect(session.record?.samples.column('origin', 'cpuPercent')?.length).toBe(1);
    for (const samples of [session.watchedSamples, session.fleetSamples]) {
      expect(samples.latest('lab', 'cpuPercent')?.value).toBe(11);
      expect(samples.latest('origin', 'cpuPercent')?.value).toBe(22);
    }
  });

  it('loads what was watched before the window was opened', async () => {
    const earlierMs = Date.now() - 60_000;
    const session = new Session(client(idle, undefined, earlierMs), () => undefined);
    await session.load();
    // Nothing waits for it.
    await vi.waitFor(() =>
      expect(session.watchedSamples.latest('lab', 'cpuPercent')).toEqual({ timeMs: earlierMs, value: 3 }),
    );
  });

  it('loads what was recorded before it saw an active run', async () => {
    const engine = client({ run: run('a'), events: [event(1, startedMs)] });
    const session = new Session(engine, () => undefined);
    await session.load();
    engine.push('samples', batch(startedMs + 1000, 7));
    await vi.waitFor(() => expect(session.record?.samples.column('lab', 'cpuPercent')?.length).toBe(2));
    expect(session.record?.events).toHaveLength(1);
    expect(session.isLive).toBe(true);
  });

  it('keeps a finished run until it is closed, and never closes an active one', () => {
    const engine = client();
    const session = new Session(engine, () => undefined);
    engine.push('run', run('a'));
    session.closeRun();
    expect(session.record).toBeDefined();
    engine.push('run', run('a', 'ended'));
    engine.push('run', null);
    expect(session.record?.run.state).toBe('ended');
    expect(session.isLive).toBe(false);
    session.closeRun();
    expect(session.record).toBeUndefined();
  });

  it('keeps events in order, without duplicates', () => {
    const engine = client();
    const session = new Session(engine, () => undefined);
    engine.push('run', run('a'));
    for (const each of [event(2, startedMs + 2000), event(1, startedMs + 1000), event(2, startedMs + 2000)])
      engine.push('event', each);
    expect(session.record?.events.map(({ id }) => id)).toEqual([1, 2]);
  });

  it('is active while a publication runs, though no run does', () => {
    const engine = client();
    const session = new Session(engine, () => undefined);
    const job = { id: 'p', kind: 'publish', node: 'lab', stream: 'cam', source: 'camera' } as const;
    engine.push('jobs', [{ ...job, state: 'holding' }]);
    expect(session.isActive).toBe(true);
    engine.push('jobs', [{ ...job, state: 'ended' }]);
    expect(session.isActive).toBe(false);
  });

  it('reports a problem and leaves no listener', async () => {
    const engine = new FakeClient({});
    const problems: unknown[] = [];
    const session = new Session(engine, (error) => problems.push(error));
    await session.load();
    expect(problems).toHaveLength(1);
    session.dispose();
    expect(engine.listenerCount).toBe(0);
  });
});

describe('a paused display', () => {
  it('stands still while everything is recorded, and shows all of it when resumed', async () => {
    const engine = client({ run: run('a') });
    const heard: number[] = [];
    const session = new Session(
      engine,
      () => undefined,
      ({ id }) => heard.push(id),
    );
    await session.load();
    const version = session.record?.sampleVersion;
    session.pause();
    const figures = { timeMs: startedMs + 9000 };
    engine.push('run', { ...run('a'), figures } as unknown as RunView);
    engine.push('samples', batch(startedMs + 9000, 7));
    engine.push('event', event(1, startedMs + 1000));
    engine.push('event', event(2, startedMs + 2000));
    expect(session.record?.run.figures.timeMs).toBe(startedMs);
    expect([session.record?.sampleVersion, session.record?.events.length]).toEqual([version, 0]);
    expect(session.record?.samples.latest('lab', 'cpuPercent')?.value).toBe(7);
    session.resume();
    expect(session.record?.run.figures.timeMs).toBe(startedMs + 9000);
    expect(session.record?.sampleVersion).toBeGreaterThan(version ?? 0);
    expect(session.record?.events.map(({ id }) => id)).toEqual([1, 2]);
    expect(heard).toEqual([]);
  });

  it('resumes when the run stops or another one starts', async () => {
    const engine = client({ run: run('a') });
    const session = new Session(engine, () => undefined);
    await session.load();
    session.pause();
    engine.push('run', run('a', 'stopping'));
    expect([session.isPaused, session.record?.run.state]).toEqual([false, 'stopping']);
    engine.push('run', run('a', 'ended'));
    session.pause();
    engine.push('run', run('b'));
    expect([session.isPaused, session.record?.run.id]).toEqual([false, 'b']);
  });
});
