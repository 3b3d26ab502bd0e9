import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readersHere } from '../../../tests/support/readersHere';
import { testView } from '../../../tests/support/savedRun';
import { VirtualTime } from '../../../tests/support/virtualTime';
import { SecretMask } from '../../domain/secrets/secretMask';
import type { OverviewBatch } from '../../contract/schemas';
import type { Retention } from '../../domain/watch/retention';
import type { Sample } from '../../domain/series/series';
import { every, nextTurn } from '../base/clock';
import { markOf } from '../base/lock';
import { SavedRuns } from '../savedRuns/savedRuns';
import { Recorder } from '../savedRuns/writing/recorder';
import { Watching } from './watching';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = Date.UTC(2026, 10, 28, 22);

let root: string;
let time: VirtualTime;
let watching: Watching;
let runs: { recorder: Recorder; saved: SavedRuns };
let problems: string[];
let stopTicking: () => void;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'fullhouse-watching-'));
  time = new VirtualTime(startMs, async () => {
    for (let turn = 0; turn < 6; turn += 1) await nextTurn();
  });
  problems = [];
  const options = { folder: join(root, 'runs'), startReader: readersHere, clock: time.clock };
  const recorder = new Recorder({ ...options, startWriter: readersHere, onProblem: () => undefined });
  runs = { recorder, saved: new SavedRuns({ ...options, beforeJob: (run) => recorder.settle(run) }) };
  watching = await open();
});
afterEach(async () => {
  await close();
  runs.saved.close();
  await runs.recorder.close();
  rmSync(root, { recursive: true, force: true });
});

const folder = (): string => join(root, 'watched');

/** Time passes faster than the disk answers: it is open once it has its lock. */
async function open(retention?: Retention): Promise<Watching> {
  const opened = new Watching({
    ...{ folder: folder(), startReader: readersHere, clock: time.clock, version: '0.1.0', mask: new SecretMask() },
    nodes: () => testView('x').nodes,
    events: () => [{ timeMs: startMs, kind: 'node', mark: 'lost', who: 'origin', node: 'origin', sentence: 'Lost.' }],
    ...{ runs, retention, problem: (sentence) => void problems.push(sentence) },
  });
  stopTicking = every(time.clock, 1000, () => opened.tick(time.clock.now()));
  await opened.state();
  return opened;
}

async function close(): Promise<void> {
  stopTicking();
  await during(watching.close());
}

/** Lets time pass until something is done. */
async function during<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  done.catch(() => undefined); // rejects below
  while (!isDone) await time.pass(20);
  return done;
}

/** Reports CPU once each `everyMs`, of a value that grows from 0 by 1. */
async function watch(forMs: number, everyMs = 1000, node = 'origin'): Promise<void> {
  for (let passedMs = 0; passedMs < forMs; passedMs += everyMs) {
    const sample: Sample = { timeMs: time.clock.now(), node, series: 'cpuPercent', value: passedMs / everyMs };
    watching.take([sample]);
    await time.pass(everyMs);
  }
}

async function overview(fromMs: number, toMs: number, columns: number): Promise<OverviewBatch[]> {
  const parts: OverviewBatch[] = [];
  for (let next: number | null = fromMs; next !== null;) {
    const part: OverviewBatch = await during(watching.history.overview({ fromMs: next, toMs, columns }));
    parts.push(part);
    next = part.nextMs;
  }
  return parts;
}
const valuesOf = (parts: readonly OverviewBatch[]): number[] => parts.flatMap(({ value }) => [...value]);

it('is written by one process: another one says so, and takes over once that has ended', async () => {
  await close();
  const lock = join(root, 'watched', 'writer.json');
  // Time passes faster than the disk answers: the end of this one removes its lock first.
  await vi.waitFor(() => expect(existsSync(lock)).toBe(false));
  const other = spawn('sleep', ['600']);
  writeFileSync(lock, JSON.stringify(markOf(other.pid ?? 0)));
  watching = await open();
  expect((await during(watching.state())).problem).toBe(
    `What is watched is not recorded: another process (${other.pid}) records to ${join(root, 'watched')}; end it, or choose another folder.`,
  );
  await watch(10_000);
  expect((await during(watching.state())).fromMs).toBeNull();
  other.kill('SIGKILL');
  await once(other, 'exit');
  await watch(90_000);
  await watching.state();
  await watch(90_000);
  const state = await during(watching.state());
  expect(state.problem).toBeNull();
  expect(state.fromMs).not.toBeNull();
});

it('reads what was watched a second ago, and earlier than this start', async () => {
  await watch(60_000);
  expect(valuesOf(await overview(startMs, startMs + hourMs, 3600))).toHaveLength(60);
  await close();
  watching = await open();
  await watch(60_000);
  const values = valuesOf(await overview(startMs, startMs + hourMs, 3600));
  expect(values).toHaveLength(120);
  expect(await during(watching.history.state())).toMatchObject({ fromMs: startMs, problem: null });
  expect(problems).toEqual([]);
});

