import type { WireMessage } from '../contract/wire';
import type { LogLevel } from '../domain/model/logLevel';
import { systemClock } from './base/clock';
import { ignoreClosedOutputs } from './base/closedOutputs';
import { logLine } from './base/logLines';
import { sweepTempFolders } from './base/tempFolder';
import { createEngine, type Engine } from './index';
import { setAgentMemory } from './links/agentMemory';
import { setAgentIdleTimeout } from './links/idleTimeout';
import { environmentMessage, fromParent, readersByParent, type EngineToParent } from './savedRuns/readersByParent';

/**
 * The engine as an Electron utility process. Its last argument is a JSON object `{ runsFolder, watchFolder, agentsFolder, labFolder,
 * fleetFile, knownHostsFile, rulesFolder, familiesFolder, viewerPageFolder, versions, agentIdleSeconds?, agentMemoryMb?, logLevel? }`, with `versions.fullhouse`. Each message of
 * the parent is `{ kind: 'shell' | 'window' }` with one port: a window's port may make the engine's calls, the shell's
 * port also those that take paths. Before these it sends the environment, see `environmentMessage`: variables may be
 * secrets that plans refer to, and what a process inherits can be read from outside. A utility process can't start
 * another, so the parent starts its readers of saved runs, see `readersByParent.ts`. After the call `engine.shutdown`
 * nothing is left to lose, and the parent ends the process.
 */
interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown; ports: EnginePort[] }) => void): void;
  postMessage(message: EngineToParent): void;
}

interface EnginePort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  on(event: 'close', listener: () => void): void;
  postMessage(message: unknown): void;
  start(): void;
}

interface UtilityOptions {
  readonly runsFolder: string;
  readonly watchFolder: string;
  readonly agentsFolder: string;
  readonly labFolder: string;
  readonly fleetFile: string;
  readonly knownHostsFile: string;
  readonly rulesFolder: string;
  readonly familiesFolder: string;
  readonly viewerPageFolder: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly agentIdleSeconds?: number;
  readonly agentMemoryMb?: number;
  readonly logLevel?: LogLevel;
}

const sweepAfterMs = 10_000;

ignoreClosedOutputs();
// Those of an engine that was killed; it may have been this app's. Not while the window is waited for.
systemClock.after(sweepAfterMs, () => sweepTempFolders(), 'background');
// A closed terminal and Ctrl-C reach every process of the app; the main process ends this one in order.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

const { parentPort } = process as unknown as { parentPort: ParentPort };
const options = JSON.parse(process.argv[process.argv.length - 1] ?? '{}') as UtilityOptions;

if (options.agentIdleSeconds !== undefined) setAgentIdleTimeout(options.agentIdleSeconds);
setAgentMemory(options.agentMemoryMb);
const readers = readersByParent((message) => parentPort.postMessage(message));

const start = (): Engine =>
  createEngine({
    startReader: readers.start,
    runsFolder: options.runsFolder,
    watchFolder: options.watchFolder,
    agentFolder: options.agentsFolder,
    samplesFolder: options.labFolder,
    fleetFile: options.fleetFile,
    knownHostsFile: options.knownHostsFile,
    rulesFolder: options.rulesFolder,
    familiesFolder: options.familiesFolder,
    viewerPageFolder: options.viewerPageFolder,
    version: options.versions['fullhouse'] ?? '0.0.0',
    versions: options.versions,
    // Standard error, and not a message: it also delivers the last lines before a crash.
    log: (sentence, level) => void process.stderr.write(logLine(level, sentence)),
    ...(options.logLevel === undefined ? {} : { logLevel: options.logLevel }),
  });
let engine: Engine | undefined;

function channelOf<T>(port: EnginePort): {
  send(message: T): void;
  onMessage(listener: (message: unknown) => void): void;
} {
  return {
    send: (message) => port.postMessage(message),
    onMessage: (listener) => {
      port.on('message', ({ data }) => listener(data));
      port.start();
    },
  };
}

parentPort.on('message', ({ data, ports }) => {
  const [port] = ports;
  const environment = environmentMessage.safeParse(data);
  if (environment.success) {
    Object.assign(process.env, environment.data.variables);
    engine = start();
    return;
  }
  const message = fromParent.safeParse(data);
  if (message.success) return readers.take(message.data, port && channelOf(port));
  if (!port || !engine) return;
  const kind = typeof data === 'object' && data !== null && 'kind' in data ? data.kind : undefined;
  const end = engine.serve(channelOf<WireMessage>(port), kind === 'shell' ? 'shell' : 'window');
  port.on('close', end);
});
