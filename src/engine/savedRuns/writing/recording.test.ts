import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testStartMs, testView } from '../../../../tests/support/savedRun';
import { VirtualTime } from '../../../../tests/support/virtualTime';
import { WritingHere } from '../../../../tests/support/writingHere';
import { Histogram } from '../../../domain/distribution/histogram';
import type { Sample } from '../../../domain/series/series';
import { every } from '../../base/clock';
import { openRunLibrary, readSaved, type RunReader, type RunRecording } from '../../store';
import { Recorder } from './recorder';

let root: string;
let folder: string;
let writing: WritingHere;
let recorder: Recorder;
let time: VirtualTime;
let sentences: string[];

beforeEach(() => {
  time = new VirtualTime();
  root = mkdtempSync(join(tmpdir(), 'fullhouse-recording-'));
  folder = join(root, 'runs');
  writing = new WritingHere();
  sentences = [];
  recorder = new Recorder({
    ...{ folder, dataFolder: join(root, 'data'), startWriter: writing.start, clock: time.clock },
    onProblem: (_, sentence) => sentences.push(sentence),
  });
});
afterEach(async () => {
  writing.thaw();
  await recorder.close();
  rmSync(root, { recursive: true, force: true });
});

const engine = { version: '0.1.0' };
const start = (id = 'run'): Promise<RunRecording> => recorder.create(testView(id), engine);
const seconds = (count: number): Promise<void> => time.pass(count * 1000);
const ended = testView('run', { state: 'ended', endedMs: testStartMs + 60_000 });
const cpu = (second: number): Sample => ({
  ...{ timeMs: testStartMs + second * 1000, node: 'origin', series: 'cpuPercent', value: second },
});
const event = (sentence: string) => ({ timeMs: testStartMs, kind: 'run', mark: 'none', who: 'run', sentence }) as const;
const read = <T>(use: (reader: RunReader) => T, at = folder): T => readSaved(openRunLibrary(at), 'run', use);
const cpuRead = (at?: string): readonly number[] => read((reader) => reader.values('origin', 'cpuPercent').value, at);
const histogram = (run: RunRecording, second: number): void =>
  run.histograms([
    {
      timeMs: Math.floor(testStartMs / 1000) * 1000 + second * 1000,
      ...{ audience: 1, distribution: 'jitterMs', histogram: Histogram.of([second]) },
    },
  ]);

