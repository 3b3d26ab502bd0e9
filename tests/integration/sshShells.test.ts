import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/engine/base/clock';
import type { SshLink } from '../../src/engine/links/ssh/sshLink';
import type { HostSample } from '../../src/engine/telemetry/hostSource';
import { openSshHost } from '../../src/engine/telemetry/sshHost';
import { until } from '../support/until';
import { startSshd, type Sshd } from './servers/sshd';
import { expectSoon, isAlive, refused, sshBench, type SshBench } from './sshSupport';
import { bench as testerBench } from './testerSupport';
import { cleanUp, later } from './support';

const isRoot = process.getuid?.() === 0;
let bench: SshBench;
let shells: string;
beforeAll(() => {
  bench = sshBench();
  shells = mkdtempSync(join(tmpdir(), 'fullhouse-shells-'));
  chmodSync(shells, 0o755);
  // busybox is the shell whose name it has.
  symlinkSync('/bin/busybox', join(shells, 'ash'));
});
afterEach(cleanUp);
afterAll(() => {
  bench?.remove();
  rmSync(shells, { recursive: true, force: true });
});

/** Each shell of Debian with a start file that prints, and, where the shell allows, reads its standard input. */
const kinds: ReadonlyArray<{ name: string; path?: string; startFile?: string; noise: string }> = [
  { name: 'bash', startFile: '.bashrc', noise: 'echo Welcome; echo beware >&2; cat; printf "no line end"\n' },
  { name: 'dash', noise: '' },
  { name: 'zsh', startFile: '.zshenv', noise: 'echo Welcome; echo beware >&2; cat; printf "no line end"\n' },
  { name: 'fish', startFile: '.config/fish/config.fish', noise: 'echo Welcome; echo beware >&2; printf "no end"\n' },
  { name: 'tcsh', startFile: '.tcshrc', noise: 'echo "Welcome ~ %"\nprintf "no line end"\n' },
  { name: 'csh', startFile: '.cshrc', noise: 'echo Welcome\n' },
  { name: 'ash', noise: '' },
];

const words = [
  "it's",
  '"quoted"',
  '$(id)',
  '`id`',
  'a\nb\n',
  '',
  ' ',
  '*',
  '~',
  '\\',
  '\\n',
  '!',
  '!!',
  'é',
  '-n',
  '#',
];

describe.runIf(isRoot).each(kinds)('an account with the login shell $name', ({ name, startFile, noise }) => {
  let sshd: Sshd;
  let link: SshLink;
  beforeAll(async () => {
    sshd = await startSshd({ temporaryUser: true, shell: name === 'ash' ? join(shells, 'ash') : `/bin/${name}` });
    if (startFile !== undefined) {
      const file = join(sshd.home, startFile);
      mkdirSync(dirname(file), { recursive: true });
      // `cat` reads until the end of its input, which is never: a second one bounds it.
      writeFileSync(file, noise.replace('cat;', 'timeout 0.2 cat;'));
    }
    bench.know(sshd);
    link = await bench.open(sshd, { keyFile: sshd.keyFile });
  });
  afterAll(async () => {
    link?.close();
    await sshd?.stop();
  });

  it('runs programs with unchanged arguments, input, exit code and error output', async () => {
    const printed = await link.run(['sh', '-c', 'for word; do printf "%s\\0" "$word"; done', 'sh', ...words]);
    expect(printed.stdout.split('\0').slice(0, -1)).toEqual(words);
    expect(printed).toMatchObject({ code: 0, stderr: '' });
    const script = 'cat; echo bad >&2\nexit 3';
    expect(await link.run(['sh', '-c', script], { input: 'one\ntwo' })).toEqual({
      code: 3,
      stdout: 'one\ntwo',
      stderr: 'bad\n',
    });
    expect(await link.run(['fullhouse-missing'])).toMatchObject({ code: 127 });
    expect(await link.run(['sh', '-c', 'kill -9 $$'])).toMatchObject({ code: null, signal: 'SIGKILL' });
  });

  it('receives files unchanged, also those that look like commands', async () => {
    const content = Buffer.concat([Buffer.from('exit 1\n\0\r\n'), randomBytes(2_000_000), Buffer.from('\nexit 1')]);
    const from = join(bench.folder, `from-${name}`);
    writeFileSync(from, content);
    await link.upload(from, `${sshd.home}/there`, 0o750);
    expect(readFileSync(`${sshd.home}/there`).equals(content)).toBe(true);
    expect(statSync(`${sshd.home}/there`).mode & 0o777).toBe(0o750);
  });

  it('follows a program both ways, and ends it', async () => {
    const lines: string[] = [];
    const command = await link.follow(
      ['sh', '-c', 'echo $$; while read -r word; do echo "<$word>"; done; sleep 1000'],
      {
        line: (line) => lines.push(line),
      },
    );
    // Before it has started: it must not be lost.
    command.write('early\n');
    await expectSoon(() => lines.length === 2);
    command.write('later\n');
    await expectSoon(() => lines.length === 3);
    expect(lines.slice(1)).toEqual(['<early>', '<later>']);
    command.end();
    await command.ended;
    await expectSoon(() => !isAlive(Number(lines[0])) && !sshd.programs().includes('sleep'));
  });

  it('reports its host figures', async () => {
    const host = openSshHost({ link, who: 'origin', clock: systemClock });
    const samples: HostSample[] = [];
    host.onSample((sample) => samples.push(sample));
    expect(await until(() => samples.some(({ values }) => 'cpuPercent' in values), 20_000)).toBe(true);
    host.close();
  });
});

