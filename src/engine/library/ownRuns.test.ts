import { appendFileSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WritingHere } from '../../../tests/support/writingHere';
import { testView } from '../../../tests/support/savedRun';
import type { Plan } from '../../domain/model/plan';
import { parsePlan } from '../../domain/plan/planYaml';
import { jobs } from '../savedRuns/jobs';
import { Recorder } from '../savedRuns/writing/recorder';
import { openRunLibrary, readSaved, type RunRecorder } from '../store';
import { OwnRuns, recordingOwn, type OwnRunsOptions } from './ownRuns';
import { audienceIn } from '../../../tests/support/pullPlan';

let folder: string;
let problems: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-test-'));
  problems = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ownRuns = (options: Partial<OwnRunsOptions> = {}): OwnRuns =>
  new OwnRuns({ path: join(folder, 'own-runs'), problem: (sentence) => problems.push(sentence), ...options });

/** Records a run as the engine does. */
async function record(own: OwnRuns, id: string, plan?: Plan): Promise<void> {
  const view = testView(id, plan && { plan });
  const recording = await recorderOf(own).create(view, { version: '0.1.0' });
  await recording.finish({ ...view, state: 'ended', endedMs: view.startedMs + 1000 });
  await own.whenSaved();
}

const recorderOf = (own: OwnRuns): RunRecorder =>
  recordingOwn(new Recorder({ folder, startWriter: new WritingHere().start, onProblem: fail }), own);

const fail = (_: string, sentence: string): never => {
  throw new Error(sentence);
};

const isOwn = (own: OwnRuns, id: string): Promise<boolean> =>
  own.isOwn(readSaved(openRunLibrary(folder), id, (reader) => reader.view()));

describe('own runs', () => {
  it('are those that this console recorded, also after a restart and a new name', async () => {
    await record(ownRuns(), 'own');
    expect(await isOwn(ownRuns(), 'own')).toBe(true);
    openRunLibrary(folder).rename('own', 'Renamed');
    expect(await isOwn(ownRuns(), 'own')).toBe(true);
  });

  it('are recognised with any plan, as it is read from the file', async () => {
    const presets = join(__dirname, '..', '..', '..', 'assets', 'presets');
    const texts = readdirSync(presets).map((name) => readFileSync(join(presets, name), 'utf8'));
    expect(texts.length).toBeGreaterThan(5);
    const own = ownRuns();
    for (const [index, text] of texts.entries()) {
      await record(own, `run-${index}`, parsePlan(text, 0).plan);
      expect(await isOwn(own, `run-${index}`), text).toBe(true);
    }
  });

  it('are not files that were copied into the folder, whatever their name is', async () => {
    const own = ownRuns();
    await record(own, 'own');
    const file = (id: string): string => join(folder, `${id}.fullhouse`);
    copyFileSync(file('own'), file('copied'));
    expect(await isOwn(own, 'copied')).toBe(false);
    // A run of another console, in place of the own one.
    await record(ownRuns({ path: undefined }), 'other', { ...testView('x').plan, nodes: {} });
    copyFileSync(file('other'), file('own'));
    expect(await isOwn(own, 'own')).toBe(false);
  });

  it('are not those of an id that an import has written', async () => {
    const own = ownRuns();
    await record(own, 'own');
    own.forget('own');
    await own.whenSaved();
    expect(await isOwn(own, 'own')).toBe(false);
    expect(await isOwn(ownRuns(), 'own')).toBe(false);
  });

  it('include plans that an active run gets', async () => {
    const own = ownRuns();
    const writer = await recorderOf(own).create(testView('grows'), { version: '0.1.0' });
    const grown = { ...testView('grows').plan, also: [audienceIn(testView('grows').plan)] };
    writer.setView(testView('grows', { plan: grown }));
    expect(await own.isOwn({ id: 'grows', plan: grown })).toBe(true);
    await writer.finish(testView('grows', { plan: grown, state: 'ended' }));
  });

  it('of an earlier version are adopted at the first start only', async () => {
    await record(ownRuns({ path: undefined }), 'earlier');
    const earlier = (): ReturnType<typeof jobs.planDigests> => jobs.planDigests(openRunLibrary(folder), {});
    expect(await isOwn(ownRuns({ earlier }), 'earlier')).toBe(true);
    await record(ownRuns({ path: undefined }), 'later');
    const second = ownRuns({ earlier });
    expect(await isOwn(second, 'earlier')).toBe(true);
    expect(await isOwn(second, 'later')).toBe(false);
  });

  it('are none in the folder of a console that was not used before', async () => {
    await record(ownRuns({ path: undefined }), 'there');
    expect(await isOwn(ownRuns(), 'there')).toBe(false);
    // Nor at the second start, which has an earlier one.
    expect(await isOwn(ownRuns({ earlier: () => Promise.resolve([]) }), 'there')).toBe(false);
  });

  it('survive a damaged line of the list; a list that cannot be read is reported', async () => {
    await record(ownRuns(), 'own');
    appendFileSync(join(folder, 'own-runs'), 'garbage\n\n');
    expect(await isOwn(ownRuns(), 'own')).toBe(true);
    rmSync(join(folder, 'own-runs'));
    const failing = ownRuns({ earlier: () => Promise.reject(new Error('no reader')) });
    expect(await isOwn(failing, 'own')).toBe(false);
    expect(problems).toEqual([expect.stringContaining('The list of own runs')]);
    writeFileSync(join(folder, 'own-runs'), '');
  });
});
