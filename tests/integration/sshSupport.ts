import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHostKeys, openSshLink } from '../../src/engine/links/ssh/openSshLink';
import type { HostKeys, SshLink, SshOptions, SshTarget } from '../../src/engine/links/ssh/sshLink';
import { FullhouseError } from '../../src/contract/calls';
import type { Sshd } from './servers/sshd';
import { until } from '../support/until';

/** A separate ssh folder, so that a test does not depend on the user's keys and config. */
export interface SshBench {
  readonly folder: string;
  readonly sshFolder: string;
  readonly hostKeys: HostKeys;
  /** Writes the server's host keys into known_hosts. */
  know(sshd: Pick<Sshd, 'hostKeyLine'>): void;
  open(
    sshd: Pick<Sshd, 'address'>,
    given?: Partial<SshTarget> & {
      readonly password?: string;
      readonly passphrase?: string;
      readonly agentSocket?: string;
      readonly options?: Partial<SshOptions>;
    },
  ): Promise<SshLink>;
  remove(): void;
}

export function sshBench(): SshBench {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-ssh-'));
  const sshFolder = join(folder, 'ssh');
  mkdirSync(sshFolder, { mode: 0o700 });
  const hostKeys = openHostKeys({ ownFile: join(folder, 'own_known_hosts'), sshFolder });
  return {
    folder,
    sshFolder,
    hostKeys,
    know: ({ hostKeyLine }) => appendFileSync(join(sshFolder, 'known_hosts'), hostKeyLine),
    open: (sshd, { password, passphrase, agentSocket = '', options, ...target } = {}) =>
      openSshLink({
        who: 'tester-2',
        target: { address: sshd.address, ...target },
        secret: (kind) => (kind === 'sshPassword' ? password : passphrase),
        hostKeys,
        sshFolder,
        agentSocket,
        ...options,
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The error of a refused link. */
export function refusal(opening: Promise<SshLink>): Promise<FullhouseError> {
  return refused(opening.then((link) => link.close()));
}

/** The error of a refused operation. */
export async function refused(doing: Promise<unknown>): Promise<FullhouseError> {
  const outcome = await doing.then(
    () => new Error('It succeeded, but should have been refused.'),
    (error: unknown) => error,
  );
  if (outcome instanceof FullhouseError) return outcome;
  throw outcome;
}

/** Waits for a condition; fails after 20 s. */
export async function expectSoon(check: () => boolean): Promise<void> {
  if (!(await until(check, 20_000))) throw new Error(`Timeout after 20 s, waiting for: ${check.toString()}`);
}

/** Whether a process exists and is not a zombie. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z';
  } catch {
    return false;
  }
}
