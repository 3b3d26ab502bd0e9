import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plan, Audience } from '../../src/domain/model/plan';
import type { RunEvent, RunView } from '../../src/domain/model/run';
import { readersByFork } from '../../src/engine/savedRuns/startReader';
import { createEngine, type Engine, type EngineOptions } from '../../src/engine';
import { hostWithOthers } from '../support/hostLoad';
import { samplePlan } from '../support/samplePlan';
import { later, temporaryFolder } from './undo';

export { cleanUp, later, temporaryFolder } from './undo';

export const root = join(__dirname, '..', '..');
export const agentFolder = join(root, 'build', 'agents');
export const samplesFolder = join(root, 'assets', 'lab');
export const viewerPageFolder = join(root, 'out', 'viewer-page');
export const cli = join(root, 'out', 'cli', 'index.js');

export const startReader = readersByFork(join(root, 'out', 'cli', 'runReader.js'));

export interface TestEngine extends Engine {
  readonly folder: string;
  readonly events: RunEvent[];
  readonly sentences: string[];
}

export function engineInTemporaryFolder(options: Partial<EngineOptions> = {}): TestEngine {
  const folder = temporaryFolder();
  const sentences: string[] = [];
  const engine = createEngine({
    runsFolder: folder,
    agentFolder,
    samplesFolder,
    startReader,
    version: '0.1.0',
    // Long enough for the phase to be visible; its measurements are tested elsewhere.
    baselineMs: 300,
    // What other programs do on this machine is not under test.
    readHost: hostWithOthers(0),
    // Plans of tests are entered here, but for their hooks.
    consent: { typed: ['nodes', 'publish', 'pull'] },
    log: (sentence) => sentences.push(sentence),
    ...options,
  });
  later(() => engine.shutdown(true));
  const events: RunEvent[] = [];
  engine.client.on('event', (event) => events.push(event));
  return Object.assign(engine, { folder, events, sentences });
}

/** A plan for the local lab; without `publish` the stream is external. */
export function planOf(pull: Partial<Plan['pull']> = {}, over: Partial<Plan> = {}): Plan {
  return samplePlan(
    { viewers: 50, ratePerSecond: 50, holdMs: 4000, ...pull },
    // Load of the test machine is not under test.
    { name: 'Integration', expect: { connected: { comparison: '>=', value: 100 } }, ...over },
  );
}

/** Tokens of a command that fails: a run that can't start, which no check before it can know. */
export const noTokens: NonNullable<Audience['tokens']> = { command: [process.execPath, '-e', 'process.exit(3)'] };

/** Resolves with the first matching run view; rejects after `limitMs` with the last one. */
export function waitForRun(engine: Engine, fits: (run: RunView) => boolean, limitMs = 60_000): Promise<RunView> {
  return new Promise((resolve, reject) => {
    let last: RunView | null = null;
    const timer = setTimeout(() => {
      off();
      reject(new Error(`No such run within ${limitMs} ms; the last was ${JSON.stringify(last, null, 1)}`));
    }, limitMs);
    const off = engine.client.on('run', (run) => {
      last = run;
      if (!run || !fits(run)) return;
      clearTimeout(timer);
      off();
      resolve(run);
    });
  });
}

const alreadyEnded = new WeakMap<Engine, Set<string>>();

/** The next run that ends: while it is prepared, the one before is still reported as ended. */
export async function ended(engine: Engine): Promise<RunView> {
  const before = alreadyEnded.get(engine) ?? new Set();
  alreadyEnded.set(engine, before);
  const run = await waitForRun(engine, ({ state, id }) => state === 'ended' && !before.has(id));
  before.add(run.id);
  return run;
}

/** Whether a process exists; a zombie does not count. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  if (!existsSync(stat)) return process.platform !== 'linux';
  return !/^\d+ \(.*\) Z/.test(readFileSync(stat, 'utf8'));
}

/** Children of a process, from /proc. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => {
      try {
        const stat = readFileSync(`/proc/${candidate}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid;
      } catch {
        return false; // it ended while we looked
      }
    });
}
