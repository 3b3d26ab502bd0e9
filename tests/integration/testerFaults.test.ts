import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunView } from '../../src/domain/model/run';
import { waitForNode } from './fleetSupport';
import type { Sshd } from './servers/sshd';
import { cleanUp, later, temporaryFolder } from './support';
import { bench, type Bench } from './testerSupport';

afterEach(cleanUp);

function mount(folder: string, options: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'fullhouse-test', folder]);
  later(() => void execFileSync('umount', ['-l', folder]));
}

/** Mounts a small disk at the user's home. */
function mountHome(sshd: Sshd, options: string): void {
  mount(sshd.home, options);
  if (!options.startsWith('ro')) execFileSync('chown', [`${sshd.user}:`, sshd.home]);
}

/** A login shell that first sets a limit. */
function limitedShell(limit: string): string {
  const shell = join(temporaryFolder(), 'limited-bash');
  writeFileSync(shell, `#!/bin/bash\n${limit}\nexec /bin/bash "$@"\n`);
  chmodSync(shell, 0o755);
  chmodSync(join(shell, '..'), 0o755);
  return shell;
}

/** The sentences in the node's row and in the run. */
async function received({ engine }: Bench, run: RunView): Promise<string> {
  const { problem = '' } = await waitForNode(engine, 'tester-1', ({ state }) => state === 'failed');
  expect(run.verdict).toMatchObject({
    verdict: 'not-started',
    sentence: `The run could not be started: ${problem}`,
  });
  // The log has the name in a separate column.
  const logged = problem.replace(/^tester-1: (.)/, (_whole, first: string) => first.toUpperCase());
  expect(engine.events.filter(({ sentence }) => sentence === logged)).toHaveLength(1);
  return problem;
}

describe.runIf(process.getuid?.() === 0)('an unusable tester reports the reason and the fix', () => {
  const elsewhere = 'set XDG_CACHE_HOME of its user to another folder.';
  it.each<[string, (sshd: Sshd) => unknown, string]>([
    [
      'a home that is not its own',
      ({ home }) => chownSync(home, 0, 0),
      `tester-1 has no folder for the agent: can't create HOME/.cache/fullhouse: its user may not write there. Give that user its own home folder, or ${elsewhere}`,
    ],
    [
      'no home at all',
      ({ home }) => rmdirSync(home),
      "tester-1 has no folder for the agent: can't create HOME/.cache/fullhouse: its user's home folder HOME does not exist. Create it, owned by that user.",
    ],
    [
      'a file in the way',
      ({ home }) => writeFileSync(join(home, '.cache'), ''),
      `tester-1 has no folder for the agent: can't create HOME/.cache/fullhouse: a file of that name exists. Remove it, or ${elsewhere}`,
    ],
    [
      'a home mounted noexec',
      (sshd) => mountHome(sshd, 'noexec,size=64m'),
      `tester-1 can't run the agent: HOME with its user's home folder is mounted noexec. Remount it without noexec, or ${elsewhere}`,
    ],
    [
      'a full disk',
      (sshd) => mountHome(sshd, 'size=1m'),
      "tester-1: HOME/.cache/fullhouse/PROGRAM can't be written: the disk is full. Free some space there.",
    ],
    [
      'a read-only disk',
      (sshd) => mountHome(sshd, 'ro,size=1m'),
      `tester-1 has no folder for the agent: can't create HOME/.cache/fullhouse: its file system is mounted read-only. Remount it read-write, or ${elsewhere}`,
    ],
    [
      'a world-writable folder',
      ({ home, user }) => {
        const folder = join(home, '.cache', 'fullhouse');
        mkdirSync(folder, { recursive: true });
        chmodSync(folder, 0o777);
        execFileSync('chown', ['-R', `${user}:`, home]);
      },
      `tester-1 has no safe folder for the agent: HOME/.cache/fullhouse is writable for other users (mode drwxrwxrwx), so another user could replace the program. Run there: chmod 700 HOME/.cache/fullhouse, or ${elsewhere}`,
    ],
  ])('%s', async (_, arrange, sentence) => {
    const tester = await bench();
    arrange(tester.sshd);
    const actual = await received(tester, await tester.play());
    expect(actual.replaceAll(tester.sshd.home, 'HOME').replace(/fullhouse-agent-[0-9a-f]{12}/, 'PROGRAM')).toBe(
      sentence,
    );
  });

  it('too little memory', async () => {
    const tester = await bench({ shell: limitedShell('ulimit -v 60000') });
    expect(await received(tester, await tester.play())).toBe(
      'The agent failed to start on tester-1 (failed to reserve page summary memory): its user may have reached a memory or process limit. Raise its limits (ulimit -v, ulimit -u), or free some memory.',
    );
  });

  it('runs viewers with few open files and a noexec /tmp, and reports the number of viewers that it supports', async () => {
    const noexec = temporaryFolder();
    mount(noexec, 'noexec,size=1m');
    const { engine, play } = await bench({
      shell: limitedShell('ulimit -n 300'),
      config: [`SetEnv TMPDIR=${noexec}`],
    });
    expect((await play()).verdict).toMatchObject({ verdict: 'pass' });
    expect(await waitForNode(engine, 'tester-1', () => true)).toMatchObject({ viewerLimit: 44 });
    expect(engine.events.map(({ sentence }) => sentence).filter((sentence) => sentence.includes('open files'))).toEqual(
      [
        'tester-1: The open files limit of this user is 300, enough for 44 viewers. Raise the hard limit as an administrator, for example with "nofile" in /etc/security/limits.conf.',
      ],
    );
    const refused = await play(45);
    expect(refused.verdict?.sentence).toContain('tester-1 can run at most 44 viewers, but would be assigned 45');
  });
});
