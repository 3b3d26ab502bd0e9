import type { SshLink } from '../../links/ssh/sshLink';

/** What is queried on a host over SSH during a probe: one command each, quick and harmless. */

/** Responses are short and immediate; a host that does not respond or never finishes is not waited for. */
const bounds = { timeoutMs: 5000, maxBytes: 256 * 1024 } as const;

export interface ProbedHost {
  /** e.g. `Debian GNU/Linux 12 (bookworm), 8 cores, 15.6 GiB`. */
  readonly system: string;
  readonly kernel: string;
  /** Whether our agent runs on it. */
  readonly isAgentHost: boolean;
  readonly hasProc: boolean;
}

const factsScript = `uname -srm
( . /etc/os-release 2>/dev/null && echo "$PRETTY_NAME" ) || echo
grep -c '^processor' /proc/cpuinfo 2>/dev/null || echo
grep MemTotal /proc/meminfo 2>/dev/null || echo`;

export async function readFacts(link: SshLink): Promise<ProbedHost> {
  const { stdout } = await link.run(['sh', '-c', factsScript], bounds);
  const [uname = '', pretty = '', cores = '', memory = ''] = stdout.split('\n');
  const [system = '', release = '', machine = ''] = uname.split(' ');
  const kib = Number(/(\d+)/.exec(memory)?.[1]);
  const parts = [
    pretty || `${system} ${release}`,
    ...(Number(cores) > 0 ? [`${cores} ${cores === '1' ? 'core' : 'cores'}`] : []),
    ...(kib > 0 ? [`${(kib / 2 ** 20).toFixed(1)} GiB`] : []),
  ];
  return {
    system: parts.join(', '),
    kernel: release,
    isAgentHost: system === 'Linux' && ['x86_64', 'aarch64', 'arm64'].includes(machine),
    hasProc: kib > 0,
  };
}

/** GC logs of the running JVMs, from their command lines. */
const gcScript = `for p in /proc/[0-9]*; do
  c=$(tr '\\0' '\\n' < "$p/cmdline" 2>/dev/null | grep -m 1 -e '^-Xlog:gc[^ ]*:' -e '^-Xloggc:') || continue
  echo "$(readlink "$p/cwd" 2>/dev/null)	$c"
done
exit 0`;

export async function findGcLogs(link: SshLink): Promise<string[]> {
  const { stdout } = await link.run(['sh', '-c', gcScript], bounds);
  return stdout.split('\n').flatMap((line) => {
    const [folder = '', option = ''] = line.split('\t');
    const path = gcLogPath(option);
    if (path === undefined) return [];
    return [path.startsWith('/') ? path : `${folder}/${path}`];
  });
}

/**
 * The log file of a JVM option: `-Xlog:gc*:file=/var/log/gc.log:time` or `-Xloggc:/var/log/gc.log`; undefined for
 * stdout.
 */
function gcLogPath(option: string): string | undefined {
  const old = /^-Xloggc:(.+)$/.exec(option);
  if (old) return old[1];
  const match = /^-Xlog:[^:]*:(?:file=)?("[^"]*"|[^:]*)/.exec(option);
  const path = match?.[1]?.replace(/^"|"$/g, '');
  // The JVM replaces %p and %t; the resulting file name is unknown here.
  return path && !['stdout', 'stderr'].includes(path) && !path.includes('%') ? path : undefined;
}

export async function findIperf3(link: SshLink): Promise<string | undefined> {
  const { code, stdout } = await link.run(['iperf3', '--version'], bounds);
  return code === 0 ? (/iperf (\S+)/.exec(stdout)?.[1] ?? 'unknown version') : undefined;
}

/** The folder where the agent would be installed, or why it can't be. */
export async function findAgentFolder(link: SshLink): Promise<{ readonly home?: string; readonly why?: string }> {
  const script =
    'h="${XDG_CACHE_HOME:-$HOME/.cache}"; d=$h; while [ ! -e "$d" ] && [ "$d" != / ]; do d=$(dirname "$d"); done; [ -w "$d" ] && echo "$h/fullhouse"';
  const { code, stdout } = await link.run(['sh', '-c', script], bounds);
  const home = stdout.trim();
  return code === 0 && home.startsWith('/') ? { home } : { why: 'its home directory is not writable' };
}
