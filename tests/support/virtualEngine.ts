import type { Plan } from '../../src/domain/model/plan';
import type { RunEvent, RunView } from '../../src/domain/model/run';
import { createEngine, type AnyEngineClient, type Engine, type EngineOptions } from '../../src/engine';
import { nextTurn } from '../../src/engine/base/clock';
import { privateTempFolder } from '../../src/engine/base/tempFolder';
import { AgentsHere } from '../standins/agentsHere';
import { readersHere } from './readersHere';
import { samplePlan } from './samplePlan';
import { VirtualTime } from './virtualTime';

/** What happens at once may take several turns: a request to an agent, its answer, and what follows. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await nextTurn();
}

/** An engine in virtual time, on agents in memory: a test lets minutes pass in milliseconds. */
export class VirtualEngine {
  readonly time = new VirtualTime(undefined, settled);
  readonly agents = new AgentsHere(this.time.clock);
  readonly events: RunEvent[] = [];
  readonly client: AnyEngineClient;
  /** Of its runs. */
  readonly folder: string;
  private readonly temporary = privateTempFolder();
  private readonly engine: Engine;

  constructor(options: Partial<EngineOptions> = {}) {
    this.folder = this.temporary.path;
    this.engine = createEngine({
      ...{ runsFolder: this.folder, agentFolder: '', samplesFolder: '', startReader: readersHere, version: '0.1.0' },
      ...{ baselineMs: 300, consent: { typed: ['nodes', 'publish', 'pull'] }, log: () => undefined },
      ...{ clock: this.time.clock, localAgents: this.agents },
      // A machine that nothing else uses.
      readHost: () => ({ monotonicMs: this.time.clock.monotonic() }),
      ...options,
    });
    this.client = this.engine.client;
    this.client.on('event', (event) => this.events.push(event));
  }

  get sentences(): readonly string[] {
    return this.events.map(({ sentence }) => sentence);
  }

  async start(plan: Plan): Promise<string> {
    return (await this.during(this.client.call('runs.start', { plan }))).run;
  }

  /** The active run or the last one. */
  async run(): Promise<RunView | null> {
    return (await this.client.call('engine.state', {})).run;
  }

  /** Lets time pass until the run is as wanted, at most `limitMs`; a view is at most a second old. */
  async until(fits: (run: RunView) => boolean, limitMs = 600_000): Promise<RunView> {
    let view: RunView | null = null;
    for (let passedMs = 0; passedMs < limitMs; passedMs += 500) {
      view = await this.run();
      if (view && fits(view)) return view;
      await this.time.pass(500);
    }
    throw new Error(`No such run within ${limitMs} ms; the last was ${JSON.stringify(view, null, 1)}`);
  }

  ended(limitMs?: number): Promise<RunView> {
    return this.until(({ state }) => state === 'ended', limitMs);
  }

  /** Lets time pass until something is done. */
  async during<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = work.finally(() => (isDone = true));
    done.catch(() => undefined); // rejects below
    while (!isDone) await this.time.pass(50);
    return done;
  }

  async close(): Promise<void> {
    await this.during(this.engine.shutdown(true));
    this.temporary.remove();
  }
}

/** A plan of some viewers of the lab; load of the machine is not under test. */
export const virtualPlan = (pull: Partial<Plan['pull']> = {}, over: Partial<Plan> = {}): Plan =>
  samplePlan(
    { viewers: 20, ratePerSecond: 20, holdMs: 4000, ...pull },
    { name: 'Virtual', expect: { connected: { comparison: '>=', value: 100 } }, ...over },
  );
