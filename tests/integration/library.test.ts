import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ensureReady } from '../../scripts/setup.mjs';
import { FullhouseError } from '../../src/contract/calls';
import { hostWithOthers } from '../support/hostLoad';
import { samplesOf, ramp, reason, viewOf, type RunFixture } from '../support/measured';
import { openRunLibrary, type RunLibrary } from '../../src/engine/store';
import { cleanUp, cli, engineInTemporaryFolder, ended, planOf, temporaryFolder, type TestEngine } from './support';

afterEach(cleanUp);

const day = Date.UTC(2026, 10, 12, 9);

/** Writes the file of a synthetic ended run. */
function keep(library: RunLibrary, story: RunFixture): string {
  const view = viewOf(story);
  const writer = library.create({ ...view, state: 'running', verdict: undefined }, { version: '0.1.0' });
  writer.append(samplesOf(story));
  const most = Math.max(...story.viewers);
  writer.setViewers(
    Array.from({ length: most }, (_, i) => ({
      tester: 'audience',
      job: 'pull-1',
      viewer: i + 1,
      state: 'disconnected' as const,
      connectMs: story.connect?.(i) ?? 100,
      packets: 1,
      bytes: 1,
      lost: 0,
      frames: 1,
      stalls: 0,
      stalledMs: 0,
      degraded: false,
    })),
  );
  writer.finish(view);
  return view.id;
}

const slow: RunFixture = {
  id: 'slow',
  startedMs: day,
  viewers: ramp(260, 5, 30),
  cpu: (viewers) => viewers * 0.378,
  gc: (viewers) => viewers / 5,
  connect: () => 176,
  gcSource: 'GC log over SSH (G1)',
  pull: { viewers: 1000 },
  reasons: [reason(day, 51, 'cpu')],
};
const fast: RunFixture = {
  id: 'fast',
  startedMs: day + 86_400_000,
  viewers: ramp(996, 10, 25),
  cpu: (viewers) => viewers * 0.093,
  gc: () => 3,
  connect: () => 121,
  gcSource: 'GC log over SSH (ZGC)',
  pull: { viewers: 1000 },
  reasons: [reason(day + 86_400_000, 58, 'cpu')],
};

function withRuns(...stories: RunFixture[]): { engine: TestEngine; ids: string[] } {
  const engine = engineInTemporaryFolder();
  const library = openRunLibrary(engine.folder);
  return { engine, ids: stories.map((story) => keep(library, story)) };
}

describe('tags, notes and baseline marks', () => {
  it('are changed for many runs at once, and sent to all clients', async () => {
    const { engine, ids } = withRuns(slow, fast);
    let received = 0;
    engine.client.on('runsChanged', () => (received += 1));
    await engine.client.call('runs.tag', { runs: ids, add: ['atom', 'g1'], remove: [] });
    const [row] = await engine.client.call('runs.tag', { runs: ['fast'], add: ['zgc'], remove: ['g1'] });
    expect(row?.tags).toEqual(['atom', 'zgc']);
    const described = await engine.client.call('runs.describe', {
      run: 'slow',
      note: 'Heap at its default.',
    });
    expect(described).toMatchObject({ tags: ['atom', 'g1'], note: 'Heap at its default.' });
    expect(received).toBe(3);
    const list = await engine.client.call('runs.list', {});
    expect(list.find(({ id }) => id === 'slow')).toMatchObject({
      testers: ['tester-1'],
      reason: 'cpu was exceeded.',
    });
  });

  it('allow one baseline per test', async () => {
    const { engine } = withRuns(slow, { ...slow, id: 'again', startedMs: day + 1000 }, fast);
    for (const run of ['slow', 'again', 'fast']) await engine.client.call('runs.baseline', { run, isBaseline: true });
    const list = await engine.client.call('runs.list', {});
    const baselines = list.filter(({ isBaseline }) => isBaseline).map(({ id }) => id);
    // Both tests request 1,000 viewers at the same rate, so they are one: the last mark is valid.
    expect(baselines).toEqual(['fast']);
    await expect(engine.client.call('runs.baseline', { run: 'gone', isBaseline: true })).rejects.toThrow(
      'Run gone does not exist',
    );
  });
});

