import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRunLibrary } from '../../src/engine/store';
import { programsBelow } from '../integration/exposed';
import { keepCustomerRun } from '../integration/servers/customerRun';
import { startApp, until } from './app';

/** Desktop features: persisted state, menu, processes that end. */
describe('the desktop app', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fullhouse-desktop-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('restores window bounds and theme', async () => {
    const first = await startApp({ folder });
    await first.find('themeButton').click();
    await until('the light theme', () =>
      first.page.evaluate(() => document.documentElement.dataset['theme'] === 'light'),
    );
    await first.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.setBounds({ x: 40, y: 30, width: 1200, height: 720 }),
    );
    await first.close();

    const second = await startApp({ folder });
    await second.find('themeButton').waitFor();
    const bounds = await second.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
    expect(bounds).toMatchObject({ width: 1200, height: 720 });
    expect(await second.page.evaluate(() => document.documentElement.dataset['theme'])).toBe('light');
    await second.close();
  });

  it('shows the keys in its menu that commands have now, opens the Pull dialog from it, and stops', async () => {
    const app = await startApp({ settings: { keys: { pull: 'j' } } });
    await app.find('pullButton').filter({ hasText: 'J' }).waitFor();
    const keys = () =>
      app.electron.evaluate(({ Menu }) =>
        ['pull', 'publish', 'stopAll'].map((id) => Menu.getApplicationMenu()?.getMenuItemById(id)?.accelerator ?? ''),
      );
    const choose = (id: string) =>
      app.electron.evaluate(({ Menu }, entry) => {
        Menu.getApplicationMenu()?.getMenuItemById(entry)?.click();
      }, id);
    await expect.poll(keys).toEqual(['J', 'U', 'CmdOrCtrl+.']);
    await app.page.keyboard.press('Control+,');
    await app.find('settingsSingleKeys').uncheck();
    await expect.poll(keys).toEqual(['', '', 'CmdOrCtrl+.']);
    await app.page.keyboard.press('Escape');
    await app.find('settingsDialog').waitFor({ state: 'detached' });
    await choose('pull');
    await app.find('pullDialog').waitFor();
    await choose('stopAll');
    await app.close();
  });

  it('keeps the screen on in wall mode, and only there', async () => {
    const app = await startApp();
    const isKeptOn = () =>
      app.electron.evaluate(({ powerSaveBlocker }) =>
        Array.from({ length: 20 }, (_, id) => powerSaveBlocker.isStarted(id)).includes(true),
      );
    await app.find('pullButton').waitFor();
    expect(await isKeptOn()).toBe(false);
    await app.page.keyboard.press('F9');
    await app.find('wallMode').waitFor();
    await expect.poll(isKeptOn).toBe(true);
    await app.page.keyboard.press('Escape');
    await app.find('wallMode').waitFor({ state: 'detached' });
    await expect.poll(isKeptOn).toBe(false);
    await app.close();
  });

  it.skipIf(process.platform !== 'linux')('starts its engine without the secrets of its environment', async () => {
    const app = await startApp({
      env: { ...process.env, FULLHOUSE_SECRET_PLANTED: 'planted-secret', OTHER: 'planted-too' },
    });
    await app.find('pullButton').waitFor();
    const engines = programsBelow(app.electron.process().pid).filter(({ args }) =>
      args.includes('node.mojom.NodeService'),
    );
    expect(engines.length).toBeGreaterThan(0);
    expect(engines.filter(({ environment }) => environment.includes('planted') || environment === '')).toEqual([]);
    await app.close();
  });

  it('opens a saved run after the process that reads them was killed, and continues with a new engine', async () => {
    const own = await mkdtemp(join(tmpdir(), 'fullhouse-reader-'));
    keepCustomerRun(openRunLibrary(join(own, 'runs')));
    const app = await startApp({ folder: own });
    const kill = (name: string): Promise<void> =>
      app.electron.evaluate(({ app: electronApp }, wanted) => {
        const found = electronApp
          .getAppMetrics()
          .find((metric) => metric.name === `Fullhouse ${wanted}` || metric.serviceName?.includes(wanted));
        if (!found) throw new Error(`The process of the ${wanted} was not found.`);
        process.kill(found.pid, 'SIGKILL');
      }, name);
    await app.find('runsTab').click();
    await app.find('runRow').waitFor();
    await kill('run reader');
    await app.find('runRow').dblclick();
    await app.find('closeRun').waitFor();
    expect(await app.find('notice').count()).toBe(0);

    await app.find('closeRun').click();
    await app.find('nodeRow').first().waitFor();
    await kill('engine');
    await app
      .find('notice')
      .filter({ hasText: /engine ended unexpectedly/ })
      .waitFor();
    await app.find('publishButton').click();
    await app.find('publishStart').click();
    await app.page.locator('[data-testid="job-row"][data-kind="publish"]').waitFor();
    await app.close();
    await rm(own, { recursive: true, force: true });
  });

  it('renames a damaged settings file, and reports it and the error of a run file passed at start', async () => {
    const own = await mkdtemp(join(tmpdir(), 'fullhouse-damaged-'));
    await mkdir(join(own, 'data'));
    await writeFile(join(own, 'data', 'settings.json'), '{ "theme": ');
    const broken = join(folder, 'broken.fullhouse');
    await copyFile(import.meta.filename, broken);
    const app = await startApp({ folder: own, args: [broken] });
    const notice = (text: RegExp): Promise<void> => app.find('notice').filter({ hasText: text }).waitFor();
    await notice(/settings\.json/);
    await notice(/broken\.fullhouse|run file/);
    expect(await readFile(join(own, 'data', 'settings.json.damaged'), 'utf8')).toBe('{ "theme": ');
    await app.close();
    await rm(own, { recursive: true, force: true });
  });
});
