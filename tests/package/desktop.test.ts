import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { artifactName } from '../../scripts/packaging/artifactName.mjs';
import { startDisplay } from '../../scripts/testing/display.mjs';
import { isRoot, processesOf, spawnAsUser, startAsUser, type RunningApp } from './installedApp';
import { execute, runStep } from './runStep';
import { readWorkflow, stepOf } from './workflow';

const root = join(import.meta.dirname, '..', '..');
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const maxInstalledMb = 320;

const fileOf = (ext: string): string =>
  join(
    root,
    'dist',
    artifactName(
      { artifactName: '${productName}-${version}-${os}-${arch}.${ext}', productName: 'Fullhouse' },
      { version, os: 'linux', arch: process.arch, ext },
    ),
  );

const sizeMb = (path: string): number => {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size / 2 ** 20;
  return readdirSync(path).reduce((sum, name) => sum + sizeMb(join(path, name)), 0);
};

/** A package of that name may be one of the user's, which a test must not replace. */
const mayInstall = (): boolean => isRoot && !existsSync('/opt/Fullhouse');

if (process.platform === 'linux')
  // Installing and starting four times takes minutes on a busy machine.
  describe('the packages for Linux, made by the step of the release workflow', { timeout: 400_000 }, () => {
    let folder: string;
    let display: Awaited<ReturnType<typeof startDisplay>>;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'fullhouse-desktop-package-'));
      // Root installs, another user starts.
      chmodSync(folder, 0o755);
      display = await startDisplay({ width: 1440, height: 900 });
      const step = stepOf(readWorkflow(root, 'release'), 'package', 'Package');
      const env = { TARGETS: '--linux deb rpm tar.gz --system-tools --uncompressed --allow-fallback' };
      const { code, output } = await runStep(step, root, env);
      expect(code, output).toBe(0);
    }, 900_000);
    afterAll(async () => {
      await display?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    /** Window, sandbox and picture of an app that has just been installed. */
    async function checkStarted(
      app: RunningApp,
      name: string,
      expected: { readonly userNamespace: boolean },
    ): Promise<void> {
      try {
        const all = app.processes();
        expect(all.filter(({ uid }) => uid === 0)).toEqual([]);
        const renderers = all.filter(({ type }) => type === 'renderer');
        expect(renderers.length).toBeGreaterThan(0);
        for (const { seccomp, noNewPrivileges, isolated } of renderers)
          expect({ seccomp, noNewPrivileges, isolated }).toEqual({
            seccomp: 2,
            noNewPrivileges: true,
            isolated: { user: expected.userNamespace, pid: true, net: true },
          });
        const picture = join(process.env['FULLHOUSE_PICTURES'] ?? folder, `${name}.png`);
        app.picture(picture);
        // An empty display has a few kB.
        expect(statSync(picture).size).toBeGreaterThan(20_000);
        console.log(`${name}: ${JSON.stringify(app.timings)}`);
      } finally {
        const output = await app.close();
        expect(output).not.toMatch(/sandbox/i);
      }
    }

    it('have the same names as those of electron-builder', () => {
      expect(readdirSync(join(root, 'dist'))).toEqual(
        expect.arrayContaining([
          `Fullhouse-${version}-linux-${process.arch === 'x64' ? 'amd64' : process.arch}.deb`,
          `Fullhouse-${version}-linux-${process.arch === 'x64' ? 'x86_64' : 'aarch64'}.rpm`,
          `Fullhouse-${version}-linux-${process.arch}.tar.gz`,
        ]),
      );
    });

    it('deb: installs, starts for a plain user in the sandbox, runs the command line, and is removed completely', async () => {
      const deb = fileOf('deb');
      const listed = execFileSync('dpkg-deb', ['--fsys-tarfile', deb], { maxBuffer: 2 ** 30 });
      const names = execFileSync('tar', ['-t'], { input: listed, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\n');
      for (const file of [
        ...['usr/bin/fullhouse', 'usr/share/man/man1/fullhouse.1', 'usr/share/applications/fullhouse.desktop'],
        ...['usr/share/mime/packages/fullhouse.xml', 'usr/share/icons/hicolor/512x512/apps/fullhouse.png'],
        ...['usr/share/bash-completion/completions/fullhouse', 'usr/share/zsh/site-functions/_fullhouse'],
        ...['usr/share/fish/vendor_completions.d/fullhouse.fish', 'opt/Fullhouse/resources/apparmor-profile'],
      ])
        expect(names, file).toContain(`./${file}`);

      const isInstalled = mayInstall();
      let hasNoProfiles = false;
      const base = isInstalled ? '/' : join(folder, 'deb');
      const program = join(base, 'opt', 'Fullhouse', 'fullhouse');
      try {
        if (isInstalled) {
          // A stand-in: only the version of Ubuntu 24.04 and later knows the profile's syntax.
          const parser = join(mkdtempSync(join(folder, 'bin-')), 'apparmor_parser');
          writeFileSync(parser, '#!/bin/sh\n', { mode: 0o755 });
          hasNoProfiles = mkdirSync('/etc/apparmor.d', { recursive: true }) !== undefined;
          const PATH = `${dirname(parser)}:${process.env['PATH'] ?? ''}`;
          const { code, output } = await execute('dpkg', ['--install', deb], folder, { LC_ALL: 'C', PATH });
          expect(code, output).toBe(0);
          expect(readFileSync('/etc/apparmor.d/fullhouse', 'utf8')).toContain(
            'profile fullhouse /opt/Fullhouse/fullhouse',
          );
        } else execFileSync('dpkg-deb', ['--extract', deb, base]);
        expect(sizeMb(join(base, 'opt', 'Fullhouse'))).toBeLessThan(maxInstalledMb);
        console.log(`installed: ${sizeMb(join(base, 'opt', 'Fullhouse')).toFixed(0)} MB`);
        await checkStarted(
          await startAsUser(program, { home: join(folder, 'deb-home'), display: display.name }),
          'deb',
          { userNamespace: true },
        );
        if (isInstalled) await checkInstalled(program);
      } finally {
        if (isInstalled) {
          const { code, output } = await execute('dpkg', ['--purge', 'fullhouse'], folder, { LC_ALL: 'C' });
          expect(code, output).toBe(0);
          // Folders of its own would be left.
          if (hasNoProfiles) rmdirSync('/etc/apparmor.d');
          expect(output).not.toMatch(/'[^']*fullhouse[^']*' not empty/i);
        }
      }
      if (isInstalled) {
        const places = names.filter((name) => /(^|[/_])fullhouse/i.test(name)).map((name) => name.slice(1));
        expect(places.length).toBeGreaterThan(20);
        expect([...places, '/etc/apparmor.d/fullhouse'].filter((place) => existsSync(place))).toEqual([]);
      }
      expect(processesOf(program)).toEqual([]);
    });

    /** What only an installed package has. */
    async function checkInstalled(program: string): Promise<void> {
      const helper = statSync('/opt/Fullhouse/chrome-sandbox');
      expect([helper.uid, helper.mode & 0o7777]).toEqual([0, 0o4755]);
      // Where user namespaces are off, Chromium uses its setuid helper.
      const withoutNamespaces = ['--disable-namespace-sandbox'];
      await checkStarted(
        await startAsUser(program, { home: join(folder, 'deb-home'), display: display.name, args: withoutNamespaces }),
        'deb-setuid',
        { userNamespace: false },
      );
      const cli = (...args: readonly string[]) => execute('/usr/bin/fullhouse', args, folder, {});
      expect(await cli('--version')).toEqual({ code: 0, output: `${version}\n` });
      expect((await cli('presets')).output).toContain('smoke-10');
      expect((await cli('completion', 'bash')).output).toBe(
        readFileSync('/usr/share/bash-completion/completions/fullhouse', 'utf8'),
      );
      const noNode = await execute('/usr/bin/fullhouse', ['show', 'x'], folder, { PATH: '/nowhere' });
      expect(noNode).toMatchObject({
        code: 2,
        output: expect.stringContaining('needs Node.js 20.19 or newer') as string,
      });
    }

    it('deb: its program is not Node.js for a variable or a switch', async () => {
      const base = mkdtempSync(join(folder, 'fuses-'));
      chmodSync(base, 0o755);
      execFileSync('dpkg-deb', ['--extract', fileOf('deb'), base]);
      const program = join(base, 'opt', 'Fullhouse', 'fullhouse');
      const child = spawnAsUser(program, ['-p', '40 + 2'], {
        home: '/nonexistent',
        env: { ELECTRON_RUN_AS_NODE: '1' },
      });
      let output = '';
      child.stdout?.on('data', (chunk) => (output += String(chunk)));
      const code = await new Promise((resolve) => child.once('close', resolve));
      // Without a display the app ends.
      expect(code).not.toBe(0);
      expect(output).not.toContain('42');
    });

    it('rpm: installs into a root of its own, starts for a plain user in the sandbox, and is removed completely', async () => {
      const base = mkdtempSync(join(folder, 'rpm-'));
      chmodSync(base, 0o755);
      // Scripts would need a shell inside that root, and libraries of another distribution.
      const rpm = (...args: readonly string[]) => execute('rpm', ['--root', base, ...args], folder, {});
      const query = await execute(
        'rpm',
        ['--query', '--package', '--requires', '--scripts', fileOf('rpm')],
        folder,
        {},
      );
      expect(query.output).toMatch(/^gtk3$/m);
      expect(query.output).toContain('apparmor');
      for (const args of [['--initdb'], ['--install', '--nodeps', '--noscripts', '--ignoreos', fileOf('rpm')]]) {
        const { code, output } = await rpm(...args);
        expect(code, output).toBe(0);
      }
      await checkStarted(
        await startAsUser(join(base, 'opt', 'Fullhouse', 'fullhouse'), {
          home: join(folder, 'rpm-home'),
          display: display.name,
        }),
        'rpm',
        { userNamespace: true },
      );
      const { code, output } = await rpm('--erase', '--noscripts', 'fullhouse');
      expect(code, output).toBe(0);
      const left = readdirSync(base, { recursive: true, encoding: 'utf8' }).filter((name) => /fullhouse/i.test(name));
      expect(left).toEqual([]);
    });

    it('tar.gz: unpacked by a plain user, it starts in the sandbox', async () => {
      const base = mkdtempSync(join(folder, 'tar-'));
      chmodSync(base, 0o755);
      execFileSync('tar', ['-xzf', fileOf('tar.gz'), '-C', base]);
      const [name = ''] = readdirSync(base);
      expect(name).toBe(`Fullhouse-${version}-linux-${process.arch}`);
      const app = await startAsUser(join(base, name, 'fullhouse'), {
        home: join(folder, 'tar-home'),
        display: display.name,
      });
      await checkStarted(app, 'tar', { userNamespace: true });
    });
  });
