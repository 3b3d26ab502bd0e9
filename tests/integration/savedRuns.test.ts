import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engine';
import { Lane } from '../../src/engine/savedRuns/lane';
import { SavedRuns, type SavedRunsOptions } from '../../src/engine/savedRuns/savedRuns';
import { openRunLibrary } from '../../src/engine/store';
import { testSample, testStartMs, testView } from '../support/savedRun';
import { makeLongRun } from '../bench/runs/make';
import { keepCustomerRun } from './servers/customerRun';
import { until } from '../support/until';
import { cleanUp, engineInTemporaryFolder, exists, later, startReader, temporaryFolder } from './support';

/** Long enough for every job on it to take a while on any machine. */
const big = 'evening';
let folder: string;
let small: string;

beforeAll(() => {
  folder = temporaryFolder();
  const library = openRunLibrary(folder);
  makeLongRun(library, { id: big, seconds: 5400, nodes: 4, seed: 5 });
  small = keepCustomerRun(library);
});
afterAll(cleanUp);

function savedRuns(options: Partial<SavedRunsOptions> = {}): SavedRuns {
  const runs = new SavedRuns({ folder, startReader, ...options });
  later(() => runs.close());
  return runs;
}

const bigFile = (): string => join(folder, `${big}.fullhouse`);
const csv = (): { run: string; kind: 'csv'; path: string } => ({
  run: big,
  kind: 'csv',
  path: join(folder, 'out.csv'),
});

describe('the process that reads saved runs', () => {
  it('is the only process that a file can crash: the file is named, and the next job has a new process', async () => {
    const marker = join(temporaryFolder(), 'marker');
    const lane = new Lane(startReader, { timeMs: 60_000, memoryMb: 2000 }, marker);
    later(() => lane.close());
    const outcome = lane.run(() => ({ job: 'export', folder, input: csv(), quarantined: {} }));
    // Before it opens a file, a job notes that it has none open.
    const isOpen = (): boolean => existsSync(marker) && readFileSync(marker, 'utf8').includes(bigFile());
    expect(await until(isOpen, 20_000)).toBe(true);
    const first = lane.pid ?? 0;
    process.kill(first, 'SIGABRT');
    expect(await outcome).toMatchObject({
      ...{ kind: 'ended', cause: 'SIGABRT', isCertain: false },
      opened: { path: bigFile() },
    });
    const again = await lane.run(() => ({ job: 'summary', folder, input: { run: small }, quarantined: {} }));
    expect(again).toMatchObject({ kind: 'result', value: { id: small } });
    expect(lane.pid).not.toBe(first);
  });

  it('is ended by its time limit when it does not respond, and leaves nothing behind', async () => {
    const marker = join(temporaryFolder(), 'marker');
    const lane = new Lane(startReader, { timeMs: 3000, memoryMb: 2000 }, marker);
    later(() => lane.close());
    await lane.run(() => ({ job: 'summary', folder, input: { run: small }, quarantined: {} }));
    const { pid = 0 } = lane;
    process.kill(pid, 'SIGSTOP');
    const outcome = await lane.run(() => ({
      job: 'summary',
      folder,
      input: { run: small },
      quarantined: {},
    }));
    expect(outcome).toMatchObject({ kind: 'ended', cause: 'it took longer than 3 s', isCertain: true });
    expect(await until(() => !exists(pid), 5000)).toBe(true);
  });

  it('names and quarantines a file that exceeds its limits, until that file changes', async () => {
    const scarce = savedRuns({ limits: { timeMs: 60_000, memoryMb: 100 } });
    const sentence =
      /^evening\.fullhouse is quarantined: reading it crashed the reader process \(it needed more than 100 MB\)/;
    await expect(scarce.call('export', csv())).rejects.toMatchObject({
      code: 'damaged-run',
      message: expect.stringMatching(sentence) as string,
    });

    // The next start knows it too; the other runs are unchanged.
    const next = savedRuns();
    const rows = await next.call('list', {});
    expect(rows.find(({ id }) => id === big)).toMatchObject({
      verdict: 'damaged',
      problem: expect.stringMatching(sentence) as string,
    });
    expect(rows.find(({ id }) => id === small)?.verdict).not.toBe('damaged');
    await expect(next.call('open', { run: big })).rejects.toThrow(sentence);

    utimesSync(bigFile(), new Date(), new Date());
    await expect(next.call('summary', { run: big })).resolves.toMatchObject({ id: big });
  });
});

it('accepts no file in place of a run that the engine still records', async () => {
  const own = temporaryFolder();
  const library = openRunLibrary(own);
  const writer = library.create(testView('live'), { version: '0.1.0' });
  writer.append([testSample(0, 'origin', 'cpuPercent', 1)]);
  const copy = join(temporaryFolder(), 'copy.fullhouse');
  library.exportFile('live', copy);

  const runs = new SavedRuns({ folder: own, startReader });
  later(() => runs.close());
  expect(await runs.call('import', { path: copy })).toMatchObject({
    id: 'live',
    outcome: 'This run is active; the file can be imported when it has ended.',
  });
  writer.append([testSample(1, 'origin', 'cpuPercent', 2)]);
  writer.finish(testView('live', { state: 'ended', endedMs: testStartMs + 1000 }));
  expect(openRunLibrary(own).open('live').values('origin', 'cpuPercent').value).toEqual([1, 2]);
});

