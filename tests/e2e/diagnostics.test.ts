import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, until, type StartedApp } from './app';

/** Secrets that are planted in an address, a password field and the environment. */
const planted = ['corvid-7-password', 'jackdaw-8-token', 'magpie-9-login', 'rook-10-variable'] as const;

describe('log, diagnostics and crash files', () => {
  let folder: string;
  let app: StartedApp;
  const data = (...path: string[]): string => join(folder, 'data', ...path);
  const log = (): Promise<string> => readFile(data('logs', 'fullhouse.log'), 'utf8');
  const inLog = (text: RegExp): Promise<string> =>
    until(String(text), async () => (await log()).split('\n').find((line) => text.test(line)));

  const choose = (entry: string): Promise<void> =>
    app.electron.evaluate(({ Menu }, id) => {
      Menu.getApplicationMenu()?.getMenuItemById(id)?.click();
    }, entry);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fullhouse-diagnostics-'));
    process.env['FULLHOUSE_SECRET_PLANTED'] = planted[3];
    app = await startApp({ folder, settings: { logLevel: 'debug' } });
    await app.find('nodeRow').first().waitFor();
  });
  afterAll(async () => {
    delete process.env['FULLHOUSE_SECRET_PLANTED'];
    await app?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('the log has entries of all processes, each with time, level and source', async () => {
    await inLog(/^\d{4}-\d\d-\d\dT[\d:.]+Z info {2}main {4}Fullhouse 0\.1\.0 started/);
    await app.find('publishButton').click();
    await app.find('publishDialog').waitFor();
    await app.find('publishStart').click();
    await app.find('jobRow').first().waitFor();
    await inLog(/info {2}engine {2}Started the lab agent/);
    await inLog(/debug engine {2}Link to .*: live/);
    await app.page.evaluate(() => void Promise.reject(new Error('Planted rejection.')));
    await inLog(/error window {2}Page failed/);
    await inLog(/Planted rejection\./);
  });

  it('a diagnostics file contains versions, settings, nodes and log, and none of the planted secrets', async () => {
    // Over the engine's port, as the window adds nodes. Nothing listens at the addresses.
    await app.page.addInitScript(() => {
      window.addEventListener('message', ({ data: name, ports }) => {
        if (name === 'fullhouse-engine-port') Object.assign(window, { enginePort: ports[0] });
      });
    });
    await app.page.reload();
    await app.find('nodeRow').first().waitFor();
    const [sshPassword, token, login, variable] = planted;
    const whep = `http://qa:${login}@127.0.0.1:9/{stream}?token=${token}`;
    const added = await app.page.evaluate(
      ([settings, secrets]) =>
        new Promise((resolve) => {
          const { enginePort } = window as unknown as { enginePort: MessagePort };
          enginePort.addEventListener('message', ({ data: answer }: MessageEvent<Record<string, unknown>>) => {
            if (answer['id'] === 1_000_000) resolve(answer['kind'] === 'result' ? 'added' : answer['message']);
          });
          const input = { name: 'planted', settings, secrets };
          enginePort.postMessage({ kind: 'call', id: 1_000_000, name: 'nodes.add', input });
        }),
      [{ server: 'generic', whep, ssh: 'qa@127.0.0.1:9' }, { sshPassword }] as const,
    );
    expect(added).toBe('added');
    // The main process learns of it by an event.
    await app.page.waitForTimeout(500);
    // What a server may answer: all of them, in a text that reaches the log.
    await app.page.evaluate(
      (text) => {
        const { fullhouse } = window as unknown as {
          fullhouse: { call(name: string, input: unknown): Promise<unknown> };
        };
        return fullhouse.call('shell.log', { level: 'error', text });
      },
      `Planted: ${sshPassword} ${btoa(`qa:${sshPassword}`)} ${variable} https://qa:${login}@srs.example/?token=${token}`,
    );

    const file = join(folder, 'diagnostics.json');
    await app.saveTo(file);
    await choose('saveDiagnostics');
    const text = await until('the file', () => readFile(file, 'utf8').catch(() => undefined));
    const saved = JSON.parse(text) as { versions: object; settings: object; nodes: { name: string }[]; log: string[] };
    expect(saved.versions).toMatchObject({ fullhouse: '0.1.0' });
    expect(saved.settings).toMatchObject({ logLevel: 'debug' });
    expect(saved.nodes.length).toBeGreaterThan(2);
    expect(saved.log.some((line) => line.includes('Started the lab agent'))).toBe(true);
    // Masked, and not just absent.
    expect(saved.log.some((line) => /Planted: .* https:.*srs\.example/.test(line))).toBe(true);
    expect(saved.nodes.find(({ name }) => name === 'planted')).toMatchObject({ secrets: ['sshPassword'] });
    for (const place of [text, await log()])
      for (const secret of [...planted, btoa(`qa:${sshPassword}`)]) expect(place, secret).not.toContain(secret);
  });

  it('a killed engine leaves the end of the log', async () => {
    await app.electron.evaluate(({ app: electronApp }) => {
      const engine = electronApp
        .getAppMetrics()
        .find((metric) => metric.name === 'Fullhouse engine' || metric.serviceName?.includes('engine'));
      if (engine) process.kill(engine.pid, 'SIGKILL');
    });
    await until('its crash file', async () =>
      (await readdir(data('crashes')).catch(() => [])).some((name) => /-engine\.log$/.test(name)),
    );
  });

  it('an error that the main process does not handle is reported, and does not end the app', async () => {
    await app.electron.evaluate(() => {
      setTimeout(() => {
        throw new Error('Planted in main');
      });
    });
    await app.find('notice').filter({ hasText: 'internal error: Planted in main' }).waitFor();
    await until('its crash file', async () =>
      (await readdir(data('crashes')).catch(() => [])).some((name) => /-main\.log$/.test(name)),
    );
    await app.find('nodesTab').click();
  });

  it('Help > Show crash files opens their folder', async () => {
    await app.electron.evaluate(({ shell }) => {
      shell.openPath = (path) => {
        Object.assign(globalThis, { openedPath: path });
        return Promise.resolve('');
      };
    });
    await choose('showCrashFiles');
    expect(
      await until('the folder', () => app.electron.evaluate(() => (globalThis as { openedPath?: string }).openedPath)),
    ).toBe(data('crashes'));
  });

  it('a crash of the window leaves a minidump and the end of the log, and the window returns', async () => {
    const reloaded = app.page.waitForEvent('crash').catch(() => undefined);
    await app.electron.evaluate(({ BrowserWindow }) => {
      const pid = BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId();
      if (pid === undefined) throw new Error('The window has no process.');
      process.kill(pid, 'SIGSEGV');
    });
    await reloaded;
    const names = await until(
      'the crash files',
      async () => {
        const found = (await readdir(data('crashes')).catch(() => [])).filter((name) => name.includes('-window.'));
        return found.length === 2 && found.sort();
      },
      20_000,
    );
    const [dump, text] = names;
    expect(dump).toMatch(/^[\dTZ-]+-window\.dmp$/);
    expect(text).toBe(dump?.replace('.dmp', '.log'));
    expect((await readFile(data('crashes', dump ?? ''))).subarray(0, 4).toString()).toBe('MDMP');
    const lines = (await readFile(data('crashes', text ?? ''), 'utf8')).split('\n');
    expect(lines).toEqual(expect.arrayContaining(['Process: window', 'Reason: crashed', 'fullhouse: 0.1.0']));
    expect(lines.some((line) => line.includes('Started the lab agent'))).toBe(true);
    for (const secret of planted) expect(lines.join('\n'), secret).not.toContain(secret);
    await until(
      'the window',
      () =>
        app.electron.evaluate(({ BrowserWindow }) =>
          BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
            `document.querySelector('[data-testid="node-row"]') !== null`,
          ),
        ) as Promise<boolean>,
    );
  });
});
