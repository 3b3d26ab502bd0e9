import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inRoot } from '../../scripts/setup/paths.mjs';
import type { Plan } from '../../src/domain/model/plan';
import { startApp, until, type StartedApp } from './app';
import { samplePlan } from '../support/samplePlan';

/** The window complies with Electron's security checklist; tested from inside the real page. */
describe('the window', () => {
  let app: StartedApp;
  beforeAll(async () => {
    app = await startApp();
    await app.find('pullButton').waitFor();
  });
  afterAll(async () => {
    await app?.close();
  });

  it('has no Node.js, and of Electron only the bridge', async () => {
    const seen = await app.page.evaluate(() => ({
      names: ['require', 'process', 'module', 'Buffer', 'global', 'electron', 'ipcRenderer'].filter(
        (name) => name in window,
      ),
      bridge: Object.keys((window as unknown as { fullhouse: object }).fullhouse).sort(),
    }));
    expect(seen).toEqual({ names: [], bridge: ['call', 'importDropped', 'on', 'platform'] });
  });

  it('is sandboxed and isolated, with web security on', async () => {
    const preferences = await app.electron.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
        getLastWebPreferences(): Record<string, unknown>;
      };
      const { sandbox, contextIsolation, nodeIntegration, webSecurity, webviewTag } = contents.getLastWebPreferences();
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

  it('runs its own worker, which reads the delay of a test pattern', async () => {
    await app.find('publishButton').click();
    await app.find('publishDialog').getByText('Test pattern').first().click();
    await app.find('publishStart').click();
    await app.find('playerOffer').click();
    await until('glass to glass', async () => (await app.page.getByTestId('player-glass').count()) > 0);
    await app.page.getByTestId('job-row').getByRole('button', { name: /^Stop/ }).click();
    await until('the end of the publication', async () => (await app.page.getByTestId('job-row').count()) === 0);
  });

  it('captures only what was listed and chosen, once', async () => {
    const capture = async (choose?: 'listed' | 'invented'): Promise<string> => {
      // A capture needs a click.
      await app.find('pullButton').focus();
      await app.page.keyboard.press('Shift');
      return app.page.evaluate(async (id) => {
        const bridge = (window as unknown as { fullhouse: { call(name: string, input: unknown): Promise<unknown> } })
          .fullhouse;
        try {
          const [screen] = (await bridge.call('shell.captures', { kind: 'screen' })) as { id: string }[];
          const chosen = id === 'listed' ? screen?.id : 'screen:1234:0';
          if (id !== undefined) await bridge.call('shell.chooseCapture', { id: chosen });
          const stream = await navigator.mediaDevices.getDisplayMedia({ video: true });
          const { displaySurface, width = 0 } = stream.getVideoTracks()[0]?.getSettings() ?? {};
          for (const track of stream.getTracks()) track.stop();
          return `${displaySurface ?? 'screen'} ${width > 0}`;
        } catch (error) {
          return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
        }
      }, choose);
    };
    expect(await capture()).toMatch(/^(NotAllowedError|AbortError|NotReadableError|InvalidStateError)/);
    expect(await capture('invented')).toBe('Error: That screen or window is not listed. Choose one of the list.');
    expect(await capture('listed')).toMatch(/true$/);
    expect(await capture()).toMatch(/^(NotAllowedError|AbortError|NotReadableError|InvalidStateError)/);
  });

  it('opens no other window', async () => {
    const opened = await app.page.evaluate(() => window.open('https://example.org/') !== null);
    expect(opened).toBe(false);
    expect(app.electron.windows()).toHaveLength(1);
  });

  it('refuses navigation', async () => {
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

  it('runs no foreign code', async () => {
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

  it('is granted permissions by name only', async () => {
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

  it('has its calls checked: an unknown name and invalid input are refused', async () => {
    const refusals = await app.page.evaluate(async () => {
      const bridge = (window as unknown as { fullhouse: { call(name: string, input: unknown): Promise<unknown> } })
        .fullhouse;
      const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
      return {
        unknown: await bridge.call('shell.format', {}).then(() => 'done', messageOf),
        prototype: await bridge.call('constructor', {}).then(() => 'done', messageOf),
        wrong: await bridge.call('shell.copyText', { text: 7 }).then(() => 'done', messageOf),
        path: await bridge.call('shell.showInFolder', { run: '../../etc/passwd' }).then(() => 'done', messageOf),
      };
    });
    expect(refusals.unknown).toMatch(/no call "shell.format"/);
    expect(refusals.prototype).toMatch(/no call "constructor"/);
    expect(refusals.wrong).toMatch(/shell.copyText/);
    expect(refusals.path).toMatch(/shell.showInFolder/);
  });

  it('responds only to its own page', async () => {
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

/** A page with injected code: it has the bridge and the engine's port, and calls them directly. */
describe('a compromised page', () => {
  let app: StartedApp;
  beforeAll(async () => {
    app = await startApp();
    await app.page.addInitScript(() => {
      window.addEventListener('message', ({ data, ports }) => {
        if (data === 'fullhouse-engine-port') Object.assign(window, { stolenPort: ports[0] });
      });
    });
    await app.page.reload();
    await app.find('pullButton').waitFor();
  });
  afterAll(async () => {
    await app?.close();
  });

  let lastCall = 1_000_000;
  /** A call over the engine's port: `done`, or the engine's refusal. */
  const callEngine = (name: string, input: unknown): Promise<string> =>
    app.page.evaluate(
      ([id, call, given]) =>
        new Promise<string>((resolve) => {
          const { stolenPort } = window as unknown as { stolenPort: MessagePort };
          stolenPort.addEventListener('message', ({ data }: MessageEvent<Record<string, unknown>>) => {
            if (data['id'] === id)
              resolve(data['kind'] === 'result' ? 'done' : `${String(data['code'])}: ${String(data['message'])}`);
          });
          stolenPort.postMessage({ kind: 'call', id, name: call, input: given });
          // An engine that crashed during a call does not respond.
          setTimeout(() => resolve('no answer'), 15_000);
        }),
      [(lastCall += 1), name, input] as const,
    );
  const callShell = (name: string, input: unknown): Promise<unknown> =>
    app.page.evaluate(
      ([call, given]) => {
        const { fullhouse } = window as unknown as {
          fullhouse: { call(name: string, input: unknown): Promise<unknown> };
        };
        return fullhouse.call(call, given).catch((error: unknown) => String(error));
      },
      [name, input] as const,
    );

  /** Texts of native message boxes since the last call; the next ones are answered with the button of this index. */
  const answerBoxesWith = (button: number): Promise<void> =>
    app.electron.evaluate(({ dialog }, response) => {
      const shown: unknown[] = [];
      Object.assign(globalThis, { boxes: shown });
      dialog.showMessageBox = (...args: unknown[]) => {
        shown.push(args[args.length - 1]);
        return Promise.resolve({ response, checkboxChecked: false });
      };
    }, button);
  const boxes = (): Promise<Array<{ message: string; detail: string; defaultId: number; cancelId: number }>> =>
    app.electron.evaluate(() => (globalThis as Record<string, unknown>)['boxes'] as never);

  const planWith = (file: string, ...more: string[]): Plan =>
    samplePlan(
      { viewers: 1, ratePerSecond: 10, holdMs: 500 },
      { name: 'Harmless', expect: {}, hooks: [{ at: 'start', run: ['touch', file, ...more] }] },
    );
  const touched = async (file: string): Promise<boolean> => {
    await app.page.waitForTimeout(1000);
    return existsSync(file);
  };
  const cancel = 1;
  const allow = 0;
  beforeEach(() => answerBoxesWith(cancel));

  it('starts no program by claiming permission', async () => {
    const file = join(app.folder, 'by-run');
    expect(await callEngine('runs.start', { plan: planWith(file), allowHooks: true })).toMatch(
      /^hooks-not-allowed: .*at start: run "touch"/,
    );
    expect(await touched(file)).toBe(false);
  });

  it('schedules no program by claiming permission', async () => {
    const file = join(app.folder, 'by-schedule');
    const plan = { ...planWith(file), schedule: { repeat: 2 } };
    expect(await callEngine('schedules.add', { plan, allowHooks: true })).toMatch(/^hooks-not-allowed/);
    expect(await touched(file)).toBe(false);
  });

  it('has its programs listed in full by a native dialog, and none starts if that is cancelled', async () => {
    const file = join(app.folder, 'cancelled');
    const plan = planWith(file, 'two\nlines', '\u202egpj.exe');
    expect(await callShell('shell.allowHooks', { plan })).toEqual({ allowed: false });
    const [box] = await boxes();
    expect(box?.message).toContain('"Harmless"');
    expect(box?.detail).toContain(`"touch" "${file}" "two\\nlines" "\\u202egpj.exe"`);
    expect([box?.defaultId, box?.cancelId]).toEqual([cancel, cancel]);
    expect(await callEngine('runs.start', { plan, allowHooks: true })).toMatch(/^hooks-not-allowed/);
    expect(await touched(file)).toBe(false);
  });

  it('may start once what the user has allowed, and nothing else instead', async () => {
    const [file, other] = [join(app.folder, 'allowed'), join(app.folder, 'other')];
    await answerBoxesWith(allow);
    expect(await callShell('shell.allowHooks', { plan: planWith(file) })).toEqual({ allowed: true });
    expect(await callEngine('runs.start', { plan: planWith(other), allowHooks: true })).toMatch(/^hooks-not-allowed/);
    const renamed = { ...planWith(file), name: 'Something else' };
    expect(await callEngine('runs.start', { plan: renamed, allowHooks: true })).toMatch(/^hooks-not-allowed/);
    expect(await callEngine('runs.start', { plan: planWith(file), allowHooks: true })).toBe('done');
    expect(await touched(file)).toBe(true);
    expect(await touched(other)).toBe(false);
    expect(await callEngine('runs.start', { plan: planWith(file), allowHooks: true })).toMatch(/^hooks-not-allowed/);
    await callEngine('runs.stopAll', { force: true });
  });

  it('starts no command of its own alert rules before the user has allowed it in a native dialog', async () => {
    const file = join(app.folder, 'by-rule');
    const rule = { name: 'any-cpu', kind: 'level', series: 'cpuPercent', above: -1, forMs: 0, severity: 'info' };
    const setRules = (...more: string[]): Promise<string> =>
      callEngine('incidents.setRules', { rules: [{ ...rule, command: ['touch', file, ...more] }] });
    expect(await setRules()).toBe('done');
    expect(await callEngine('incidents.allow', { digest: '' })).toMatch(/^unknown-call/);
    expect(await callShell('shell.allowAlerts', {})).toEqual({ allowed: false });
    const [box] = await boxes();
    expect(box?.detail).toContain(`any-cpu: when an incident begins and when it ends: run "touch" "${file}"`);
    expect([box?.defaultId, box?.cancelId]).toEqual([cancel, cancel]);
    await app.page.waitForTimeout(3000);
    expect(existsSync(file)).toBe(false);
    await answerBoxesWith(allow);
    expect(await callShell('shell.allowAlerts', {})).toEqual({ allowed: true });
    // What began before it was allowed is not made up for: it begins again. A rule that is off keeps what is allowed.
    await callEngine('incidents.setRules', { rules: [{ ...rule, command: ['touch', file], isOff: true }] });
    expect(await setRules()).toBe('done');
    await expect.poll(() => existsSync(file)).toBe(true);
    // What is allowed is not asked for again; what is changed is.
    expect(await callShell('shell.allowAlerts', {})).toEqual({ allowed: true });
    expect(await boxes()).toHaveLength(1);
    await answerBoxesWith(cancel);
    await setRules('more');
    expect(await callShell('shell.allowAlerts', {})).toEqual({ allowed: false });
    expect((await boxes())[0]?.detail).toContain(`"${file}" "more"`);
    await callEngine('incidents.setRules', { rules: [] });
  });

  it('cannot grant itself anything over its own port', async () => {
    expect(await callEngine('consent.grant', { plan: planWith('x'), texts: [] })).toMatch(/^unknown-call/);
  });

  it('imports no file by its path: the system provides the path of a dropped file', async () => {
    const file = join(app.folder, 'private.txt');
    writeFileSync(file, 'nothing to see');
    const answers = await app.page.evaluate(async (path) => {
      const bridge = (window as unknown as { fullhouse: { importDropped(file: unknown): Promise<unknown> } }).fullhouse;
      const forged = new File(['x'], 'run.fullhouse');
      Object.defineProperty(forged, 'path', { value: path });
      const tries: unknown[] = [
        { path },
        path,
        Object.create(File.prototype, { path: { value: path, enumerable: true } }),
        forged,
        new File(['x'], path),
      ];
      const received: string[] = [];
      for (const given of tries)
        received.push(
          await Promise.resolve()
            .then(() => bridge.importDropped(given))
            .then(() => 'imported', String),
        );
      return received;
    }, file);
    expect(answers).toHaveLength(5);
    for (const answer of answers) {
      expect(answer).toMatch(/[Dd]rop a file from a folder/);
      expect(answer).not.toContain('private.txt');
    }
  });

  it('still imports a file chosen by the user', async () => {
    const file = join(app.folder, 'chosen.fullhouse');
    writeFileSync(file, 'no run');
    await app.page.evaluate(() => {
      const input = document.createElement('input');
      input.type = 'file';
      input.id = 'chosen';
      document.body.append(input);
    });
    await app.page.setInputFiles('#chosen', file);
    const answer = await app.page.evaluate(() => {
      const { files } = document.getElementById('chosen') as HTMLInputElement;
      const { fullhouse } = window as unknown as {
        fullhouse: { importDropped(file: File | undefined): Promise<unknown> };
      };
      return fullhouse.importDropped(files?.[0]).then(() => 'imported', String);
    });
    expect(answer).toContain('chosen.fullhouse');
  });
});
