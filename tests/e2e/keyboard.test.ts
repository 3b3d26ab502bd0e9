import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localAgentBinary, startLocalAgent, type LocalAgent } from '../../src/engine/links/localAgent';
import { testIds } from '../../src/renderer/ui/testIds';
import { agentFolder, samplesFolder } from '../integration/support';
import { startApp, until, type StartedApp } from './app';

/** The main use case without a mouse, from the first start to the exported report; each step depends on the previous. */
describe('the app with the keyboard only', () => {
  let app: StartedApp;
  let lab: LocalAgent;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fullhouse-keyboard-'));
    lab = await startLocalAgent({
      binary: localAgentBinary(agentFolder),
      role: 'lab',
      // No console is connected to this lab: it simulates an existing server.
      args: ['--idle-timeout', '10m', '--samples', samplesFolder],
    });
    app = await startApp({ width: 1280, height: 800 });
    await app.find('startLabPull').waitFor();
    await app.page.evaluate(() => {
      addEventListener('pointerdown', () => (document.documentElement.dataset['pressed'] = 'true'), true);
    });
  });
  afterAll(async () => {
    await app?.close();
    await lab?.end(undefined, true);
    await rm(folder, { recursive: true, force: true });
  });

  const press = (key: string): Promise<void> => app.page.keyboard.press(key);
  const type = (text: string): Promise<void> => app.page.keyboard.type(text);
  const hasFocus = (selector: string): Promise<boolean> =>
    app.page.evaluate((of) => document.activeElement?.matches(of) === true, selector);
  /** Reaches an element by Tab, as a person would; fails if it is not in the order. */
  async function tabTo(selector: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    for (let step = 0; step < 80; step += 1) {
      if (await hasFocus(selector)) return;
      await press(key);
    }
    throw new Error(`${selector} was not reached by ${key}.`);
  }
  const id = (of: keyof typeof testIds): string => `[data-testid="${testIds[of]}"]`;
  const retype = async (text: string): Promise<void> => {
    await press('Control+a');
    await type(text);
  };
  const connected = async (): Promise<number> =>
    Number.parseFloat(((await app.page.getByTestId('viewers-connected').textContent()) ?? '').replaceAll(',', ''));

  it('adds a node', async () => {
    await press('n');
    await until('the field has the focus', () => hasFocus(id('addAddress')));
    await type(`http://${lab.listening.http}/whep/cam`);
    await press('Enter');
    await app.page.locator('[data-testid="probe-row"][data-row="server"][data-state="found"]').waitFor();
    await tabTo(id('addName'));
    await retype('origin-1');
    await until('all is probed', async () => (await app.find('probeProgress').textContent()) === 'done');
    await tabTo(id('addSubmit'));
    await press('Enter');
    await app.page.locator('[data-testid="fleet-row"][data-node="origin-1"]').waitFor();
  });

  it('publishes to the lab', async () => {
    // Single keys belong to a field while it has the focus.
    await tabTo(id('consoleTab'), 'Shift+Tab');
    await press('Enter');
    await press('u');
    await app.find('publishDialog').waitFor();
    await tabTo(id('publishNode'));
    await type('lab');
    await tabTo(id('publishStart'));
    await press('Enter');
    await app.find('publishDialog').waitFor({ state: 'hidden' });
  });

  it('pulls 20 viewers', async () => {
    await press('p');
    await app.find('pullDialog').waitFor();
    await tabTo(id('pullOrigin'));
    await type('lab');
    await tabTo(id('pullViewers'));
    await retype('20');
    await tabTo(id('pullHold'));
    await retype('5 min');
    await press('Enter');
    await app.find('pullDialog').waitFor({ state: 'hidden' });
    await until('20 viewers connected', async () => (await connected()) === 20);
  });

  it('reads a chart at a time, as a sentence and as a table', async () => {
    await tabTo('[data-chart="cpu"] [role="application"]');
    await press('ArrowLeft');
    await app.page.getByText(/^values at cursor \d+:\d\d$/).waitFor();
    await until('an announcement', async () =>
      /CPU at \d+:\d\d: .*\d %/.test((await app.find('announcements').textContent()) ?? ''),
    );
    await press('Enter');
    await app.find('chartTable').waitFor();
    expect(await app.find('chartTable').locator('p').first().textContent()).toMatch(
      /^CPU: .*peak [\d.]+ % at \d+:\d\d/,
    );
    await press('Escape');
    await app.find('chartTable').waitFor({ state: 'detached' });
    await app.page.waitForTimeout(600);
    await press('l');
  });

  it('pauses the display while recording continues, and resumes it', async () => {
    await press('h');
    await app.find('pausedChip').waitFor();
    const elapsed = () => app.find('elapsed').innerText();
    const before = await elapsed();
    await app.page.waitForTimeout(2500);
    expect(await elapsed()).toBe(before);
    await press('l');
    await app.find('pausedChip').waitFor({ state: 'detached' });
    await until('the current time', async () => (await elapsed()) !== before);
  });

  it('stops', async () => {
    await press('Escape');
    await press('Escape');
    await app.find('verdict').first().waitFor({ timeout: 60_000 });
    await until('the announced verdict', async () =>
      /Verdict: stopped\./.test((await app.find('announcements').textContent()) ?? ''),
    );
  });

  it('exports the report', async () => {
    const path = join(folder, 'run.html');
    await app.saveTo(path);
    await press('Control+e');
    const report = await until('the report', async () => {
      const text = await readFile(path, 'utf8').catch(() => '');
      return text.endsWith('</html>\n') || text.trimEnd().endsWith('</html>') ? text : undefined;
    });
    expect(report).toContain('viewers: 20');
    expect(await app.page.evaluate(() => document.documentElement.dataset['pressed'])).toBeUndefined();
    expect(app.pageErrors).toEqual([]);
  });
});
