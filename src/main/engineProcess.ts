import {
  MessageChannelMain,
  utilityProcess,
  type MessagePortMain,
  type UtilityProcess,
  type WebContents,
} from 'electron';
import { connectEngine, type EngineClient } from '../contract/calls';
import { engineCalls, shellCalls, type AnyCalls, type CallInput, type CallOutput } from '../contract/engine';
import type { IncidentNews } from '../contract/incidentCalls';
import type { Wire } from '../contract/wire';
import type { LogLevel } from '../domain/model/logLevel';
import type { ScheduleView } from '../domain/plan/schedule';
import { toolEnvironment } from '../engine/base/program';
import type { EnvironmentMessage } from '../engine/savedRuns/readersByParent';
import type { RunView } from '../domain/model/run';
import type { ActiveWork } from './closing';
import { namedSecrets, type Keychain } from './keychain';
import { RunReaders } from './runReaders';

/** The engine's start options; it depends neither on Electron nor on the app's paths. */
export interface EngineStart {
  readonly runsFolder: string;
  /** Of the compiled code of the engine's programs. */
  readonly codeFolder: string;
  /** Where all that the fleet reports is recorded. */
  readonly watchFolder: string;
  readonly agentsFolder: string;
  readonly labFolder: string;
  readonly fleetFile: string;
  readonly knownHostsFile: string;
  /** The user's preflight rules. */
  readonly rulesFolder: string;
  /** The user's server families. */
  readonly familiesFolder: string;
  readonly viewerPageFolder: string;
  readonly versions: Readonly<Record<string, string>>;
  /** For agents on SSH testers, see `agentIdleBounds`; absent: the default. */
  readonly agentIdleSeconds?: number;
  /** Memory of each agent, see `agentMemoryBounds`; absent: what is usual for its machine. */
  readonly agentMemoryMb?: number;
  readonly logLevel?: LogLevel;
}

/** Name of the process, as the system and `child-process-gone` show it. */
export const engineName = 'Fullhouse engine';

/** What is recorded of the engine's process. */
export interface EngineRecord {
  /** Its standard output and standard error. */
  readonly output: (stdout: NodeJS.ReadableStream | null, stderr: NodeJS.ReadableStream | null) => void;
  /** It ended although nothing had asked it to. */
  readonly crashed: (code: number, pid: number | undefined) => void;
}

/** After a second crash within this time the engine is not restarted: it would crash again. */
export const crashLoopMs = 60_000;

const wireOf = (port: MessagePortMain): Wire => ({
  send: (message) => port.postMessage(message),
  onMessage: (listener) => {
    port.on('message', (event) => listener(event.data));
    port.start();
  },
});

/** The last output of an engine that has ended is read within this time, or the app ends without it. */
const outputLimitMs = 2000;

const openPipes = (): number => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;

/** The engine in its own process, with a port for this process and one for each window. */
export class EngineProcess {
  #process: UtilityProcess | undefined;
  #client: EngineClient<keyof AnyCalls> | undefined;
  #ended: Promise<never> = Promise.reject(new Error('The engine has not been started.'));
  #lastCrashMs = Number.NEGATIVE_INFINITY;
  #isClosing = false;
  #run: RunView | undefined;
  #schedules: readonly ScheduleView[] = [];
  readonly #windows = new Set<WebContents>();
  /** Pipes of this process before it started an engine. */
  readonly #otherPipes = openPipes();

  constructor(
    private readonly programs: { readonly engine: string; readonly runReader: string },
    private readonly options: EngineStart,
    private readonly onProblem: (sentence: string) => void,
    /** The engine ended during this run and was restarted. */
    private readonly onInterrupted: (run: string, sentence: string) => void,
    private readonly keychain: Pick<Keychain, 'read' | 'keep'>,
    private readonly onWork: () => void,
    private readonly record: EngineRecord,
    private readonly onIncidents: (news: IncidentNews) => void,
  ) {
    this.#ended.catch(() => undefined);
  }