it('begins a file at midnight, and reads over it', async () => {
  await watch(3 * hourMs, 60_000);
  expect(readdirSync(folder()).filter((name) => name.endsWith('.fullhouse'))).toHaveLength(2);
  const parts = await overview(startMs, startMs + 3 * hourMs, 10_000);
  expect(valuesOf(parts)).toEqual(Array.from({ length: 180 }, (_, minute) => minute));
  const page = await during(watching.history.samples({ fromMs: startMs, toMs: startMs + 3 * hourMs }));
  expect(page.nextMs).toBeGreaterThan(startMs + 2 * hourMs - 60_000);
});

it('makes a run of a range, with its events', async () => {
  await watch(120_000);
  const id = await during(
    watching.history.save({ fromMs: startMs + 30_000, toMs: startMs + 60_000, name: 'At 22:00' }),
  );
  const { run, events } = await runs.saved.call('open', { run: id });
  expect(run).toMatchObject({
    ...{ name: 'At 22:00', state: 'ended', startedMs: startMs + 30_000, endedMs: startMs + 60_000 },
    watched: { stepMs: 1000 },
    verdict: { verdict: 'inconclusive' },
  });
  expect(events).toMatchObject([{ sentence: 'Lost.' }]);
  const { batch } = await runs.saved.call('samples', { run: id, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER });
  expect(batch.value).toEqual(Array.from({ length: 31 }, (_, second) => second + 30));
});

it('says that nothing was watched in a range', async () => {
  await watch(5000);
  await expect(during(watching.history.save({ fromMs: 0, toMs: 1000 }))).rejects.toThrow(/Nothing was watched/);
});

it('makes old data thinner without losing a peak, and deletes it when it is too old', async () => {
  // Peaks of 999 in noise.
  for (let second = 0; second < 7200; second += 1) {
    const value = second % 600 === 300 ? 999 : second % 7;
    watching.take([{ timeMs: startMs - 2 * hourMs + second * 1000, node: 'origin', series: 'cpuPercent', value }]);
    if (second === 0) await time.pass(2000);
  }
  await time.pass(5000);
  await close();
  const [file = ''] = readdirSync(folder()).filter((name) => name.endsWith('.fullhouse'));
  const path = join(folder(), file);
  const before = statSync(path).size;
  await time.suspend(3 * dayMs);
  watching = await open();
  // A clock that was not left alone for an hour may be wrong.
  await watch(30_000);
  expect(statSync(path).size).toBe(before);
  await watch(2 * hourMs, 60_000);
  expect(statSync(path).size).toBeLessThan(before);
  const values = valuesOf(await overview(startMs - 2 * hourMs, startMs, 7200));
  expect(values.length).toBeLessThanOrEqual(2 * 721);
  expect(values.filter((value) => value === 999)).toHaveLength(12);
  await close();
  await time.suspend(6 * dayMs);
  watching = await open();
  await watch(2 * hourMs, 60_000);
  expect(existsSync(path)).toBe(false);
  expect(problems).toEqual([]);
});

it('says that it records nothing, and records again when it can', async () => {
  await close();
  rmSync(folder(), { recursive: true, force: true });
  // A file in the place of the folder.
  writeFileSync(folder(), '');
  watching = await open();
  await watch(5000);
  expect(problems).toEqual([expect.stringMatching(/^What is watched is not recorded: .*watched/)]);
  rmSync(folder());
  await watch(61_000);
  await watching.state();
  await watch(20_000);
  expect(problems.at(-1)).toBe('What is watched is recorded again.');
  expect(valuesOf(await overview(startMs, startMs + hourMs, 3600)).length).toBeGreaterThan(5);
});

it('reads over files that overlap, as after the clock was set back', async () => {
  await watch(60_000);
  time.setClock(-30_000);
  time.clock.follow();
  await close();
  watching = await open();
  await watch(60_000);
  const parts = await overview(startMs - hourMs, startMs + hourMs, 7200);
  expect(valuesOf(parts).length).toBeGreaterThanOrEqual(60 + 30);
  const id = await during(watching.history.save({ fromMs: startMs - hourMs, toMs: startMs + hourMs }));
  expect(await runs.saved.call('summary', { run: id })).toMatchObject({ id });
});

it('keeps a week although the clock was wrong for a while', async () => {
  await watch(30_000);
  await close();
  watching = await open();
  await watch(30_000);
  time.setClock(30 * dayMs);
  time.clock.follow();
  await watch(30_000);
  time.setClock(-30 * dayMs);
  time.clock.follow();
  await watch(2 * hourMs, 60_000);
  const values = valuesOf(await overview(startMs, startMs + hourMs, 3600));
  expect(values.length).toBeGreaterThanOrEqual(60);
});

it('reads the other files when one is damaged', async () => {
  await watch(3 * hourMs, 60_000);
  const [file = ''] = readdirSync(folder())
    .filter((name) => name.endsWith('.fullhouse'))
    .sort();
  const all = valuesOf(await overview(startMs, startMs + dayMs, 10_000));
  rmSync(join(folder(), file));
  const rest = valuesOf(await overview(startMs, startMs + dayMs, 10_000));
  expect(rest.length).toBeGreaterThan(50);
  expect(rest.length).toBeLessThan(all.length);
});
