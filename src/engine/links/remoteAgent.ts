import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agentListening, agentManifest, agentProtocolVersion, agentStatus } from '../../contract/agentProtocol';
import { FullhouseError } from '../../contract/calls';
import { log } from '../base/log';
import {
  changedCode,
  hashScript,
  homeScript,
  leftLines,
  leftScript,
  makeScript,
  noexecScript,
  removeScript,
  requireSafe,
  startScript,
  statusScript,
  stopScript,
  unsafeReason,
} from './agentFolder';
import { agentMemoryArguments } from './agentMemory';
import { idleTimeouts } from './idleTimeout';
import {
  requireResult,
  folderFault,
  lastLine,
  isNotExecutable,
  startFault,
  type RemoteAgentEnd,
} from './remoteAgentFaults';
import type { SshLink, SshResult } from './ssh/sshLink';
import { parseForeignJson } from '../../domain/budget/foreignJson';

/** What is needed of a host to deploy an agent there. */
export type AgentHost = Pick<SshLink, 'run' | 'upload' | 'connect'>;

/** An agent that runs independently on a tester, for any console. */
export interface RemoteAgent {
  /** Its address on the tester's loopback. */
  readonly address: { readonly host: string; readonly port: number };
  readonly token: string;
  /** Its executable there. */
  readonly program: string;
  /** Its process there. */
  readonly pid: number;
  /** It was running already. */
  readonly ranBefore: boolean;
  /** Sentences about limitations of the tester. */
  readonly warnings: readonly string[];
}

const sampleFiles = ['sample-240p.h264', 'sample-240p.ogg'];

/**
 * Uploads the agent to a host if missing, starts it if it is not running, and returns how to connect. Rejects with one
 * sentence.
 */
export async function ensureRemoteAgent(
  host: AgentHost,
  options: { readonly who: string; readonly agentFolder: string; readonly samplesFolder: string },
): Promise<RemoteAgent> {
  const { who, agentFolder, samplesFolder } = options;
  const home = await makeFolder(host, who, (await agentHome(host, who)).home);
  const { program, sha256 } = await ensureProgram(host, who, agentFolder, home);
  await ensureSamples(host, who, samplesFolder, home);

  const token = randomBytes(32).toString('hex');
  const started = await host.run(
    [
      ...['sh', '-c', startScript, 'sh', sha256],
      program,
      'start',
      'audience',
      '--state-dir',
      home,
      '--idle-timeout',
      idleTimeouts.sshTester,
      '--samples',
      `${home}/samples`,
      ...agentMemoryArguments(),
    ],
    { input: `${token}\n`, timeoutMs: 30_000 },
  );
  if (started.code === changedCode) throw changedProgram(who, program);
  if (started.code !== 0) throw await faultOf(host, who, program, started);
  const listening = agentListening.safeParse(parsed(started.stdout));
  if (!listening.success)
    throw new FullhouseError(
      'no-agent',
      `The agent on ${who} printed an unexpected line at its start: ${started.stdout.slice(0, 120)}`,
    );
  if (listening.data.protocol !== agentProtocolVersion)
    throw new FullhouseError(
      'protocol-mismatch',
      `The agent on ${who} is ${listening.data.agent} with protocol ${listening.data.protocol}; this Fullhouse uses protocol ${agentProtocolVersion}. Remove the agent there and try again.`,
    );
  // One that was running keeps its own token, which only this user can read there, and its own executable.
  const running = listening.data.running ? await runningAgent(host, who, program, home) : undefined;
  await removeOlder(host, who, home, [program, ...(running ? [programIn(home, running.sha256)] : [])]);
  log.info(
    `The agent ${listening.data.agent} on ${who} ${running ? 'was running' : 'was started'}: process ${listening.data.pid}, ${program}.`,
  );
  const [address, port] = splitAddress(listening.data.address);
  return {
    address: { host: address, port },
    token: running?.token ?? token,
    program,
    pid: listening.data.pid,
    ranBefore: running !== undefined,
    warnings: (listening.data.warnings ?? []).map((sentence) => `${who}: ${sentence}`),
  };
}

/** How the agent of a host has ended; undefined while it is alive, or when unknown. */
export async function endOfRemoteAgent(host: Pick<AgentHost, 'run'>, who: string): Promise<RemoteAgentEnd | undefined> {
  const { home } = await agentHome(host, who);
  const { stdout } = await ranSafely(host, who, ['sh', '-c', statusScript, 'sh', home], 10_000);
  const known = stdout.split('\n').flatMap((line) => {
    const status = agentStatus.safeParse(parsed(line));
    return status.success ? [status.data] : [];
  });
  if (known.length === 0) return undefined;
  let lastLogLine = '';
  for (const status of known) {
    if (status.alive) return undefined;
    lastLogLine = status.lastLogLine ?? lastLogLine;
  }
  // One that ends as intended removes its state.
  return { lastLogLine, isOrderly: known.every(({ pid }) => pid === undefined) };
}

