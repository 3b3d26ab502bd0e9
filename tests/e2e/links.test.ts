import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRunLibrary } from '../../src/engine/store';
import { keepCustomerRun } from '../integration/servers/customerRun';
import { startApp, type StartedApp } from './app';

const plan = `name: From a link
nodes:
  origin: { server: lab }
  audience: { tester: local }
publish: [{ stream: cam, node: origin, source: sample-240p }]
pull: { stream: cam, from: origin, by: [audience], viewers: 7, rate: 10/s, hold: 3s }
`;

/** `fullhouse://` links, as a second start passes them on. */
describe('a link', () => {
  let folder: string;
  let app: StartedApp;
  let run: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fullhouse-links-'));
    await writeFile(join(folder, 'plan.yaml'), plan);
    run = join(folder, 'runs', `${keepCustomerRun(openRunLibrary(join(folder, 'runs')))}.fullhouse`);
    app = await startApp();
    await app.find('pullButton').waitFor();
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Follows a link and answers the question with this button; resolves with what was asked. */
  async function follow(link: string, button: 'Open' | 'Cancel'): Promise<readonly string[]> {
    return app.electron.evaluate(
      async ({ app: electronApp, dialog }, given) => {
        const asked: string[] = [];
        // The overload without a window is not used.
        dialog.showMessageBox = ((
          _window: unknown,
          options: { message: string; detail: string; buttons: string[]; defaultId: number },
        ) => {
          asked.push(options.message, options.detail, options.buttons[options.defaultId] ?? '');
          return Promise.resolve({ response: options.buttons.indexOf(given.button), checkboxChecked: false });
        }) as unknown as typeof dialog.showMessageBox;
        electronApp.emit('second-instance', {}, ['fullhouse', given.link], '/');
        await new Promise((resolve) => setTimeout(resolve, 300));
        return asked;
      },
      { link, button },
    );
  }
  const linkTo = (kind: string, file: string): string => `fullhouse://${kind}?file=${encodeURIComponent(file)}`;
  const notice = (text: RegExp) => app.find('notice').filter({ hasText: text }).waitFor();

  it('is opened only after the question, which shows the path and suggests to cancel', async () => {
    const file = join(folder, 'plan.yaml');
    const [message, detail, suggested] = await follow(linkTo('plan', file), 'Cancel');
    expect(message).toBe('Open the plan "plan.yaml"?');
    expect(detail).toContain(file);
    expect(suggested).toBe('Cancel');
    expect(await app.find('pullDialog').count()).toBe(0);

    await follow(linkTo('plan', file), 'Open');
    await app.find('pullDialog').waitFor();
    await expect.poll(() => app.find('planYamlText').inputValue()).toContain('viewers: 7');
    // Shown, not started.
    expect(await app.find('statePill').textContent()).toMatch(/ready/i);
    await app.page.getByRole('button', { name: 'Cancel' }).click();
    await app.find('pullDialog').waitFor({ state: 'detached' });
  });

  it('opens a run', async () => {
    await follow(linkTo('run', run), 'Open');
    await app.find('closeRun').waitFor();
  });

  it('is refused with a sentence, without a question', async () => {
    expect(await follow('fullhouse://start?file=/p.yaml', 'Open')).toEqual([]);
    await notice(/The link was not opened\. Expected fullhouse:\/\/plan/);
    expect(await follow(linkTo('plan', '/etc/passwd'), 'Open')).toEqual([]);
    await notice(/ends in \.yaml/);
    const gone = join(folder, 'gone.yaml');
    expect(await follow(linkTo('plan', gone), 'Open')).toHaveLength(3);
    await notice(/gone\.yaml was not opened: the file does not exist\./);
  });
});
