import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApp, until, type StartedApp } from './app';
import { sha512, startUpdateServer, type UpdateServer } from './updateServer';

/** The app of this clone, and a real folder of packages. The clone is updated by a package that is only downloaded. */
// The served folder has packages for Linux only.
describe.skipIf(process.platform !== 'linux')('updates', () => {
  let folder: string;
  let server: UpdateServer;
  let app: StartedApp;
  const before = { cache: process.env['XDG_CACHE_HOME'] };

  beforeAll(async () => {
    server = await startUpdateServer();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fullhouse-updates-'));
    await mkdir(join(folder, 'downloads'));
    process.env['XDG_CACHE_HOME'] = join(folder, 'cache');
    server.requests.splice(0);
    server.redirects.clear();
    server.bytesPerSecond = undefined;
  });
  afterEach(async () => {
    await app?.close();
    if (before.cache === undefined) delete process.env['XDG_CACHE_HOME'];
    else process.env['XDG_CACHE_HOME'] = before.cache;
    await rm(folder, { recursive: true, force: true });
  });

  async function started(updateAddress: string | undefined): Promise<void> {
    app = await startApp({ folder, settings: updateAddress === undefined ? {} : { updateAddress } });
    await app.find('pullButton').waitFor();
    await app.electron.evaluate(
      ({ app: electronApp }, path) => electronApp.setPath('downloads', path),
      join(folder, 'downloads'),
    );
    await app.find('settingsButton').click();
    await app.find('settingsDialog').waitFor();
  }
  const sentence = (text: RegExp): Promise<void> => app.find('updateSentence').filter({ hasText: text }).waitFor();
  /** By the button, or by the check after the start if that is earlier on a slow machine. */
  const check = async (): Promise<void> => {
    await app
      .find('updateCheck')
      .click({ timeout: 2000 })
      .catch(() => undefined);
  };
  const problem = (text: RegExp): Promise<void> => app.find('updateProblem').filter({ hasText: text }).waitFor();
  /** Answers the next native questions with the button of this index. */
  const answer = (response: number): Promise<void> =>
    app.electron.evaluate(({ dialog }, button) => {
      dialog.showMessageBox = () => Promise.resolve({ response: button, checkboxChecked: false });
    }, response);
  const downloaded = (): Promise<string[]> => readdir(join(folder, 'downloads'));

  it('requests nothing without an address, uses one after a native question only, and refuses an insecure one', async () => {
    server.publish('0.1.0', 'The same.');
    await started(undefined);
    await sentence(/never looks for updates/);
    expect(await app.find('updateCheck').count()).toBe(0);
    // Longer than the first check after the start.
    await app.page.waitForTimeout(12_000);
    expect(server.requests).toEqual([]);

    await app.find('updateAddress').fill('http://packages.example.org/fullhouse/');
    await app.find('updateAddressUse').click();
    await app
      .find('settingsDialog')
      .getByText(/by https:\/\/ only/)
      .waitFor();

    await answer(1);
    await app.find('updateAddress').fill(server.address);
    await app.find('updateAddressUse').click();
    await app.page.waitForTimeout(500);
    expect(await app.find('updateCheck').count()).toBe(0);
    await answer(0);
    await app.find('updateAddressUse').click();
    await check();
    await sentence(/0\.1\.0 is the newest version/);
    expect(JSON.parse(await readFile(join(folder, 'data', 'settings.json'), 'utf8'))).toMatchObject({
      updateAddress: server.address,
    });
    // The page has no other way to set it.
    const refused = await app.page.evaluate(() => {
      const { fullhouse } = window as unknown as {
        fullhouse: { call(name: string, input: unknown): Promise<unknown> };
      };
      return fullhouse
        .call('shell.saveSettings', { updateAddress: 'https://example.org/' })
        .then(() => 'saved', String);
    });
    expect(refused).toMatch(/shell\.saveSettings/);
  });

  it('shows version and notes, downloads on request with progress, and can be cancelled', async () => {
    server.publish('0.2.0', 'Faster charts.\nA log.');
    server.bytesPerSecond = 100_000;
    await started(server.address);
    await check();
    await sentence(/Version 0\.2\.0 is available \(391 KiB\)/);
    expect(await app.find('updateNotes').textContent()).toBe('Faster charts.\nA log.');
    expect(await app.find('updateChip').textContent()).toContain('0.2.0 available');
    expect([...new Set(server.requests.map(({ path }) => path))]).toEqual(['/packages/latest-linux.yml']);
    // Nothing that would identify this installation.
    expect(Object.keys(server.requests[0]?.headers ?? {})).not.toContain('x-user-staging-id');

    await app.find('updateDownload').click();
    await sentence(/Downloading 0\.2\.0: [1-9]\d* %/);
    await app.find('updateCancel').click();
    await sentence(/Version 0\.2\.0 is available/);
    expect(await downloaded()).toEqual([]);

    server.bytesPerSecond = undefined;
    await app.find('updateDownload').click();
    await sentence(/Downloaded and verified: .*Fullhouse-0\.2\.0-linux-.*\.tar\.gz/);
    const [file = ''] = await downloaded();
    expect(sha512(await readFile(join(folder, 'downloads', file)))).toBe(sha512(Buffer.alloc(400_000, 'fullhouse')));
    // It is never installed by itself: there is nothing to confirm.
    expect(await app.find('updateInstall').count()).toBe(0);
  });

  it('refuses a redirect to an insecure address, an empty folder, and a package whose hash is not the published one', async () => {
    server.publish('0.2.0', 'Faster.', { sha512: sha512('something else') });
    server.redirects.set('/packages/latest-linux.yml', 'http://packages.example.org/latest-linux.yml');
    await started(server.address);
    await check();
    await problem(/redirect to an insecure address was refused/);
    server.redirects.clear();

    await answer(0);
    const choose = async (address: string): Promise<void> => {
      await app.find('updateAddress').fill(address);
      await app.find('updateAddressUse').click();
      await check();
    };
    await choose(`${server.address}nothing/`);
    await problem(/nothing\/ has no latest-linux\.yml\. Check the address/);

    await choose(server.address);
    await app.find('updateDownload').click();
    await problem(/Fullhouse-0\.2\.0-linux-\w+\.tar\.gz does not match the SHA-512 .* nothing is installed/);
    expect(await downloaded()).toEqual([]);
    const left = await readdir(join(folder, 'cache'), { recursive: true }).catch(() => []);
    expect(left.filter((name) => name.endsWith('.tar.gz'))).toEqual([]);
  });

  it('copies the data of the previous version before its first start, and shows what is new', async () => {
    await mkdir(join(folder, 'data'));
    const offered = { version: '0.1.0', notes: 'Faster charts.' };
    await writeFile(join(folder, 'data', 'version.json'), JSON.stringify({ version: '0.0.9', offered }));
    await writeFile(join(folder, 'data', 'fleet.yaml'), 'nodes: {}\n');
    await started(undefined);
    expect(await app.find('updateNews').textContent()).toBe('Faster charts.');
    await app.find('notice').filter({ hasText: 'Fullhouse was updated from 0.0.9 to 0.1.0.' }).waitFor();
    expect((await readdir(join(folder, 'data', 'backups', '0.0.9'))).sort()).toEqual([
      'fleet.yaml',
      'settings.json',
      'version.json',
    ]);
    await app.close();
    await started(undefined);
    expect(await app.find('updateNews').count()).toBe(0);
    expect(existsSync(join(folder, 'data', 'backups', '0.1.0'))).toBe(false);
    await until('no notice', async () => (await app.find('notice').count()) === 0);
  });
});
