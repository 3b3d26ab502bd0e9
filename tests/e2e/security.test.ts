import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inRoot } from '../../scripts/setup/paths.mjs';
import { startApp, type StartedApp } from './app';

/** The window refuses what Electron's security checklist names; asked from inside the real page. */
describe('the window', () => {
  let app: StartedApp;
  beforeAll(async () => {
    app = await startApp();
    await app.find('pullButton').waitFor();
  });
  afterAll(async () => {
    await app?.close();
  });

  it('has no Node.js and nothing of Electron but the bridge', async () => {
    const seen = await app.page.evaluate(() => ({
      names: ['require', 'process', 'module', 'Buffer', 'global', 'electron', 'ipcRenderer'].filter(
        (name) => name in window,
      ),
      bridge: Object.keys((window as unknown as { fullhouse: object }).fullhouse).sort(),
    }));
    expect(seen).toEqual({ names: [], bridge: ['call', 'importDropped', 'on', 'platform'] });
  });

  it('is sandboxed, isolated and keeps the web rules', async () => {
    const preferences = await app.electron.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
        getLastWebPreferences(): Record<string, unknown>;
      };
      const { sandbox, contextIsolation, nodeIntegration, webSecurity, webviewTag } =
        contents.getLastWebPreferences();
      return { sandbox, contextIsolation, nodeIntegration, webSecurity, webviewTag: Boolean(webviewTag) };
    });
    expect(preferences).toEqual({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
    });
  });

  it('opens no further window', async () => {
    const opened = await app.page.evaluate(() => window.open('https://example.org/') !== null);
    expect(opened).toBe(false);
    expect(app.electron.windows()).toHaveLength(1);
  });

  it('goes nowhere else', async () => {
    const before = app.page.url();
    await app.page.evaluate(() => {
      window.location.href = 'https://example.org/';
    });
    await app.page.waitForTimeout(500);
    expect(app.page.url()).toBe(before);
    expect(await app.page.evaluate(() => document.readyState)).toBe('complete');
  });

  it.each([
    ['https', 'https://example.org/'],
    ['http on loopback', 'http://127.0.0.1:9/'],
    ['a file', 'file:///etc/passwd'],
    ['its own scheme', 'app://fullhouse/index.html'],
  ])('fetches nothing: %s', async (_what, url) => {
    const result = await app.page.evaluate(
      (target) =>
        fetch(target).then(
          () => 'fetched',
          (error: unknown) => String(error),
        ),
      url,
    );
    expect(result).toMatch(/Failed to fetch/);
  });

  it('runs no code that did not come with it', async () => {
    const result = await app.page.evaluate(async () => {
      const refused: string[] = [];
      document.addEventListener('securitypolicyviolation', (event) => refused.push(event.effectiveDirective));
      const script = document.createElement('script');
      script.textContent = 'window.injected = true';
      document.head.append(script);
      const frame = document.createElement('iframe');
      frame.src = 'data:text/html,hello';
      document.body.append(frame);
      await new Promise((resolve) => setTimeout(resolve, 300));
      script.remove();
      frame.remove();
      return { injected: 'injected' in window, refused: [...new Set(refused)] };
    });
    expect(result.injected).toBe(false);
    expect(result.refused).toEqual(expect.arrayContaining(['script-src-elem', 'frame-src']));
  });

  it('gets permissions by name only', async () => {
    const states = await app.page.evaluate(async () => ({
      notifications: await Notification.requestPermission(),
      geolocation: await new Promise<string>((resolve) =>
        navigator.geolocation.getCurrentPosition(
          () => resolve('granted'),
          ({ message }) => resolve(message),
        ),
      ),
    }));
    expect(states.notifications).toBe('denied');
    expect(states.geolocation).toMatch(/denied/i);
  });

  it('has its calls checked: an unknown name and a wrong input are refused', async () => {
    const refusals = await app.page.evaluate(async () => {
      const bridge = (
        window as unknown as { fullhouse: { call(name: string, input: unknown): Promise<unknown> } }
      ).fullhouse;
      const told = (error: unknown): string => (error instanceof Error ? error.message : String(error));
      return {
        unknown: await bridge.call('shell.format', {}).then(() => 'done', told),
        prototype: await bridge.call('constructor', {}).then(() => 'done', told),
        wrong: await bridge.call('shell.copyText', { text: 7 }).then(() => 'done', told),
        path: await bridge.call('shell.showInFolder', { run: '../../etc/passwd' }).then(() => 'done', told),
      };
    });
    expect(refusals.unknown).toMatch(/no call "shell.format"/);
    expect(refusals.prototype).toMatch(/no call "constructor"/);
    expect(refusals.wrong).toMatch(/shell.copyText/);
    expect(refusals.path).toMatch(/shell.showInFolder/);
  });

  it('answers nobody but its own page', async () => {
    const answer = await app.electron.evaluate(
      async ({ BrowserWindow }, preload) => {
        const other = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
        await other.loadURL('data:text/html,<title>stranger</title>');
        const said: unknown = await other.webContents.executeJavaScript(
          `window.fullhouse.call('shell.settings', {}).then(() => 'answered', (error) => error.message)`,
        );
        other.destroy();
        return said;
      },
      inRoot('out', 'preload', 'index.js'),
    );
    expect(answer).toMatch(/may not call/);
  });
});