/** Stops the agent of a host without removing it. Rejects with one sentence when it does not end. */
export async function stopRemoteAgent(host: AgentHost, who: string): Promise<void> {
  const { home } = await agentHome(host, who);
  const { code, stderr } = await ranSafely(host, who, ['sh', '-c', stopScript, 'sh', home], 40_000);
  if (code !== 0)
    throw new FullhouseError(
      'no-stop',
      `The agent on ${who} did not stop: ${lastLine(stderr).replace(/\.$/, '') || `exit code ${code ?? 'none'}`}.`,
    );
}

/** Stops the agent and removes everything from the host. Resolves with what is left there; empty on success. */
export async function removeRemoteAgent(host: AgentHost, who: string): Promise<string[]> {
  const found = await ran(host, who, ['sh', '-c', homeScript], 10_000);
  const unsafe = unsafeReason(found);
  if (unsafe) return [`${unsafe.why}: nothing there was run or removed`];
  const { home, named } = homeOf(found, who);
  // A failure to stop is reported below, as a process that is left.
  await ran(host, who, ['sh', '-c', stopScript, 'sh', home], 40_000);
  const removed = await ran(host, who, ['sh', '-c', removeScript, 'sh', home, named], 20_000);
  const remaining = await ran(host, who, ['sh', '-c', leftScript, 'sh', home, named], 10_000);
  return leftLines([remaining.stdout, removed.code === 0 ? '' : removed.stderr].join('\n'));
}

/** Runs a command whose exit is that of its program: rejects when the link broke or no process can be started there. */
async function ran(
  host: Pick<AgentHost, 'run'>,
  who: string,
  argv: readonly string[],
  timeoutMs: number,
): Promise<SshResult> {
  const result = await host.run(argv, { timeoutMs });
  requireResult(who, result);
  return result;
}

async function faultOf(host: AgentHost, who: string, program: string, started: SshResult): Promise<FullhouseError> {
  requireResult(who, started);
  const folder = program.slice(0, program.lastIndexOf('/'));
  const mounted = isNotExecutable(started)
    ? (await ran(host, who, ['sh', '-c', noexecScript, 'sh', folder], 10_000)).stdout.trim()
    : '';
  return startFault(who, program, started, mounted || undefined);
}

/** Like `ran`, for a script that refuses a folder which another user could change. */
async function ranSafely(
  host: Pick<AgentHost, 'run'>,
  who: string,
  argv: readonly string[],
  timeoutMs: number,
): Promise<SshResult> {
  const result = await ran(host, who, argv, timeoutMs);
  requireSafe(who, result);
  return result;
}

interface AgentHome {
  /** Our folder there, without links. */
  readonly home: string;
  /** As it is named. */
  readonly named: string;
}

async function agentHome(host: Pick<AgentHost, 'run'>, who: string): Promise<AgentHome> {
  return homeOf(await ranSafely(host, who, ['sh', '-c', homeScript], 10_000), who);
}

function homeOf({ code, stdout, stderr }: SshResult, who: string): AgentHome {
  const [home = '', named = home] = stdout.trim().split('\n');
  if (code === 0 && home.startsWith('/')) return { home, named };
  throw new FullhouseError(
    'no-home',
    `${who} has no home folder for the agent (${(lastLine(stderr) || home).trim() || 'HOME is not set'}). Create one for its user.`,
  );
}

async function ensureProgram(host: AgentHost, who: string, agentFolder: string, home: string): Promise<Program> {
  const { stdout } = await ran(host, who, ['uname', '-sm'], 10_000);
  const platform = platformOf(stdout.trim());
  if (!platform)
    throw new FullhouseError(
      'no-agent',
      `${who} runs ${stdout.trim() || 'an unknown system'}; the agent needs Linux on an x86-64 or ARM64 processor.`,
    );
  const built = await builtAgent(agentFolder, platform);
  const program = programIn(home, built.sha256);
  const { sha256 } = built;
  const isThere = async (): Promise<boolean> => {
    const { code, stdout: sum } = await ran(host, who, ['sh', '-c', hashScript, 'sh', program], 20_000);
    return code === 0 && sum.startsWith(sha256);
  };
  if (await isThere()) return { program, sha256 };
  await host.upload(built.path, program, 0o700);
  if (!(await isThere())) throw changedProgram(who, program);
  return { program, sha256 };
}

