import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunView } from '../../src/domain/run';
import { nodeThat } from './fleetSupport';
import type { Sshd } from './servers/sshd';
import { cleanUp, later, temporaryFolder } from './support';
import { bench, type Bench } from './testerSupport';

afterEach(cleanUp);

function mount(folder: string, options: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'fullhouse-test', folder]);
  later(() => void execFileSync('umount', ['-l', folder]));
}

/** Puts a small disk of its own where the user's home is. */
function mountHome(sshd: Sshd, options: string): void {
  mount(sshd.home, options);
  if (!options.startsWith('ro')) execFileSync('chown', [`${sshd.user}:`, sshd.home]);
}

/** A login shell that sets a limit before it does anything. */
function limitedShell(limit: string): string {
  const shell = join(temporaryFolder(), 'limited-bash');
  writeFileSync(shell, `#!/bin/bash\n${limit}\nexec /bin/bash "$@"\n`);
  chmodSync(shell, 0o755);
  chmodSync(join(shell, '..'), 0o755);
  return shell;
}

/** What the node's row says, and what the run says of it. */
async function told({ engine }: Bench, run: RunView): Promise<string> {
  const { problem = '' } = await nodeThat(engine, 'tester-1', ({ state }) => state === 'failed');
  expect(run.verdict).toMatchObject({
    verdict: 'inconclusive',
    sentence: `The run could not be started: ${problem}`,
  });
  // The log has the name in a column of its own.
  const logged = problem.replace(/^tester-1: (.)/, (_whole, first: string) => first.toUpperCase());
  expect(engine.events.filter(({ sentence }) => sentence === logged)).toHaveLength(1);
  return problem;
}

describe.runIf(process.getuid?.() === 0)('a tester that can be none says why, and what to do', () => {
  const elsewhere = 'set XDG_CACHE_HOME of its user to a folder elsewhere.';
  it.each<[string, (sshd: Sshd) => unknown, string]>([
    [
      'a home that is not its own',
      ({ home }) => chownSync(home, 0, 0),
      `tester-1 has no place for the agent: HOME/.cache/fullhouse can't be made, since its user may not write there. Give that user a home folder of its own, or ${elsewhere}`,
    ],
    [
      'no home at all',
      ({ home }) => rmdirSync(home),
      "tester-1 has no place for the agent: HOME/.cache/fullhouse can't be made, since the home folder HOME of its user does not exist. Make it, and give it to that user.",
    ],
    [
      'a file in the way',
      ({ home }) => writeFileSync(join(home, '.cache'), ''),
      `tester-1 has no place for the agent: HOME/.cache/fullhouse can't be made, since a file of that name is in the way. Remove it, or ${elsewhere}`,
    ],
    [
      'a home mounted noexec',
      (sshd) => mountHome(sshd, 'noexec,size=64m'),
      `tester-1 does not let the agent run: HOME, which holds the home of its user, is mounted noexec. Mount it without that, or ${elsewhere}`,
    ],
    [
      'a full disk',
      (sshd) => mountHome(sshd, 'size=1m'),
      "tester-1: HOME/.cache/fullhouse/PROGRAM can't be written: the disk is full. Free some space there.",
    ],
    [
      'a read-only disk',
      (sshd) => mountHome(sshd, 'ro,size=1m'),
      `tester-1 has no place for the agent: HOME/.cache/fullhouse can't be made, since it is on a disk that is mounted read-only. Mount it for writing, or ${elsewhere}`,
    ],
    [
      'a folder that everybody may write to',
      ({ home, user }) => {
        const folder = join(home, '.cache', 'fullhouse');
        mkdirSync(folder, { recursive: true });
        chmodSync(folder, 0o777);
        execFileSync('chown', ['-R', `${user}:`, home]);
      },
      `The agent does not start on tester-1: other users may write to the folder HOME/.cache/fullhouse (mode 0777), so no agent is started there; ${elsewhere.slice(0, -1)}, or close it with: chmod 700 HOME/.cache/fullhouse.`,
    ],
  ])('%s', async (_, arrange, sentence) => {
    const tester = await bench();
    arrange(tester.sshd);
    const said = await told(tester, await tester.play());
    expect(said.replaceAll(tester.sshd.home, 'HOME').replace(/fullhouse-agent-[0-9a-f]{12}/, 'PROGRAM')).toBe(
      sentence,
    );
  });

  it.each([
    [
      'ulimit -v 60000',
      'The agent does not start on tester-1 (failed to reserve page summary memory): its user may have too little memory or too few processes. Raise its limits (ulimit -v, ulimit -u), or free some memory.',
    ],
    [
      'ulimit -u 1',
      'tester-1 starts no further program: its user is at its limit of processes, or the machine is out of memory. End some there, or raise the limit (ulimit -u).',
    ],
  ])('%s', async (limit, sentence) => {
    const tester = await bench({ shell: limitedShell(limit) });
    expect(await told(tester, await tester.play())).toBe(sentence);
  });

  it('plays with few open files and a /tmp that runs nothing, and says how many viewers it is good for', async () => {
    const noexec = temporaryFolder();
    mount(noexec, 'noexec,size=1m');
    const { engine, play } = await bench({
      shell: limitedShell('ulimit -n 300'),
      config: [`SetEnv TMPDIR=${noexec}`],
    });
    expect((await play()).verdict).toMatchObject({ verdict: 'pass' });
    expect(await nodeThat(engine, 'tester-1', () => true)).toMatchObject({ viewerLimit: 44 });
    expect(
      engine.events.map(({ sentence }) => sentence).filter((each) => each.includes('open files')),
    ).toEqual([
      'tester-1: This machine allows this user 300 open files, enough for 44 viewers; an administrator raises the hard limit, for example with "nofile" in /etc/security/limits.conf.',
    ]);
    const refused = await play(45);
    expect(refused.verdict?.sentence).toContain('tester-1 can play at most 44 viewers and would get 45');
  });
});
