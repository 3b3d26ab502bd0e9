import { execFileSync } from 'node:child_process';
import { startSshd, type Sshd, type SshdOptions } from '../integration/servers/sshd';
import { runCommand } from './consoles';
import type { Drill } from './drill';
import { filesIn, leftoversOf } from './leftovers';
import type { Ports } from './processes';

/** A tester behind a real sshd, for a temporary user. */
export interface DrillTester {
  readonly sshd: Sshd;
  /** For a plan. */
  readonly node: string;
  /** Arguments with which a console trusts its host key. */
  readonly trust: readonly string[];
  /**
   * Uninstalls the agent, which otherwise stays for the next run, and resolves with what is left on both machines.
   */
  leftovers(ports: Ports, options?: Parameters<typeof leftoversOf>[2]): Promise<string[]>;
}

export async function startTester(
  drill: Drill,
  {
    commandPrefix = [],
    ...options
  }: SshdOptions & {
    /** Runs a command where the tester can be reached. */
    readonly commandPrefix?: readonly string[];
  } = {},
): Promise<DrillTester> {
  const sshd = await startSshd({
    temporaryUser: true,
    ...options,
    // The mark of the drill's processes, on the tester too.
    config: [`SetEnv ${drill.mark}`, ...(options.config ?? [])],
  });
  drill.later(() => sshd.stop());
  const trust = ['--accept-host-key', fingerprintOf(sshd)];
  return {
    sshd,
    trust,
    node: `{ tester: ssh, ssh: "${sshd.address}", keyFile: "${sshd.keyFile}" }`,
    leftovers: async (ports, expected) => {
      const args = ['remove-agent', sshd.address, '--key', sshd.keyFile, ...trust];
      const { code, output } = await runCommand(drill, args, { under: commandPrefix });
      return [
        ...(code === 0 ? [] : [output.trim()]),
        ...(await leftoversOf(drill, ports, expected)),
        ...filesIn(sshd.home).map((file) => `file ${file}`),
      ];
    },
  };
}

function fingerprintOf(sshd: Sshd): string {
  const listed = execFileSync('ssh-keygen', ['-l', '-f', '-'], { encoding: 'utf8', input: sshd.hostKeyLine });
  return /SHA256:\S+/.exec(listed)?.[0] ?? '';
}