it('leaves nothing of a killed import once the next reader starts', async () => {
  const own = temporaryFolder();
  const lane = new Lane(startReader, { timeMs: 60_000, memoryMb: 2000 }, join(temporaryFolder(), 'marker'));
  later(() => lane.close());
  const outcome = lane.run(() => ({
    job: 'import',
    folder: own,
    input: { path: bigFile() },
    quarantined: {},
  }));
  const work = (): string[] => readdirSync(own).filter((name) => name.startsWith('fullhouse-'));
  expect(await until(() => work().length > 0, 20_000)).toBe(true);
  process.kill(lane.pid ?? 0, 'SIGKILL');
  expect((await outcome).kind).toBe('ended');
  expect(work()).toHaveLength(1);
  await lane.run(() => ({ job: 'list', folder: own, input: {}, quarantined: {} }));
  expect(readdirSync(own)).toEqual([]);
});

describe('an engine with a busy reader', () => {
  let engine: Engine & { readonly folder: string };

  beforeAll(() => {
    engine = engineInTemporaryFolder({ runsFolder: folder });
  });

  /** The fastest of several tries: tests whether the engine waits for the job, not the load of the machine. */
  async function stopMs(isWorking: () => boolean): Promise<number> {
    let best = Infinity;
    for (let attempt = 0; attempt < 5 && isWorking(); attempt += 1) {
      const startedMs = performance.now();
      await engine.client.call('runs.stopAll', { force: false });
      best = Math.min(best, performance.now() - startedMs);
    }
    return best;
  }

  const jobs: ReadonlyArray<readonly [string, () => Promise<unknown>]> = [
    ['export', () => engine.saved.call('export', csv())],
    ['report', () => engine.saved.call('export', { ...csv(), kind: 'html' })],
    ['import', () => engine.saved.call('import', { path: join(temporaryFolder(), 'none.fullhouse') })],
    ['compare', () => engine.saved.call('compare', { runs: [big, small] })],
    ['estimate', () => engine.saved.call('estimate', { run: big })],
    ['result', () => engine.saved.call('result', { run: big, file: bigFile(), report: null })],
    ['snapshot', () => engine.saved.call('previewSnapshot', { run: big })],
    ['list', () => engine.saved.call('list', {})],
    ['samples', () => engine.saved.call('samples', { run: big, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER })],
  ];

  it.each(jobs)('stops everything within 100 ms while the %s is stuck', async (_, job) => {
    // A reader that hangs permanently, as a file could cause.
    await Promise.all([
      engine.saved.call('summary', { run: small }),
      engine.saved.call('result', { run: small, file: '', report: null }),
    ]);
    for (const pid of engine.saved.pids) process.kill(pid, 'SIGSTOP');
    let isWorking = true;
    const done = job()
      .catch(() => undefined)
      .finally(() => (isWorking = false));
    expect(await stopMs(() => isWorking)).toBeLessThan(100);
    expect(isWorking).toBe(true);
    for (const pid of engine.saved.pids) process.kill(pid, 'SIGCONT');
    await done;
  });
});

describe('a copy that is opened for reading', () => {
  it('is read in a folder of its own, beside its original, and can not be changed', async () => {
    const runs = savedRuns();
    const path = join(temporaryFolder(), 'copy.fullhouse');
    await runs.call('writeSnapshot', { run: small, choice: { keepKinds: [], keep: [] }, path });
    const bytes = readFileSync(path);
    const before = readdirSync(folder).filter((name) => name.endsWith('.fullhouse'));
    const copy = await runs.openCopy(path);
    expect((await runs.call('view', { run: copy })).name).toBe('run-1');
    expect((await runs.call('view', { run: small })).name).toBe('Acme before the final');
    expect((await runs.call('viewers', { run: copy, offset: 0, limit: 9 })).total).toBe(1);
    expect((await runs.call('list', {})).map(({ id }) => id)).not.toContain(copy);
    await expect(runs.call('writeNote', { run: copy, text: 'x', timeMs: testStartMs })).rejects.toThrow(
      'This copy is opened for reading only. Import its file to change it, or change its original.',
    );
    expect(readdirSync(folder).filter((name) => name.endsWith('.fullhouse'))).toEqual(before);
    expect(readFileSync(path).equals(bytes)).toBe(true);

    const second = await runs.openCopy(path);
    expect(second).not.toBe(copy);
    await expect(runs.call('view', { run: copy })).rejects.toMatchObject({ code: 'no-run' });
    await expect(runs.openCopy(join(folder, 'missing.fullhouse'))).rejects.toThrow();
    expect((await runs.call('view', { run: second })).name).toBe('run-1');
  });
});
