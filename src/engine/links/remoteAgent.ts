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
import type { SshLink } from './ssh/sshLink';

/** What is needed of a host to bring an agent there. */
export type AgentHost = Pick<SshLink, 'run' | 'upload' | 'connect'>;

/** An agent that runs on a tester by itself, whoever calls it. */
export interface RemoteAgent {
  /** Where it listens on the tester's own loopback. */
  readonly address: { readonly host: string; readonly port: number };
  readonly token: string;
  /** Sentences about what the tester can't do quite as one would like. */
  readonly warnings: readonly string[];
}

/** The tester's folder of ours; a plain `fullhouse` in its cache, so that one command removes all. */
const homeScript = 'printf %s "${XDG_CACHE_HOME:-$HOME/.cache}/fullhouse"';
const sampleFiles = ['sample-240p.h264', 'sample-240p.ogg'];
/** How long the audience stays when the link is cut: the engine has come back by then, or nobody watches any more. */
const aloneFor = '120s';

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
    [program, 'start', 'audience', '--home', home, '--alone', aloneFor, '--samples', `${home}/samples`],
    { input: `${token}\n`, timeoutMs: 30_000 },
  );
  if (started.code !== 0) throw new FullhouseError('no-agent', startFault(who, started.code, started.stderr));
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
  const [address, port] = splitAddress(told.data.address);
  return {
    address: { host: address, port },
    // One that ran already keeps its own token, which only this user can read there.
    token: told.data.running ? await tokenOf(host, who, program, home) : token,
    warnings: told.data.warnings ?? [],
  };
}

/** Ends the agent of a host, whatever it does, without removing it. */
export async function stopRemoteAgent(host: AgentHost, who: string): Promise<void> {
  const home = await agentHome(host, who);
  await host.run(['sh', '-c', stopScript, 'sh', home], { timeoutMs: 40_000 });
}

/** Ends the agent and removes all that was brought to the host. Resolves with what is left there, which is nothing when all went well. */
export async function removeRemoteAgent(host: AgentHost, who: string): Promise<string[]> {
  const home = await agentHome(host, who);
  await host.run(['sh', '-c', stopScript, 'sh', home], { timeoutMs: 40_000 });
  const removed = await host.run(['rm', '-rf', '--', home], { timeoutMs: 20_000 });
  const left = await host.run(['sh', '-c', leftScript, 'sh', home], { timeoutMs: 10_000 });
  const lines = [...left.stdout.split('\n'), ...(removed.code === 0 ? [] : [removed.stderr])];
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

const stopScript = 'for a in "$1"/fullhouse-agent-*; do [ -x "$a" ] && "$a" stop --home "$1"; done; exit 0';
/** Files that are still there, and processes that still run from there. */
const leftScript = `[ -e "$1" ] && find "$1"
for p in /proc/[0-9]*; do
  case "$(readlink "$p/exe" 2>/dev/null)" in "$1"/*) echo "process \${p#/proc/}";; esac
done
exit 0`;

async function agentHome(host: AgentHost, who: string): Promise<string> {
  const { code, stdout, stderr } = await host.run(['sh', '-c', homeScript], { timeoutMs: 10_000 });
  const home = stdout.trim();
  if (code === 0 && home.startsWith('/')) return home;
  throw new FullhouseError(
    'no-home',
    `${who} has no home folder to put the agent in (${(stderr || home).trim() || 'HOME is not set'}). Give its user one.`,
  );
}

async function ensureProgram(
  host: AgentHost,
  who: string,
  agentFolder: string,
  home: string,
): Promise<string> {
  const { stdout } = await host.run(['uname', '-sm'], { timeoutMs: 10_000 });
  const platform = platformOf(stdout.trim());
  if (!platform)
    throw new FullhouseError(
      'no-agent',
      `${who} is ${stdout.trim() || 'of an unknown kind'}; the agent runs on Linux with an x86-64 or ARM64 processor.`,
    );
  const built = await builtAgent(agentFolder, platform);
  const program = `${home}/fullhouse-agent-${built.sha256.slice(0, 12)}`;
  const there = await host.run(['sha256sum', '--', program], { timeoutMs: 20_000 });
  if (there.code === 0 && there.stdout.startsWith(built.sha256)) return program;
  await makeFolder(host, who, home);
  await host.upload(built.path, program, 0o700);
  await removeOlder(host, home, program);
  return program;
}

/** Agents of other versions are of no use; one that still runs keeps its file until it ends. */
async function removeOlder(host: AgentHost, home: string, program: string): Promise<void> {
  const script =
    'for a in "$1"/fullhouse-agent-*; do [ "$a" = "$2" ] || { "$a" stop --home "$1"; rm -f -- "$a"; }; done; exit 0';
  await host.run(['sh', '-c', script, 'sh', home, program], { timeoutMs: 40_000 });
}

async function ensureSamples(
  host: AgentHost,
  who: string,
  samplesFolder: string,
  home: string,
): Promise<void> {
  const folder = `${home}/samples`;
  const listed = await host.run(['sh', '-c', 'cd "$1" 2>/dev/null && wc -c -- *', 'sh', folder], {
    timeoutMs: 10_000,
  });
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
  const { code, stderr } = await host.run(['mkdir', '-p', '-m', '700', '--', folder], { timeoutMs: 10_000 });
  if (code === 0) return;
  throw new FullhouseError(
    'no-home',
    `${who} has no place for the agent: ${lastLine(stderr) || `${folder} can't be made`}. Give its user a home folder that can be written.`,
  );
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

async function tokenOf(host: AgentHost, who: string, program: string, home: string): Promise<string> {
  const { stdout } = await host.run([program, 'status', '--home', home], { timeoutMs: 10_000 });
  const status = agentStatus.safeParse(parsed(stdout));
  if (status.success && status.data.alive && status.data.token) return status.data.token;
  throw new FullhouseError(
    'no-agent',
    `An agent runs on ${who} and does not say how to call it. Remove the agent there and try again.`,
  );
}

function startFault(who: string, code: number | null, stderr: string): string {
  const said = lastLine(stderr);
  if (code === 126 || /permission denied/i.test(said))
    return `${who} does not let the agent run: its home is mounted noexec, or the file is not executable. Use a home on another file system.`;
  return `The agent does not start on ${who}: ${said || `it ended with code ${code ?? 'none'}`}`;
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

function lastLine(text: string): string {
  return text.trim().split('\n').pop()?.trim() ?? '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.trim());
  } catch {
    return undefined;
  }
}
