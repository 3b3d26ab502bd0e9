import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  agentListening,
  agentManifest,
  agentProtocolVersion,
  agentStatus,
} from '../../contract/agentProtocol';
import { FullhouseError } from '../../contract/calls';
import { aloneFor } from './aloneFor';
import { checkRan, folderFault, lastLine, mayNotRun, startFault } from './remoteAgentFaults';
import type { SshLink, SshResult } from './ssh/sshLink';

/** What is needed of a host to bring an agent there. */
export type AgentHost = Pick<SshLink, 'run' | 'upload' | 'connect'>;

/** An agent that runs on a tester by itself, whoever calls it. */
export interface RemoteAgent {
  /** Where it listens on the tester's own loopback. */
  readonly address: { readonly host: string; readonly port: number };
  readonly token: string;
  /** Its process there. */
  readonly pid: number;
  /** Sentences about what the tester can't do quite as one would like. */
  readonly warnings: readonly string[];
}

/** The tester's folder of ours; a plain `fullhouse` in its cache, so that one command removes all. */
const homeScript = 'printf %s "${XDG_CACHE_HOME:-$HOME/.cache}/fullhouse"';
const sampleFiles = ['sample-240p.h264', 'sample-240p.ogg'];

/** Brings the agent to a host when it is not there yet, starts it when it does not run, and tells how to call it. Rejects with one sentence. */
export async function ensureRemoteAgent(
  host: AgentHost,
  options: { readonly who: string; readonly agentFolder: string; readonly samplesFolder: string },
): Promise<RemoteAgent> {
  const { who, agentFolder, samplesFolder } = options;
  const home = await agentHome(host, who);
  const program = await ensureProgram(host, who, agentFolder, home);
  await ensureSamples(host, who, samplesFolder, home);

  const token = randomBytes(32).toString('hex');
  const started = await host.run(
    [
      program,
      'start',
      'audience',
      '--home',
      home,
      '--alone',
      aloneFor.sshTester,
      '--samples',
      `${home}/samples`,
    ],
    { input: `${token}\n`, timeoutMs: 30_000 },
  );
  if (started.code !== 0) throw await faultOf(host, who, program, started);
  const told = agentListening.safeParse(parsed(started.stdout));
  if (!told.success)
    throw new FullhouseError(
      'no-agent',
      `The agent on ${who} said something unexpected when it started: ${started.stdout.slice(0, 120)}`,
    );
  if (told.data.protocol !== agentProtocolVersion)
    throw new FullhouseError(
      'protocol-mismatch',
      `The agent on ${who} is ${told.data.agent} and speaks protocol ${told.data.protocol}; this Fullhouse speaks ${agentProtocolVersion}. Remove the agent there and try again.`,
    );
  // One that ran already keeps its own token, which only this user can read there, and its own program.
  const running = told.data.running ? await runningAgent(host, who, program, home) : undefined;
  await removeOlder(host, who, home, [program, ...(running ? [programIn(home, running.sha256)] : [])]);
  const [address, port] = splitAddress(told.data.address);
  return {
    address: { host: address, port },
    token: running?.token ?? token,
    pid: told.data.pid,
    warnings: (told.data.warnings ?? []).map((sentence) => `${who}: ${sentence}`),
  };
}

/** The last words of an agent that has ended (empty where it had none); undefined while it is alive, or where nobody can say. */
export async function endedRemoteAgent(
  host: Pick<AgentHost, 'run'>,
  who: string,
): Promise<string | undefined> {
  const home = await agentHome(host, who);
  const { stdout } = await ran(host, who, ['sh', '-c', statusScript, 'sh', home], 10_000);
  const known = stdout.split('\n').flatMap((line) => {
    const status = agentStatus.safeParse(parsed(line));
    return status.success ? [status.data] : [];
  });
  let words: string | undefined;
  for (const status of known) {
    if (status.alive) return undefined;
    words = status.lastWords ?? words ?? '';
  }
  return words;
}

/** Ends the agent of a host, whatever it does, without removing it. Rejects with one sentence when it does not end. */
export async function stopRemoteAgent(host: AgentHost, who: string): Promise<void> {
  const home = await agentHome(host, who);
  const { code, stderr } = await ran(host, who, ['sh', '-c', stopScript, 'sh', home], 40_000);
  if (code !== 0)
    throw new FullhouseError(
      'no-stop',
      `The agent on ${who} could not be ended: ${lastLine(stderr).replace(/\.$/, '') || `it said nothing but ${code ?? 'none'}`}.`,
    );
}

