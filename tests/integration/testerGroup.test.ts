import { afterAll, expect, it } from 'vitest';
import type { RunView } from '../../src/domain/model/run';
import { LocalGroupSource } from '../support/localGroup';
import { until } from '../support/until';
import {
  agentFolder,
  cleanUp,
  ended,
  engineInTemporaryFolder,
  planOf,
  samplesFolder,
  type TestEngine,
} from './support';

afterAll(cleanUp);

type SourceOptions = Partial<ConstructorParameters<typeof LocalGroupSource>[0]>;

function engineWithGroup(options: SourceOptions = {}): { engine: TestEngine; source: LocalGroupSource } {
  const source = new LocalGroupSource({ agentFolder, samplesFolder, size: 3, ...options });
  return { engine: engineInTemporaryFolder({ openGroupSource: () => source }), source };
}

const group = { tester: 'ssh', hosts: ['load-1', 'load-2', 'load-3'] } as const;
const planWith = (pull: Parameters<typeof planOf>[0], settings: object = {}) =>
  planOf({ by: ['load'], ...pull }, { nodes: { origin: { server: 'lab' }, load: { ...group, ...settings } } });

/** The figures once a second. */
function figuresOf(engine: TestEngine): RunView['figures'][] {
  const all: RunView['figures'][] = [];
  engine.client.on('run', (run) => run && all.push(run.figures));
  return all;
}

it.concurrent(
  'pulls with three members as one tester, and the lab counts the same viewers',
  async () => {
    const { engine } = engineWithGroup();
    const run = ended(engine);
    await engine.client.call('runs.start', { plan: planWith({ viewers: 60, ratePerSecond: 60, holdMs: 4000 }) });
    const { verdict, figures, nodes, failures } = await run;
    expect(verdict).toMatchObject({ verdict: 'pass' });
    expect(figures).toMatchObject({ requested: 60, connectedPeak: 60, originViewers: 0 });
    expect(failures).toEqual([]);
    expect(nodes.find(({ id }) => id === 'load')?.group).toMatchObject({ size: 3, ready: 3 });
    expect(engine.events.map(({ sentence }) => sentence)).toContain('3 of 3 ready');
  },
  60_000,
);

it.concurrent(
  'counts the viewers of a killed member as lost by the tester, and its replacement continues',
  async () => {
    const { engine, source } = engineWithGroup({ isReplacing: true });
    const figures = figuresOf(engine);
    const run = ended(engine);
    await engine.client.call('runs.start', { plan: planWith({ viewers: 60, ratePerSecond: 60, holdMs: 14_000 }) });
    await until(() => figures.at(-1)?.connected === 60, 20_000);
    process.kill(source.pidOf(1), 'SIGKILL');
    expect(await until(() => figures.at(-1)?.failed === 20, 5000)).toBe(true);
    expect(await until(() => figures.at(-1)?.connected === 60, 8000)).toBe(true);
    const { failures, verdict, figures: last } = await run;
    expect(failures).toMatchObject([{ tester: 'load', stage: 'media', cause: 'tester-lost', count: 20 }]);
    expect(last).toMatchObject({ connectedPeak: 60, failed: 20 });
    const sentences = engine.events.map(({ sentence }) => sentence);
    expect(sentences.some((sentence) => /^load-2 ended: .*SIGKILL\b.*; 20 viewers lost$/.test(sentence))).toBe(true);
    expect(sentences).toContain('load-2 is ready');
    expect(verdict).toMatchObject({ verdict: 'pass' });
  },
  90_000,
);

it.concurrent(
  'can not judge an origin with fewer members than at the start',
  async () => {
    const { engine, source } = engineWithGroup();
    const figures = figuresOf(engine);
    const run = ended(engine);
    await engine.client.call('runs.start', { plan: planWith({ viewers: 30, ratePerSecond: 60, holdMs: 8000 }) });
    await until(() => figures.at(-1)?.connected === 30, 20_000);
    process.kill(source.pidOf(2), 'SIGKILL');
    const { verdict, failures } = await run;
    expect(verdict?.verdict).toBe('inconclusive');
    expect(verdict?.sentence).toMatch(/load-3 ended: .*10 viewers lost/);
    expect(failures).toMatchObject([{ cause: 'tester-lost', count: 10 }]);
  },
  90_000,
);

it.concurrent(
  'loses no second and counts none twice when the link of a member breaks',
  async () => {
    const { engine, source } = engineWithGroup();
    const figures = figuresOf(engine);
    const run = ended(engine);
    await engine.client.call('runs.start', { plan: planWith({ viewers: 60, ratePerSecond: 60, holdMs: 14_000 }) });
    await until(() => figures.at(-1)?.connected === 60, 20_000);
    source.cut(0);
    const sinceMs = Date.now();
    await until(() => Date.now() - sinceMs > 5000);
    source.restore(0);
    const { verdict, figures: last, failures } = await run;
    expect(verdict).toMatchObject({ verdict: 'pass' });
    expect(last).toMatchObject({ connectedPeak: 60, failed: 0, originViewers: 0 });
    expect(failures).toEqual([]);
    expect(
      Math.min(...figures.filter(({ timeMs }) => timeMs > sinceMs && timeMs < sinceMs + 7000).map((f) => f.connected)),
    ).toBe(60);
  },
  90_000,
);

it.concurrent(
  'starts with fewer members only if the plan allows it, and says so',
  async () => {
    const broken = new Map([[1, 'connection refused.']]);
    const { engine } = engineWithGroup({ broken });
    const refused = ended(engine);
    await engine.client.call('runs.start', { plan: planWith({ viewers: 20, holdMs: 2000 }) });
    expect((await refused).verdict?.sentence).toMatch(/load: 2 of 3 ready\. load-2: connection refused\./);
    const other = engineWithGroup({ broken }).engine;
    const run = ended(other);
    await other.client.call('runs.start', { plan: planWith({ viewers: 20, holdMs: 2000 }, { atLeast: 2 }) });
    const { verdict, figures } = await run;
    expect(figures).toMatchObject({ connectedPeak: 20 });
    expect(verdict).toMatchObject({ verdict: 'pass' });
    expect(verdict?.notes?.map(({ sentence }) => sentence)).toContainEqual(
      expect.stringMatching(/load started with 2 of 3 ready\. load-2: connection refused\./),
    );
  },
  90_000,
);