describe.runIf(isRoot).each(['/bin/fish', '/bin/tcsh'])('a tester with the login shell %s', (shell) => {
  it('runs viewers', async () => {
    const { play } = await testerBench({ shell });
    expect((await play(3)).figures).toMatchObject({ connectedPeak: 3, failed: 0 });
  });
});

/**
 * Stand-ins for the login shells of Windows' OpenSSH: what they print and return when they are told to run `exec ...`. The
 * real sshd around them is this machine's.
 */
const windowsShells = {
  cmd: `printf "'exec' is not recognized as an internal or external command,\\r\\noperable program or batch file.\\r\\n" >&2; exit 1`,
  'Windows PowerShell': `printf "exec : The term 'exec' is not recognized as the name of a cmdlet, function, script file, or operable program. Check \\r\\nthe spelling of the name.\\r\\nAt line:1 char:1\\r\\n    + CategoryInfo          : ObjectNotFound: (exec:String) [], CommandNotFoundException\\r\\n" >&2; exit 1`,
  'PowerShell 7': `printf "\\033[31;1mexec: \\033[31;1mThe term 'exec' is not recognized as a name of a cmdlet, function, script file, or executable program.\\033[0m\\r\\n" >&2; exit 1`,
  'German cmd, by the identification of its sshd': `printf 'Der Befehl "exec" ist entweder falsch geschrieben oder\\r\\nkonnte nicht gefunden werden.\\r\\n' >&2; exit 1`,
};

describe.runIf(isRoot).each(Object.entries(windowsShells))('a host with %s as login shell', (name, script) => {
  it('is recognised as Windows, and is sent no command', async () => {
    const shell = join(shells, name.replaceAll(/\W/g, '-'));
    const read = join(shells, 'read');
    rmSync(read, { force: true });
    // It keeps what it can read of its input.
    writeFileSync(shell, `#!/bin/sh\ntimeout 0.3 cat > ${read}.part\n${script}\n`);
    chmodSync(shell, 0o755);
    chmodSync(shells, 0o777);
    const config = name.startsWith('German') ? ['VersionAddendum OpenSSH_for_Windows_9.5'] : [];
    const sshd = await startSshd({ temporaryUser: true, shell, config });
    later(() => sshd.stop());
    bench.know(sshd);
    const link = await bench.open(sshd, { keyFile: sshd.keyFile });
    const sentence =
      "tester-2 runs Windows: its host figures can't be read over SSH, and no commands or testers run there, since these need a POSIX shell (sh). For its figures, start a windows_exporter there and enter its address as nodeExporter instead of ssh; as a tester use a Linux host.";
    expect(await refused(link.run(['uname'], { input: 'secret' }))).toMatchObject({
      code: 'windows',
      message: sentence,
    });
    expect(readFileSync(`${read}.part`, 'utf8')).toBe('');
    const problems: Array<string | undefined> = [];
    const host = openSshHost({ link, who: 'tester-2', clock: systemClock });
    host.onProblem((problem) => problems.push(problem));
    await expectSoon(() => problems.length > 0);
    expect(problems[0]).toBe(sentence);
    host.close();
    link.close();
  });
});
