import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agentListening, agentProtocolVersion, type AgentListening } from '../../contract/agentProtocol';
import { FullhouseError } from '../../contract/calls';

export interface LocalAgentOptions {
  /** The agent's program; see `localAgentBinary`. */
  readonly binary: string;
  readonly role: 'audience' | 'lab';
  readonly args?: readonly string[];
  /** Most time for the `listening` line. */
  readonly startTimeoutMs?: number;
}

/** Why an agent's process is no more. */
export interface AgentExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** One sentence with the agent's own last words. */
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
   * Ends the process: `ask` first (the agent's `shutdown` call), then SIGTERM, then SIGKILL, each with its patience.
   * Resolves when the process is gone; `force` goes straight to SIGKILL.
   */
  end(ask?: () => Promise<unknown>, force?: boolean): Promise<AgentExit>;
}

/** Where the agent for this machine lies within the folder of built agents. */
export function localAgentBinary(agentFolder: string): string {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return join(agentFolder, `${process.platform}-${process.arch}`, `fullhouse-agent${suffix}`);
}

const keptLines = 5;

/** Starts an agent and waits until it listens. Rejects with one sentence that holds the agent's own reason. */
export async function startLocalAgent(options: LocalAgentOptions): Promise<LocalAgent> {
  const { binary, role } = options;
  if (!existsSync(binary))
    throw new FullhouseError(
      'no-agent',
      `The agent program is missing at ${binary}; run "npm start" once to build it.`,
    );
  const token = randomBytes(32).toString('hex');
  const child = spawn(binary, [role, '--exit-when-alone', ...(options.args ?? [])], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C in the terminal is for the engine, which then lets the viewers leave properly.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const words: string[] = [];
  lines(child.stderr, (line) => {
    words.push(line);
    if (words.length > keptLines) words.shift();
  });
  const exited = new Promise<AgentExit>((resolve) => {
    child.once('error', (error) =>
      resolve({ code: null, signal: null, sentence: `The ${role} agent can't be run: ${error.message}.` }),
    );
    // 'close' and not 'exit': its last words on stderr are read by then.
    child.once('close', (code, signal) =>
      resolve({ code, signal, sentence: exitSentence(role, code, signal, words) }),
    );
  });
  child.stdin?.on('error', () => undefined); // an agent that ended before it read its token tells why by its exit
  child.stdin?.end(`${token}\n`);

  try {
    const listening = await firstLine(child, role, exited, options.startTimeoutMs ?? 10_000);
    if (listening.protocol !== agentProtocolVersion)
      throw new FullhouseError(
        'protocol-mismatch',
        `The agent at ${binary} is ${listening.agent} and speaks protocol ${listening.protocol}; this Fullhouse speaks protocol ${agentProtocolVersion}. Build the agent of the same release.`,
      );
    return {
      listening,
      pid: listening.pid,
      token,
      exited,
      alive: () => child.exitCode === null && child.signalCode === null,
      end: (ask, force) => endProcess(child, exited, ask, force ?? false),
    };
  } catch (error) {
    await endProcess(child, exited, undefined, true);
    throw error;
  }
}

function exitSentence(
  role: string,
  code: number | null,
  signal: string | null,
  words: readonly string[],
): string {
  const how = signal ? `was ended by ${signal}` : code === 0 ? 'ended' : `ended with code ${code}`;
  return words.length > 0 ? `The ${role} agent ${how}: ${words.join(' ')}` : `The ${role} agent ${how}.`;
}

function firstLine(
  child: ChildProcess,
  role: string,
  exited: Promise<AgentExit>,
  timeoutMs: number,
): Promise<AgentListening> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(
          new FullhouseError('no-agent', `The ${role} agent did not start within ${timeoutMs / 1000} s.`),
        ),
      timeoutMs,
    );
    void exited.then((exit) => {
      clearTimeout(timer);
      reject(new FullhouseError('no-agent', exit.sentence));
    });
    let heard = false;
    lines(child.stdout, (line) => {
      if (heard) return;
      heard = true;
      clearTimeout(timer);
      let raw: unknown;
      try {
        raw = JSON.parse(line);
      } catch {
        raw = undefined;
      }
      const listening = agentListening.safeParse(raw);
      if (listening.success) resolve(listening.data);
      else
        reject(
          new FullhouseError(
            'no-agent',
            `The ${role} agent said something unexpected: ${line.slice(0, 120)}`,
          ),
        );
    });
  });
}

async function endProcess(
  child: ChildProcess,
  exited: Promise<AgentExit>,
  ask: (() => Promise<unknown>) | undefined,
  force: boolean,
): Promise<AgentExit> {
  const gone = (ms: number): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      void exited.then(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  if (!force) {
    // An agent that can't be asked any more is ended by signal; that it could not be asked is no news then.
    if (
      ask &&
      (await Promise.race([
        ask().then(
          () => true,
          () => false,
        ),
        gone(3000),
      ])) &&
      (await gone(12_000))
    )
      return exited;
    child.kill('SIGTERM');
    if (await gone(12_000)) return exited;
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
