import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Plan } from '../../src/domain/model/plan';
import { planToYaml } from '../../src/domain/plan/planText';
import { openRunLibrary } from '../../src/engine/store';
import { samplePlan } from '../support/samplePlan';
import { testView } from '../support/savedRun';
import { startApp, until, type StartedApp } from './app';

/** A server that only counts who connects. */
interface Canary {
  connections: number;
  readonly port: number;
  readonly server: Server;
}

async function canary(): Promise<Canary> {
  const server = createServer((socket) => {
    found.connections += 1;
    socket.on('error', () => undefined).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const found = { connections: 0, port: (server.address() as AddressInfo).port, server };
  return found;
}

/** The run of a stranger, with the real engine: its addresses are those of canaries on loopback. */
describe('a run that another console recorded', () => {
  let folder: string;
  let file: string;
  let plan: Plan;
  let origin: Canary;
  let ssh: Canary;
  let app: StartedApp;

  beforeAll(async () => {
    [origin, ssh] = [await canary(), await canary()];
    folder = await mkdtemp(join(tmpdir(), 'fullhouse-foreign-'));
    plan = samplePlan(
      { from: 'stranger', by: ['loader'], viewers: 3, ratePerSecond: 3, holdMs: 1000, protocol: 'whep' },
      {
        name: 'From a stranger',
        nodes: {
          stranger: { server: 'srs', url: `http://127.0.0.1:${origin.port}` },
          loader: { tester: 'ssh', ssh: `qa@127.0.0.1:${ssh.port}` },
        },
        publish: [],
        expect: {},
      },
    );
    const library = openRunLibrary(join(folder, 'elsewhere'));
    const view = testView('stranger-1', { name: 'From a stranger', plan });
    library.create(view, { version: '0.1.0' }).finish({ ...view, state: 'ended', endedMs: view.startedMs + 5000 });
    file = library.path('stranger-1');
    app = await startApp({ folder });
    await app.find('pullButton').waitFor();
  });
  beforeEach(async () => {
    await app.electron.evaluate(({ dialog }) => {
      const boxes: string[] = [];
      (globalThis as { boxes?: string[] }).boxes = boxes;
      dialog.showMessageBox = ((_window: unknown, options: { message: string; buttons: string[] }) => {
        boxes.push(options.message);
        return Promise.resolve({ response: options.buttons.indexOf('Open'), checkboxChecked: false });
      }) as unknown as typeof dialog.showMessageBox;
    });
  });
  afterAll(async () => {
    await app?.close();
    origin?.server.close();
    ssh?.server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const contacted = (): number => origin.connections + ssh.connections;
  const boxes = (): Promise<string[]> => app.electron.evaluate(() => (globalThis as { boxes?: string[] }).boxes ?? []);
  const fleet = async (): Promise<string> => ((await app.find('nodesTab').textContent()) ?? '').replace(/\D/g, '');
  const close = async (): Promise<void> => {
    await app.page.keyboard.press('Escape');
    await app.find('pullDialog').waitFor({ state: 'detached' });
  };

  /** The dialog lists both nodes as new, and contacts neither, also after it has checked its plan again. */
  async function expectReview(): Promise<void> {
    await until('both nodes', async () => (await app.find('planContact').count()) === 2);
    expect((await app.find('planContact').allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim())).toEqual([
      `stranger new http://127.0.0.1:${origin.port}`,
      `loader new ssh://qa@127.0.0.1:${ssh.port}`,
    ]);
    await app.page.waitForTimeout(3500);
    expect(contacted()).toBe(0);
    expect(await fleet()).toBe('2');
  }

  it('opens without a question, and without contacting anything', async () => {
    await app.openFrom(file);
    await app.page.keyboard.press('Control+o');
    await app.find('runAgain').waitFor();
    expect([contacted(), await boxes(), await fleet()]).toEqual([0, [], '2']);
  });

  it('is listed by Run again before anything is contacted', async () => {
    await app.find('runAgain').click();
    await expectReview();
    await close();
  });

  it('is still foreign with another name, after a restart, and as a copy in the folder', async () => {
    await app.find('runsTab').click();
    await app.find('runRow').first().click();
    await app.page.keyboard.press('F2');
    await app.page.keyboard.type('Mine');
    await app.page.keyboard.press('Enter');
    await app.find('runRow').filter({ hasText: 'Mine' }).waitFor();
    await app.close();
    await copyFile(join(folder, 'runs', 'stranger-1.fullhouse'), join(folder, 'runs', 'copied.fullhouse'));
    app = await startApp({ folder });
    await app.find('runsTab').click();
    await until('both runs', async () => (await app.find('runRow').count()) === 2);
    for (const run of ['stranger-1', 'copied']) {
      await app.find('runsTab').click();
      await app.page.locator(`[data-run="${run}"]`).dblclick();
      await app.find('runAgain').click();
      await until('both nodes', async () => (await app.find('planContact').count()) === 2);
      await close();
    }
    expect(contacted()).toBe(0);
  });

  it('has a plan that a link opens listed in the same way', async () => {
    const path = join(folder, 'plan.yaml');
    await writeFile(path, planToYaml(plan));
    await app.electron.evaluate(
      ({ app: electronApp }, link) => {
        electronApp.emit('second-instance', {}, ['fullhouse', link], '/');
      },
      `fullhouse://plan?file=${encodeURIComponent(path)}`,
    );
    await expectReview();
  });

  it('starts by the button of the dialog: its nodes are added and contacted', async () => {
    await app.find('pullStart').click();
    await until('connections', () => Promise.resolve(origin.connections > 0 && ssh.connections > 0));
    await until('both nodes in the fleet', async () => (await fleet()) === '4', 10_000);
    await app.page.keyboard.press('Control+.');
    await app.find('verdict').first().waitFor({ timeout: 60_000 });
  });
});

/** The ordinary path, counted: from the library of this console with its own nodes. */
describe('a run of this console', () => {
  let app: StartedApp;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fullhouse-own-'));
    app = await startApp({ folder });
  });
  afterAll(async () => {
    await app?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('runs again by one click, also after a restart: no dialog of the window or of the system', async () => {
    await app.find('startLabPull').click();
    await until('viewers', async () => Number(await app.find('viewersConnected').textContent()) > 0);
    await app.page.keyboard.press('Control+.');
    await app.find('runAgain').waitFor();
    await app.close();
    app = await startApp({ folder });
    await app.electron.evaluate(({ dialog }) => {
      const boxes: string[] = [];
      (globalThis as { boxes?: string[] }).boxes = boxes;
      dialog.showMessageBox = ((_window: unknown, options: { message: string }) => {
        boxes.push(options.message);
        return Promise.resolve({ response: 1, checkboxChecked: false });
      }) as unknown as typeof dialog.showMessageBox;
    });
    await app.find('runsTab').click();
    await app.find('runRow').first().dblclick();
    await app.find('runAgain').click();
    await until('the run', async () => (await app.page.getByTestId('job-row').count()) > 0);
    expect(await app.page.locator('dialog[open]').count()).toBe(0);
    expect(await app.electron.evaluate(() => (globalThis as { boxes?: string[] }).boxes)).toEqual([]);
    await app.page.keyboard.press('Control+.');
    await app.find('verdict').first().waitFor({ timeout: 60_000 });
  });
});
