import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agentListening, agentProtocolVersion, type AgentListening } from '../../contract/agentProtocol';
import { FullhouseError } from '../../contract/calls';
import { inTime, systemClock, type Clock } from '../base/clock';
import { log } from '../base/log';
import { startProgram, type ChildProcess } from '../base/program';
import { proxyVariables, variablesOf } from '../base/variables';
import { crashFix, crashReason } from './agentCrash';
import type { DialAgent } from './agentSocket';

export interface LocalAgentOptions {
  /** The agent's executable; see `localAgentBinary`. */
  readonly binary: string;
  readonly role: 'audience' | 'lab';
  readonly args?: readonly string[];
  /** Timeout for the `listening` line. */
  readonly startTimeoutMs?: number;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** Why an agent's process ended. */
export interface AgentExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** One sentence with the agent's last output. */
  readonly sentence: string;
}

/** An agent that runs as a child of this process. */
export interface LocalAgent {
  readonly listening: AgentListening;
  readonly pid: number;
  readonly token: string;
  readonly exited: Promise<AgentExit>;
  /** Whether the process still exists. */
  alive(): boolean;
  /**
   * Ends the process: `ask` first (the agent's `shutdown` call), then SIGTERM, then SIGKILL, each with its own timeout.
   * Resolves when the process is gone; `force` goes straight to SIGKILL.
   */
  end(ask?: () => Promise<unknown>, force?: boolean): Promise<AgentExit>;
}

/** How the agents of this machine are started and reached. */
export interface LocalAgents {
  readonly start: (options: LocalAgentOptions) => Promise<LocalAgent>;
  readonly dial: DialAgent;
}

/** Path of this machine's agent within the folder of built agents. */
export function localAgentBinary(agentFolder: string): string {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return join(agentFolder, `${process.platform}-${process.arch}`, `fullhouse-agent${suffix}`);
}

const maxLines = 5;

/** Starts an agent and waits until it listens. Rejects with one sentence that includes the agent's own reason. */
export async function startLocalAgent(options: LocalAgentOptions): Promise<LocalAgent> {
  const { binary, role, clock = systemClock } = options;
  if (!existsSync(binary))
    throw new FullhouseError(
      'no-agent',
      `The agent executable is missing at ${binary}; run "npm start" once to build it.`,
    );
  const token = randomBytes(32).toString('hex');
  const child = startProgram(binary, [role, '--exit-when-idle', ...(options.args ?? [])], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // A separate process group: Ctrl-C in the terminal goes to the engine, which then disconnects the viewers.
    detached: process.platform !== 'win32',
    // It reaches servers as the engine does. Other tools connect to loopback only, or send media that no proxy takes.
    env: variablesOf(proxyVariables),
  });
  const words: string[] = [];
  let crash: string | undefined;
  lines(child.stderr, (line) => {
    crash ??= crashReason(line);
    words.push(line);
    if (words.length > maxLines) words.shift();
  });
  const exited = new Promise<AgentExit>((resolve) => {
    child.once('error', (error) =>
      resolve({ code: null, signal: null, sentence: `The ${role} agent failed to start: ${error.message}.` }),
    );
    // 'close' and not 'exit': its last output on stderr is read by then.
    child.once('close', (code, signal) =>
      resolve({ code, signal, sentence: exitSentence(role, { code, signal, crash, words }) }),
    );
  });
  child.stdin?.on('error', () => undefined); // an agent that ended before it read its token reports why by its exit
  child.stdin?.end(`${token}\n`);

  try {
    const listening = await firstLine(child, role, exited, clock, options.startTimeoutMs ?? 10_000);
    if (listening.protocol !== agentProtocolVersion)
      throw new FullhouseError(
        'protocol-mismatch',
        `The agent at ${binary} is ${listening.agent} with protocol ${listening.protocol}; this Fullhouse uses protocol ${agentProtocolVersion}. Build the agent of the same release.`,
      );
    log.info(`Started the ${role} agent ${listening.agent}: process ${listening.pid}, ${listening.address}.`);
    void exited.then(({ sentence }) => log.info(sentence));
    return {
      listening,
      pid: listening.pid,
      token,
      exited,
      alive: () => child.exitCode === null && child.signalCode === null,
      end: (ask, force) => endProcess(child, exited, clock, ask, force ?? false),
    };
  } catch (error) {
    await endProcess(child, exited, clock, undefined, true);
    throw error;
  }
}

interface ExitFacts {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why Go's runtime crashed; undefined if it did not. */
  readonly crash: string | undefined;
  readonly words: readonly string[];
}

function exitSentence(role: string, { code, signal, crash, words }: ExitFacts): string {
  // Go prints all of its stacks after the reason, which do not help the user.
  if (crash !== undefined) return `The ${role} agent crashed (${crash}): ${crashFix(crash)}`;
  if (signal === 'SIGKILL')
    return `The ${role} agent was ended by SIGKILL, as by a user or when memory runs out; start again to restart it.`;
  const how = signal ? `was ended by ${signal}` : code === 0 ? 'ended' : `ended with code ${code}`;
  return words.length > 0 ? `The ${role} agent ${how}: ${words.join(' ')}` : `The ${role} agent ${how}.`;
}

function firstLine(
  child: ChildProcess,
  role: string,
  exited: Promise<AgentExit>,
  clock: Clock,
  timeoutMs: number,
): Promise<AgentListening> {
  return new Promise((resolve, reject) => {
    const cancelLimit = clock.after(timeoutMs, () =>
      reject(new FullhouseError('no-agent', `The ${role} agent did not start within ${timeoutMs / 1000} s.`)),
    );
    void exited.then((exit) => {
      cancelLimit();
      reject(new FullhouseError('no-agent', exit.sentence));
    });
    let isDone = false;
    lines(child.stdout, (line) => {
      if (isDone) return;
      isDone = true;
      cancelLimit();
      let raw: unknown;
      try {
        raw = JSON.parse(line);
      } catch {
        raw = undefined;
      }
      const listening = agentListening.safeParse(raw);
      if (listening.success) resolve(listening.data);
      else
        reject(new FullhouseError('no-agent', `The ${role} agent printed an unexpected line: ${line.slice(0, 120)}`));
    });
  });
}

async function endProcess(
  child: ChildProcess,
  exited: Promise<AgentExit>,
  clock: Clock,
  ask: (() => Promise<unknown>) | undefined,
  force: boolean,
): Promise<AgentExit> {
  const exitWithin = async (ms: number): Promise<boolean> => (await inTime(clock, exited, ms)) !== undefined;
  if (!force) {
    // An agent that does not respond to the call is ended by signal; the failed call needs no report.
    if (
      ask &&
      (await Promise.race([
        ask().then(
          () => true,
          () => false,
        ),
        exitWithin(3000),
      ])) &&
      (await exitWithin(12_000))
    )
      return exited;
    child.kill('SIGTERM');
    if (await exitWithin(12_000)) return exited;
  }
  child.kill('SIGKILL');
  return exited;
}

function lines(stream: NodeJS.ReadableStream | null, take: (line: string) => void): void {
  let rest = '';
  stream?.setEncoding('utf8');
  stream?.on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) if (part.trim()) take(part.trim());
  });
  stream?.on('end', () => {
    if (rest.trim()) take(rest.trim());
  });
}