/** Ends the agent and removes all that was brought to the host. Resolves with what is left there, which is nothing when all went well. */
export async function removeRemoteAgent(host: AgentHost, who: string): Promise<string[]> {
  const home = await agentHome(host, who);
  // What it can't end is told below, as a process that is left.
  await ran(host, who, ['sh', '-c', stopScript, 'sh', home], 40_000);
  const removed = await ran(host, who, ['rm', '-rf', '--', home], 20_000);
  const left = await ran(host, who, ['sh', '-c', leftScript, 'sh', home], 10_000);
  const lines = [...left.stdout.split('\n'), ...(removed.code === 0 ? [] : [removed.stderr])];
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

/** Any of the programs there ends the agent of its home, whichever runs. */
const stopScript = `code=0
for a in "$1"/fullhouse-agent-*; do [ -x "$a" ] && { "$a" stop --home "$1" || code=$?; }; done
exit $code`;
const statusScript =
  'for a in "$1"/fullhouse-agent-*; do [ -x "$a" ] && "$a" status --home "$1"; done; exit 0';
/** Files that are still there, and processes that still run from there. */
const leftScript = `[ -e "$1" ] && find "$1"
for p in /proc/[0-9]*; do
  case "$(readlink "$p/exe" 2>/dev/null)" in "$1"/*) echo "process \${p#/proc/}";; esac
done
exit 0`;
/** Where the file system of a folder is mounted, if it is mounted noexec: a later and a deeper mount lies over others. */
const noexecScript = `folder=$(cd "$1" && pwd -P) || exit 0
at= with=
while read -r _ point _ options _; do
  case "$folder/" in "\${point%/}"/*) [ \${#point} -ge \${#at} ] && { at=$point; with=$options; } ;; esac
done < /proc/mounts
case ",$with," in *,noexec,*) printf %s "$at" ;; esac
exit 0`;
/** Code 3: its user's home folder, which it prints, is not there. */
const folderScript = `umask 077
mkdir -p -- "$1" && exit 0
[ -n "$HOME" ] && [ ! -d "$HOME" ] && { printf %s "$HOME"; exit 3; }
exit 1`;

/** Runs a command whose end is that of its program: rejects when the link broke or nothing can be started there. */
async function ran(
  host: Pick<AgentHost, 'run'>,
  who: string,
  argv: readonly string[],
  timeoutMs: number,
): Promise<SshResult> {
  const result = await host.run(argv, { timeoutMs });
  checkRan(who, result);
  return result;
}

async function faultOf(
  host: AgentHost,
  who: string,
  program: string,
  started: SshResult,
): Promise<FullhouseError> {
  checkRan(who, started);
  const folder = program.slice(0, program.lastIndexOf('/'));
  const mounted = mayNotRun(started)
    ? (await ran(host, who, ['sh', '-c', noexecScript, 'sh', folder], 10_000)).stdout.trim()
    : '';
  return startFault(who, program, started, mounted || undefined);
}

async function agentHome(host: Pick<AgentHost, 'run'>, who: string): Promise<string> {
  const { code, stdout, stderr } = await ran(host, who, ['sh', '-c', homeScript], 10_000);
  const home = stdout.trim();
  if (code === 0 && home.startsWith('/')) return home;
  throw new FullhouseError(
    'no-home',
    `${who} has no home folder to put the agent in (${(lastLine(stderr) || home).trim() || 'HOME is not set'}). Give its user one.`,
  );
}

async function ensureProgram(
  host: AgentHost,
  who: string,
  agentFolder: string,
  home: string,
): Promise<string> {
  const { stdout } = await ran(host, who, ['uname', '-sm'], 10_000);
  const platform = platformOf(stdout.trim());
  if (!platform)
    throw new FullhouseError(
      'no-agent',
      `${who} is ${stdout.trim() || 'of an unknown kind'}; the agent runs on Linux with an x86-64 or ARM64 processor.`,
    );
  const built = await builtAgent(agentFolder, platform);
  const program = programIn(home, built.sha256);
  const there = await ran(host, who, ['sha256sum', '--', program], 20_000);
  if (there.code === 0 && there.stdout.startsWith(built.sha256)) return program;
  await makeFolder(host, who, home);
  await host.upload(built.path, program, 0o700);
  return program;
}

const programIn = (home: string, sha256: string): string => `${home}/fullhouse-agent-${sha256.slice(0, 12)}`;

/** Agents of other builds are of no use, but for one that still plays; it has gone by the next start. */
async function removeOlder(
  host: AgentHost,
  who: string,
  home: string,
  kept: readonly string[],
): Promise<void> {
  const script = `home=$1; shift
for a in "$home"/fullhouse-agent-*; do
  for kept; do [ "$a" = "$kept" ] && continue 2; done
  case "$a" in *.part) ;; *) rm -f -- "$a" ;; esac
done
exit 0`;
  await ran(host, who, ['sh', '-c', script, 'sh', home, ...kept], 20_000);
}

async function ensureSamples(
  host: AgentHost,
  who: string,
  samplesFolder: string,
  home: string,
): Promise<void> {
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

async function makeFolder(host: AgentHost, who: string, folder: string): Promise<void> {
  const { code, stdout, stderr } = await ran(host, who, ['sh', '-c', folderScript, 'sh', folder], 10_000);
  if (code !== 0) throw folderFault(who, folder, stderr, code === 3 ? stdout.trim() : undefined);
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
    throw new FullhouseError(
      'no-agent',
      `The agent for ${platform} is not built here; run "npm start" once, which builds it.`,
    );
  return { path: join(agentFolder, found.file), sha256: found.sha256 };
}

async function runningAgent(
  host: AgentHost,
  who: string,
  program: string,
  home: string,
): Promise<{ readonly token: string; readonly sha256: string }> {
  const { stdout } = await ran(host, who, [program, 'status', '--home', home], 10_000);
  const status = agentStatus.safeParse(parsed(stdout));
  if (status.success && status.data.alive && status.data.token)
    return { token: status.data.token, sha256: status.data.sha256 ?? '' };
  throw new FullhouseError(
    'no-agent',
    `An agent runs on ${who} and does not say how to call it. Remove the agent there and try again.`,
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
    return JSON.parse(text.trim());
  } catch {
    return undefined;
  }
}