function changedProgram(who: string, program: string): FullhouseError {
  return new FullhouseError(
    'no-agent',
    `${who}: ${program} differs from the one that was uploaded, and was not started. Check the disk and who can write there, then try again.`,
  );
}

interface Program {
  readonly program: string;
  readonly sha256: string;
}

const programIn = (home: string, sha256: string): string => `${home}/fullhouse-agent-${sha256.slice(0, 12)}`;

/** Removes agents of other builds, except one that still runs viewers; it is removed at the next start. */
async function removeOlder(host: AgentHost, who: string, home: string, kept: readonly string[]): Promise<void> {
  const script = `home=$1; shift
for a in "$home"/fullhouse-agent-*; do
  for kept; do [ "$a" = "$kept" ] && continue 2; done
  case "$a" in *.part) ;; *) rm -f -- "$a" ;; esac
done
exit 0`;
  await ran(host, who, ['sh', '-c', script, 'sh', home, ...kept], 20_000);
}

async function ensureSamples(host: AgentHost, who: string, samplesFolder: string, home: string): Promise<void> {
  const folder = `${home}/samples`;
  const listScript = 'cd "$1" 2>/dev/null && wc -c -- *';
  const listed = await ran(host, who, ['sh', '-c', listScript, 'sh', folder], 10_000);
  const missing: string[] = [];
  for (const file of sampleFiles) {
    const { length } = await readFile(join(samplesFolder, file));
    if (!new RegExp(`^\\s*${length}\\s+${file}$`, 'm').test(listed.stdout)) missing.push(file);
  }
  if (missing.length === 0) return;
  await makeFolder(host, who, folder);
  for (const file of missing) await host.upload(join(samplesFolder, file), `${folder}/${file}`, 0o600);
}

/** Uploads a media file to the agent's folder unless it is there; returns its path. `name` changes with its content. */
export async function ensureMedia(host: AgentHost, who: string, localPath: string, name: string): Promise<string> {
  const folder = `${(await agentHome(host, who)).home}/media`;
  const path = `${folder}/${name}`;
  await makeFolder(host, who, folder);
  if ((await ran(host, who, ['test', '-f', path], 10_000)).code === 0) return path;
  await host.upload(localPath, path, 0o600);
  return path;
}

/** Creates a folder unless it exists; resolves with its path without links. */
async function makeFolder(host: AgentHost, who: string, folder: string): Promise<string> {
  const { code, stdout, stderr } = await ranSafely(host, who, ['sh', '-c', makeScript, 'sh', folder], 10_000);
  if (code !== 0) throw folderFault(who, folder, stderr, code === 3 ? stdout.trim() : undefined);
  return stdout.trim() || folder;
}

async function builtAgent(
  agentFolder: string,
  platform: string,
): Promise<{ readonly path: string; readonly sha256: string }> {
  const listed = agentManifest.safeParse(
    parsed(await readFile(join(agentFolder, 'agents.json'), 'utf8').catch(() => '')),
  );
  const found = listed.success ? listed.data[platform] : undefined;
  if (!found)
    throw new FullhouseError('no-agent', `The agent for ${platform} is not built; run "npm start" once to build it.`);
  return { path: join(agentFolder, found.file), sha256: found.sha256 };
}

async function runningAgent(
  host: AgentHost,
  who: string,
  program: string,
  home: string,
): Promise<{ readonly token: string; readonly sha256: string }> {
  const { stdout } = await ran(host, who, [program, 'status', '--state-dir', home], 10_000);
  const status = agentStatus.safeParse(parsed(stdout));
  if (status.success && status.data.alive && status.data.token)
    return { token: status.data.token, sha256: status.data.sha256 ?? '' };
  throw new FullhouseError(
    'no-agent',
    `The agent running on ${who} does not report its address. Remove the agent there and try again.`,
  );
}

function platformOf(uname: string): string | undefined {
  const [system, machine] = uname.split(/\s+/);
  if (system !== 'Linux') return undefined;
  if (machine === 'x86_64') return 'linux-x64';
  return machine === 'aarch64' || machine === 'arm64' ? 'linux-arm64' : undefined;
}

function splitAddress(address: string): [string, number] {
  const at = address.lastIndexOf(':');
  return [address.slice(0, at).replace(/^\[|\]$/g, ''), Number(address.slice(at + 1))];
}

function parsed(text: string): unknown {
  try {
    return parseForeignJson(text.trim());
  } catch {
    return undefined;
  }
}