  /** What would end with the engine; undefined when nothing runs and nothing is scheduled. */
  get work(): ActiveWork | undefined {
    const isIdle = this.#run === undefined && this.#schedules.length === 0;
    return isIdle ? undefined : { run: this.#run, schedules: this.#schedules };
  }

  start(): void {
    const started = utilityProcess.fork(this.programs.engine, [JSON.stringify(this.options)], {
      serviceName: engineName,
      stdio: 'pipe',
      env: toolEnvironment(),
    });
    const environment: EnvironmentMessage = { kind: 'environment', variables: { ...process.env } };
    started.postMessage(environment);
    this.record.output(started.stdout, started.stderr);
    this.#process = started;
    // It has none any more once it has ended.
    let pid: number | undefined;
    started.once('spawn', () => (pid = started.pid));
    const readers = new RunReaders(this.programs.runReader, this.options.codeFolder, started);
    this.#ended = new Promise((_resolve, reject) => {
      started.once('exit', (code) => {
        readers.end();
        reject(new Error(`The engine ended with code ${code}.`));
        this.#process = undefined;
        this.#client = undefined;
        if (!this.#isClosing) {
          this.record.crashed(code, pid);
          this.#restart(code);
        }
        this.#setWork(undefined, []);
      });
    });
    // Pending calls report it; without any it would be reported twice.
    this.#ended.catch(() => undefined);
    this.#client = connectEngine(wireOf(this.#handPort(started, 'shell')), { ...engineCalls, ...shellCalls });
    this.#client.on('keepSecrets', ({ node, secrets }) => this.keychain.keep(node, secrets));
    this.#client.on('keepNamedSecrets', (named) => this.keychain.keep(namedSecrets, named));
    this.#client.on('run', (run) => this.#setWork(run?.state === 'ended' ? undefined : (run ?? undefined)));
    this.#client.on('incidents', this.onIncidents);
    this.#client.on('schedules', (schedules) => this.#setWork(this.#run, schedules));
    const { [namedSecrets]: named, ...secrets } = this.keychain.read();
    if (named || Object.keys(secrets).length > 0)
      this.call('secrets.restore', { secrets, named }).catch((error: unknown) =>
        this.onProblem(`The saved passwords could not be sent to the engine: ${String(error)}`),
      );
    for (const contents of this.#windows) this.#givePort(contents);
  }

  /** Gives the page a port; to be called each time the page has loaded. */
  connectPage(contents: WebContents): void {
    if (!this.#windows.has(contents)) {
      this.#windows.add(contents);
      contents.once('destroyed', () => this.#windows.delete(contents));
    }
    this.#givePort(contents);
  }

  /** Rejects with a `FullhouseError`, or with a sentence when the engine ends meanwhile. */
  async call<C extends keyof AnyCalls>(name: C, input: CallInput<C>): Promise<CallOutput<C>> {
    if (!this.#client) throw new Error('The engine is not running; restart Fullhouse.');
    return Promise.race([this.#client.call(name, input), this.#ended]);
  }

  /**
   * Stops every job, lets the engine close its files, and ends it; limited in time, since the user is waiting for the
   * app to quit.
   */
  async close(limitMs: number): Promise<void> {
    this.#isClosing = true;
    const engine = this.#process;
    if (!engine) return;
    const gone = new Promise<void>((resolve) => engine.once('exit', () => resolve()));
    const orderly = this.call('runs.stopAll', { force: false })
      .then(() => this.call('engine.shutdown', {}))
      .catch((error: unknown) => console.error(`The engine did not shut down properly: ${String(error)}`));
    await Promise.race([orderly, gone, after(limitMs)]);
    engine.kill();
    await Promise.race([gone, after(1000)]);
    await this.#outputsEnded();
  }

  /**
   * Its last lines are still to be read: a read that is pending while the app ends crashes it (SIGSEGV). Electron has
   * let go of the streams by then, so the pipes themselves are counted.
   */
  async #outputsEnded(): Promise<void> {
    const endMs = performance.now() + outputLimitMs;
    while (openPipes() > this.#otherPipes && performance.now() < endMs) await after(10);
  }

  #setWork(run: RunView | undefined, schedules = this.#schedules): void {
    this.#run = run;
    this.#schedules = schedules;
    this.onWork();
  }

  #givePort(contents: WebContents): void {
    if (!this.#process || contents.isDestroyed()) return;
    contents.postMessage('engine-port', null, [this.#handPort(this.#process, 'window')]);
  }

  #handPort(engine: UtilityProcess, kind: 'shell' | 'window'): MessagePortMain {
    const { port1, port2 } = new MessageChannelMain();
    engine.postMessage({ kind }, [port1]);
    return port2;
  }

  #restart(code: number): void {
    const now = performance.now();
    const again = now - this.#lastCrashMs > crashLoopMs;
    this.#lastCrashMs = now;
    if (again) this.start();
    if (again && this.#run)
      return this.onInterrupted(
        this.#run.id,
        `The engine ended unexpectedly (code ${code}) and was restarted. "${this.#run.name}" is marked interrupted; its file is complete up to the last second.`,
      );
    this.onProblem(
      again
        ? `The engine ended unexpectedly (code ${code}) and was restarted. No run was active.`
        : `The engine ended twice within a minute (code ${code}) and was not restarted. Restart Fullhouse; the runs are saved.`,
    );
  }
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