describe('A recording', () => {
  it('has in its file all that was added', async () => {
    const run = await start();
    run.append([cpu(0), cpu(1)]);
    run.event(event('first'));
    await seconds(1);
    run.append([cpu(2)]);
    run.event(event('second'));
    histogram(run, 3);
    const data = new Uint8Array([1, 2, 3]);
    expect(run.still({ timeMs: testStartMs, cause: 'you', mime: 'image/png', data })).toMatchObject({
      id: 1,
      bytes: 3,
    });
    expect(await recorder.rename('run', 'Renamed')).toMatchObject({ name: 'Renamed' });
    expect(await recorder.keep('run', { addTags: ['night'] })).toMatchObject({ tags: ['night'], name: 'Renamed' });
    expect(recorder.summary('run')).toMatchObject({ verdict: 'running', name: 'Renamed', cpuMaxPercent: 2 });
    expect(openRunLibrary(folder).list()).toMatchObject([{ id: 'run', verdict: 'running' }]);
    const finished = run.finish(ended);
    // What is read next waits for the end of the file.
    await recorder.settle();
    await finished;
    expect(recorder.isRecorded('run')).toBe(false);
    expect(cpuRead()).toEqual([0, 1, 2]);
    read((reader) => {
      expect(reader.events().map(({ id, sentence }) => ({ id, sentence }))).toEqual([
        { id: 1, sentence: 'first' },
        { id: 2, sentence: 'second' },
      ]);
      expect([...reader.stillData(1).data]).toEqual([...data]);
      expect(reader.histograms({ fromMs: 0, toMs: Infinity, stepMs: 1000 })).toHaveLength(1);
      expect(reader.integrity()).toMatchObject({ state: 'verified' });
      expect(reader.view()).toMatchObject({ name: 'Renamed', state: 'ended' });
    });
    expect(openRunLibrary(folder).list()).toMatchObject([{ tags: ['night'], cpuMaxPercent: 2 }]);
    expect(sentences).toEqual([]);
    expect(() => run.append([cpu(4)])).toThrow('has ended');
  });

  it('refuses what is no sample, and saves the others', async () => {
    const run = await start();
    expect(() => run.append([cpu(0), { ...cpu(1), value: NaN }, cpu(2)])).toThrow('only numbers can be saved');
    await run.finish(ended);
    expect(cpuRead()).toEqual([0, 2]);
  });

  it('is refused where a run of its name or no folder can be', async () => {
    await start();
    await expect(start()).rejects.toThrow('exists already');
    await recorder.close();
    const other = new Recorder({
      folder: join(folder, 'run.fullhouse'),
      startWriter: writing.start,
      clock: time.clock,
      onProblem: vi.fn(),
    });
    await expect(other.create(testView('x'), engine)).rejects.toThrow(/can't be used for runs: .* is a file/);
    await expect(
      new Recorder({ folder: undefined, startWriter: writing.start, onProblem: vi.fn() }).create(testView('x'), engine),
    ).rejects.toThrow('No folder of runs is open');
  });
});

describe('On a disk that does not answer', () => {
  it('everything is held in memory and saved later; the disk is named once', async () => {
    const run = await start();
    run.append([cpu(0)]);
    await seconds(1);
    writing.freeze();
    for (let second = 1; second <= 30; second += 1) {
      run.append([cpu(second)]);
      run.event(event(`second ${second}`));
      histogram(run, second);
      await seconds(1);
    }
    expect(sentences).toEqual([
      `The disk of ${folder} has not answered for 2 s. Measurements are held in memory; check the disk or its network.`,
    ]);
    await expect(recorder.settle()).rejects.toThrow(/^The disk of .* has not answered for \d+ s\./);
    expect(recorder.isSilent).toBe(true);
    writing.thaw();
    await seconds(1);
    expect(sentences.slice(1)).toEqual([`The disk of ${folder} answers again after 29 s; pending data is saved.`]);
    await recorder.settle();
    expect(cpuRead()).toEqual(Array.from({ length: 31 }, (_, second) => second));
    await run.finish(ended);
    read((reader) => {
      expect(reader.events()).toHaveLength(30);
      expect(reader.histograms({ fromMs: 0, toMs: Infinity, stepMs: 1000 })).toHaveLength(30);
    });
    expect(sentences).toHaveLength(2);
  });

  it('the end of the run waits for it, with a sentence', async () => {
    const run = await start();
    writing.freeze();
    run.append([cpu(0)]);
    await seconds(5);
    const secured = run.secure();
    await seconds(50);
    expect(sentences[1]).toBe(`The verdict waits for the disk of ${folder}, max 60 s; a forced stop ends it now.`);
    writing.thaw();
    expect(await secured).toBeUndefined();
    await run.finish(ended);
    expect(cpuRead()).toEqual([0]);
  });

  it('the end of the run waits a minute, and then saves what it has elsewhere', async () => {
    const run = await start();
    run.event(event('before'));
    run.append([cpu(0)]);
    await seconds(1);
    writing.freeze();
    run.event(event('during'));
    run.append([cpu(1)]);
    await seconds(5);
    const secured = run.secure();
    await seconds(61);
    const elsewhere = join(root, 'data', 'rescued-runs');
    const reason = await secured;
    expect(reason).toMatch(/^The disk of .* has not answered for 64 s\. .* saved to .*rescued-runs\/run\.fullhouse\.$/);
    expect(sentences.at(-1)).toBe(reason);
    await run.finish(ended);
    expect(recorder.path('run')).toBe(join(elsewhere, 'run.fullhouse'));
    expect(cpuRead(elsewhere)).toEqual([1]);
    expect(read((reader) => reader.events().map(({ sentence }) => sentence), elsewhere)).toEqual(['before', 'during']);
    // What is read of this run is there; the others are on the silent disk.
    expect(await recorder.settle('run')).toBe(dirname(recorder.path('run')));
    await expect(recorder.settle('other')).rejects.toThrow('does not answer');
    writing.thaw();
    await seconds(1);
    expect(await recorder.settle('other')).toBeUndefined();
  });

  it('the end of the run waits no longer for a disk that falls silent during it', async () => {
    const run = await start();
    run.append([cpu(0)]);
    expect(await run.secure()).toBeUndefined();
    writing.freeze();
    let isFinished = false;
    void run.finish(ended).then(() => (isFinished = true));
    await seconds(59);
    expect(isFinished).toBe(false);
    await seconds(2);
    expect(isFinished).toBe(true);
    expect(recorder.path('run')).toBe(join(root, 'data', 'rescued-runs', 'run.fullhouse'));
  });

  it('a forced stop hardly waits', async () => {
    const run = await start();
    writing.freeze();
    run.append([cpu(1)]);
    const secured = run.secure();
    await seconds(5);
    recorder.hurry();
    await seconds(3);
    expect(await secured).toMatch(/has not answered for \d s/);
    await run.finish(ended);
    expect(existsSync(join(root, 'data', 'rescued-runs', 'run.fullhouse'))).toBe(true);
  });

  it('no run starts, and a start can be cancelled', async () => {
    const frozen = new Recorder({
      folder,
      startWriter: () => {
        const process = writing.start();
        writing.freeze();
        return process;
      },
      clock: time.clock,
      onProblem: vi.fn(),
    });
    const refused = expect(frozen.create(testView('a'), engine)).rejects.toThrow(
      `The disk of ${folder} has not answered for 10 s. Check the disk or its network.`,
    );
    await seconds(11);
    await refused;
    const stop = new AbortController();
    const stopped = expect(frozen.create(testView('b'), engine, stop.signal)).rejects.toThrow('Stopped before');
    stop.abort();
    await seconds(2);
    await stopped;
  });

  it('a process that is slow to start on a busy machine is waited for, and is not taken for the disk', async () => {
    let startIt: () => void = () => undefined;
    const slow = new Recorder({
      folder,
      startWriter: () => {
        const process = writing.start();
        let isStarted = false;
        const held: Array<() => void> = [];
        startIt = () => {
          isStarted = true;
          for (const act of held.splice(0)) act();
        };
        const whenStarted = (act: () => void): void => (isStarted ? act() : void held.push(act));
        return {
          ...process,
          send: (message) => whenStarted(() => process.send(message)),
          onMessage: (listener) => process.onMessage((message) => whenStarted(() => listener(message))),
        };
      },
      clock: time.clock,
      onProblem: vi.fn(),
    });
    const run = slow.create(testView('run'), engine);
    await seconds(30);
    startIt();
    await run;
    const never = expect(slow.create(testView('b'), engine)).rejects.toThrow(/has not started within 60 s.*too busy/);
    await seconds(61);
    await never;
    startIt();
    await slow.close();
  });

  it('a change is answered with the fault, and made when the disk answers', async () => {
    const run = await start();
    writing.freeze();
    const renamed = expect(recorder.rename('run', 'Later')).rejects.toThrow(/^The disk of /);
    await seconds(11);
    await renamed;
    writing.thaw();
    await seconds(1);
    await run.finish(ended);
    expect(read((reader) => reader.view().name)).toBe('Later');
  });
});

describe('When its process ends', () => {
  it.each([
    ['before it has written', () => writing.die()],
    ['after it has written', () => writing.dieAfter('write')],
  ])('%s, another one continues with each record once', async (_, end) => {
    const run = await start();
    for (let second = 0; second < 4; second += 1) {
      run.append([cpu(second)]);
      run.event(event(`second ${second}`));
      histogram(run, second);
      if (second === 2) end();
      await seconds(1);
    }
    expect(sentences).toEqual([
      'The process that writes the run file ended (SIGKILL); another one continues, and no data is lost.',
    ]);
    await run.finish(ended);
    expect(cpuRead()).toEqual([0, 1, 2, 3]);
    read((reader) => {
      expect(reader.events().map(({ id }) => id)).toEqual([1, 2, 3, 4]);
      const seen = reader.histograms({ fromMs: 0, toMs: Infinity, stepMs: 1000 });
      expect(seen.map((row) => row.histogram.count)).toEqual([1, 1, 1, 1]);
      expect(reader.integrity()).toMatchObject({ state: 'verified' });
    });
    expect(openRunLibrary(folder).list()).toMatchObject([{ cpuMaxPercent: 3 }]);
    expect(writing.starts).toBe(2);
  });

  it('while more waits for it, that is saved too', async () => {
    const run = await start();
    run.append([cpu(0)]);
    writing.freeze();
    await seconds(1);
    run.append([cpu(1)]);
    run.event(event('waits'));
    writing.die();
    await seconds(1);
    await run.finish(ended);
    expect(cpuRead()).toEqual([0, 1]);
    expect(read((reader) => reader.events().map(({ sentence }) => sentence))).toEqual(['waits']);
  });

  it('while it closes the file, the run is complete', async () => {
    const run = await start();
    run.append([cpu(0)]);
    writing.dieAfter('finish');
    await run.finish(ended);
    expect(cpuRead()).toEqual([0]);
    expect(openRunLibrary(folder).list()).toMatchObject([{ verdict: 'inconclusive' }]);
    expect(readdirSync(folder).filter((name) => name.includes('run.'))).toEqual(['run.fullhouse']);
  });

  it('again and again, the run continues in another folder', async () => {
    const run = await start();
    const stopKilling = every(time.clock, 100, () => writing.die());
    run.append([cpu(0)]);
    run.event(event('first'));
    await seconds(1);
    stopKilling();
    await seconds(5);
    await run.finish(ended);
    expect(sentences[0]).toContain('ended (SIGKILL)');
    expect(cpuRead(dirname(recorder.path('run')))).toEqual([0]);
  });
});
