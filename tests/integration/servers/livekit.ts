import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { freePorts } from './freePort';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const built = join(__dirname, '..', '..', '..', 'build', '.cache', 'livekit');
const startLimitMs = 20_000;

export interface LiveKit {
  /** API and signalling. */
  readonly url: string;
  readonly metricsUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Of media over TCP. */
  readonly tcpPort: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** A TURN server that LiveKit lists to its participants. */
interface TurnServer {
  readonly port: number;
  readonly username: string;
  readonly password: string;
}

/** A real LiveKit server on free loopback ports. `scripts/setup.mjs` has built it (part `livekit`). */
export async function startLiveKit({ turn }: { readonly turn?: TurnServer } = {}): Promise<LiveKit> {
  const [port = 0, metricsPort = 0, tcpPort = 0, udpPort = 0] = await freePorts(4);
  const apiKey = 'APItest';
  const apiSecret = 'made-up-for-the-tests-and-32-characters-long';
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-livekit-'));
  const config = join(folder, 'livekit.yaml');
  writeFileSync(
    config,
    `port: ${port}
bind_addresses: [127.0.0.1]
rtc:
  tcp_port: ${tcpPort}
  udp_port: ${udpPort}
  use_external_ip: false
  node_ip: 127.0.0.1
  enable_loopback_candidate: true
  # node_ip also replaces the address of other interfaces, and of two equal candidates a random one is used.
  interfaces: { includes: [lo] }
${
  turn
    ? `  turn_servers:
    - { host: 127.0.0.1, port: ${turn.port}, protocol: udp, username: "${turn.username}", credential: "${turn.password}" }
`
    : ''
}room:
  # A room that all have left stays this long, in seconds.
  departure_timeout: 2
keys:
  ${apiKey}: ${apiSecret}
prometheus:
  port: ${metricsPort}
logging:
  level: info
  json: true
`,
  );
  const child = start('livekit-server', ['--config', config]);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4000)));
  child.stderr?.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4000)));
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  const limitMs = Date.now() + startLimitMs;
  while (!(await answers(url))) {
    if (child.exitCode !== null || Date.now() > limitMs) {
      await stop();
      throw new Error(`The LiveKit server did not start:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    apiKey,
    apiSecret,
    tcpPort,
    pid: child.pid ?? 0,
    stop,
  };
}

export interface LiveKitParticipant {
  /** Resolves when it has printed this: `joined`, `publishing`, `media` (received some), `leave REASON`, `gone`. */
  readonly printed: (word: string) => Promise<void>;
  /** The layers of its video that any participant receives, by the server's latest report: `LOW`, `MEDIUM`, `HIGH`. */
  readonly receivedQualities: () => readonly string[];
  leave(): Promise<void>;
}

export interface ParticipantOptions {
  readonly token: string;
  /** `layers` of simulcast, each half as large as the next. */
  readonly publish?: { readonly width: number; readonly height: number; readonly layers?: number };
}

/** A participant of a room: publishes VP8 and Opus, or subscribes to all streams. */
export function startParticipant(server: LiveKit, options: ParticipantOptions): LiveKitParticipant {
  const child = start('livekit-client', []);
  const words: string[] = [];
  const waiting = new Set<() => void>();
  const tell = (): void => waiting.forEach((check) => check());
  if (child.stdout)
    createInterface({ input: child.stdout }).on('line', (line) => {
      words.push(line);
      tell();
    });
  child.stderr?.on('data', (chunk: Buffer) => words.push(`error: ${chunk.toString()}`));
  child.once('exit', tell);
  child.stdin?.write(
    `${JSON.stringify({
      url: server.url.replace(/^http/, 'ws'),
      token: options.token,
      publish: options.publish !== undefined,
      ...options.publish,
    })}\n`,
  );
  return {
    printed: (word) =>
      new Promise((resolve, reject) => {
        const done = (act: () => void): void => {
          clearTimeout(timer);
          waiting.delete(check);
          act();
        };
        const fail = (): void =>
          done(() => reject(new Error(`No "${word}" from the participant, but: ${words.join(', ')}`)));
        const check = (): void => {
          if (words.some((each) => each.startsWith(word))) done(resolve);
          else if (child.exitCode !== null) fail();
        };
        const timer = setTimeout(fail, startLimitMs);
        waiting.add(check);
        check();
      }),
    receivedQualities: () =>
      words
        .filter((word) => word.startsWith('qualities'))
        .at(-1)
        ?.split(' ')
        .slice(1) ?? [],
    leave: async () => {
      child.stdin?.end();
      await end(child, 3000);
    },
  };
}

function start(name: string, args: readonly string[]): ChildProcess {
  const path = join(built, process.platform === 'win32' ? `${name}.exe` : name);
  if (!existsSync(path))
    throw new Error(`${path} is missing: "npm test -- integration" builds it, once, in some minutes.`);
  return spawn(path, args, { stdio: 'pipe' });
}

/** Waits `patienceMs` for the process to exit, then ends it. */
async function end(child: ChildProcess, patienceMs = 0): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const terms = setTimeout(() => child.kill('SIGTERM'), patienceMs);
  // It would wait for connected participants.
  const kills = setTimeout(() => child.kill('SIGKILL'), patienceMs + 3000);
  await ended;
  clearTimeout(terms);
  clearTimeout(kills);
}

function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(url, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}