describe('comparison of runs', () => {
  it('returns figures, curves and a sentence, and the noise from repeats in the library', async () => {
    const repeats = [0.98, 1.02].map((factor, i): RunFixture => ({
      ...slow,
      id: `repeat-${i}`,
      startedMs: day - (i + 1) * 60_000,
      cpu: (viewers) => viewers * 0.378 * factor,
    }));
    const { engine } = withRuns(slow, fast, ...repeats);
    const comparison = await engine.client.call('runs.compare', { runs: ['fast', 'slow'] });
    expect(comparison.sentence).toBe(
      'B connected 736 more viewers and reached its first limit at 590 instead of 260; both exceeded the origin CPU limit first.',
    );
    expect(comparison.noise).toMatch(/^Noise of 3 repeats: CPU ± \d/);
    expect(comparison.runs.map(({ repeats: count }) => count)).toEqual([3, 1]);
    const figure = (id: string) => comparison.figures.find((figure) => figure.id === id);
    expect(figure('connectP95')?.cells.map(({ value }) => value)).toEqual([176, 121]);
    expect(figure('gcMost')?.cells[1]).toMatchObject({ value: 3, difference: -49, isBeyondNoise: true });
    expect(comparison.charts.find(({ id }) => id === 'cpu')?.overViewers[1]?.x.at(-1)).toBe(1000);
  });

  it('refuses incomparable runs in one sentence', async () => {
    const { engine, ids } = withRuns(slow, fast);
    const compare = (runs: string[]) => engine.client.call('runs.compare', { runs });
    await expect(compare(['slow', 'gone'])).rejects.toThrow('Run gone does not exist');
    writeFileSync(join(engine.folder, 'torn.fullhouse'), 'SQLite format 3\0 torn');
    await expect(compare([...ids, 'torn'])).rejects.toThrow('"torn" can\'t be compared');
    await expect(compare(['slow', 'torn'])).rejects.toBeInstanceOf(FullhouseError);
  });

  it('is written as Markdown, CSV, a page and the SRS table', async () => {
    const steps = [...ramp(50, 10, 12), ...Array.from({ length: 12 }, () => 100)];
    const { engine, ids } = withRuns(slow, fast, {
      ...fast,
      id: 'steps',
      viewers: steps,
      reasons: [],
      software: 'SRS 5.0',
    });
    const write = async (kind: 'md' | 'csv' | 'html' | 'srs', runs = ids.slice(0, 2)): Promise<string> => {
      const path = join(engine.folder, `out.${kind}`);
      const { bytes } = await engine.client.call('runs.exportComparison', {
        runs,
        kind,
        alignment: 'viewers',
        path,
      });
      expect(statSync(path).size).toBe(bytes);
      return readFileSync(path, 'utf8');
    };
    const markdown = await write('md');
    expect(markdown).toContain('| Viewers connected | 260 | 996 | +736 (noise unknown) |');
    expect(markdown).toContain('Differs: GC (G1, ZGC).');
    expect(markdown).toMatch(/\| 200 \| 7\d\.\d \| 18\.\d \|/);
    const csv = await write('csv');
    expect(csv).toContain('\nViewers connected,,260,996,736,noise unknown,\n');
    expect(csv).toMatch(/\nCPU,%,B,500,46\.\d+\n/);
    const page = await write('html');
    expect(page).toContain('B connected 736 more viewers');
    expect(page.match(/<svg viewBox="0 0 3/g)?.length).toBeGreaterThan(3);
    const rows = (await write('srs', ['fast', 'steps'])).split('\n').filter((line) => /^\| (WCS|SRS)/.test(line));
    expect(rows.map((row) => row.split('|')[4]?.trim())).toEqual(['50', '100', '996']);
    await expect(
      engine.client.call('runs.exportComparison', {
        runs: ids.slice(0, 2),
        kind: 'md',
        alignment: 'viewers',
        path: join(engine.folder, 'no', 'such', 'folder.md'),
      }),
    ).rejects.toThrow("can't be written");
  });
});

describe('a run of a test that has a baseline', () => {
  it('fails at its end when it is worse, and names the baseline', async () => {
    const engine = engineInTemporaryFolder({ readHost: hostWithOthers(30) });
    const plan = planOf({ viewers: 20, ratePerSecond: 20, holdMs: 5000 });
    // A baseline of an idle machine, unreachable on one of which others use a part.
    const idle: RunFixture = { id: 'idle', startedMs: day, viewers: ramp(20, 20, 10), cpu: () => 0.01, plan };
    const nodes = viewOf(idle).nodes.map((node) => (node.role === 'origin' ? { ...node, name: 'origin' } : node));
    keep(openRunLibrary(engine.folder), { ...idle, change: { nodes } });
    await engine.client.call('runs.baseline', { run: 'idle', isBaseline: true });

    const whole = ended(engine);
    await engine.client.call('runs.start', { plan });
    const run = await whole;
    expect(run.verdict?.verdict).toBe('fail');
    const worse = run.verdict?.reasons.find(({ series }) => series === 'cpuPercent');
    expect(worse?.sentence).toMatch(
      /^CPU at 20 viewers is \d+ %, baseline 0 % on \d+ \w+ \(noise unknown, 5 points allowed\)\.$/,
    );
    expect(worse?.node).toBe('origin');
    const kept = await engine.client.call('runs.open', { run: run.id });
    expect(kept.run.verdict).toEqual(run.verdict);
  });
});

describe('fullhouse compare, tag and baseline', () => {
  beforeAll(() => ensureReady(['cli']));

  it('work on files, and change only what is requested', () => {
    const folder = temporaryFolder();
    const library = openRunLibrary(join(folder, 'runs'));
    for (const story of [slow, fast]) keep(library, story);
    const fullhouse = (...args: string[]): string =>
      execFileSync(process.execPath, [cli, ...args], { cwd: folder, encoding: 'utf8' });
    expect(fullhouse('tag', 'slow', 'G1', '--note', 'Before tuning')).toBe(
      'slow  Pull: tags g1; note: Before tuning\n',
    );
    expect(fullhouse('baseline', join('runs', 'slow.fullhouse'))).toContain('baseline; tags g1');
    expect(openRunLibrary(join(folder, 'runs')).summary('slow')).toMatchObject({
      tags: ['g1'],
      isBaseline: true,
    });
    const before = readFileSync(library.path('fast'));
    expect(fullhouse('compare', 'slow', 'fast')).toContain('B connected 736 more viewers');
    expect(fullhouse('compare', 'slow', 'fast', '--table', 'srs')).toContain('| WCS 5.2.1 |');
    expect(fullhouse('compare', 'slow', 'fast', '--out', 'c.html')).toBe(`${join(folder, 'c.html')}\n`);
    expect(existsSync(join(folder, 'c.html'))).toBe(true);
    expect(readFileSync(library.path('fast')).equals(before)).toBe(true);
    const wrong = spawnSync(process.execPath, [cli, 'compare', 'slow', 'gone'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toContain('gone is neither a file nor the id of a run');
  });
});
