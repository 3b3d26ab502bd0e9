import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { foreignYaml, longYaml } from './foreignPlan';
import { windowTest, type WindowPage } from './windowPage';

/** What starts at once, and what is listed before it may start. */
let window: WindowPage;
const pictures = process.env['FULLHOUSE_PICTURES'];

windowTest.beforeAll(({ windowPage }) => {
  window = windowPage;
});

const starts = (): Promise<string[][]> =>
  window.page.evaluate(() => (globalThis as unknown as { starts: string[][] }).starts);
const texts = async (id: Parameters<WindowPage['find']>[0]): Promise<string[]> =>
  (await window.find(id).allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim());
const dialogs = (): Promise<number> => window.page.locator('dialog[open]').count();

/** Opens a saved run; it is foreign with `foreign`. */
async function openRun(query = ''): Promise<void> {
  await window.show(`scenario=fail256${query}`);
  await window.find('runsTab').click();
  await window.page.locator('[data-run="run-5"]').dblclick();
  await window.find('runAgain').waitFor();
}

async function command(name: string): Promise<void> {
  await window.page.keyboard.press('Control+k');
  await window.find('palette').waitFor();
  await window.page.keyboard.type(name);
  await window.page.keyboard.press('Enter');
}

async function picture(name: string, width: number, height: number): Promise<void> {
  if (!pictures) return;
  await mkdir(pictures, { recursive: true });
  await window.resize(width, height);
  await window.page.screenshot({ path: join(pictures, `${name}-${width}.png`) });
}

/** Each way from a saved run to a start. */
const ways: ReadonlyArray<readonly [string, () => Promise<void>]> = [
  ['Run again', () => window.find('runAgain').click()],
  ['the palette', () => command('run again as is')],
  ['Find the limit', () => window.find('findLimit').click()],
  ['Find the limit of the palette', () => command('find the limit with')],
  [
    'Estimate',
    async () => {
      await window.find('estimateButton').click();
      await window
        .find('estimateDialog')
        .getByRole('button', { name: /^Calibrate/ })
        .click();
      await window.find('calibrationStart').click();
    },
  ],
];

describe('a run that another console recorded', () => {
  it('lists all of its plan before it starts, whichever way leads to the start', async () => {
    await openRun('&foreign');
    for (const [name, act] of ways) {
      await act();
      await window.find('planReview').waitFor();
      await expect.poll(() => texts('planContact'), { message: name }).toHaveLength(6);
      expect(await starts(), name).toEqual([]);
      while ((await dialogs()) > 0) {
        const open = await dialogs();
        await window.page.keyboard.press('Escape');
        await expect.poll(dialogs, { message: name }).toBeLessThan(open);
      }
    }
  });

  it('shows every address, program and file, with new nodes marked, and starts only by its button', async () => {
    await openRun('&foreign');
    await window.find('runAgain').focus();
    // Held down: the same press must not also start the plan.
    await window.page.keyboard.down('Enter');
    await window.find('planReview').waitFor();
    for (let i = 0; i < 10; i += 1) await window.page.keyboard.down('Enter');
    await window.page.keyboard.up('Enter');
    await expect
      .poll(() => texts('planContact'))
      .toEqual([
        'origin new http://203.0.113.20:8081 ssh://ops@203.0.113.20',
        'tester-1 new ssh://gate@203.0.113.5 ssh://ops@203.0.113.31:2222',
        'tester-2 new ssh://ops@203.0.113.32',
        'pods new pods of a cluster',
        'TURN server new turn:203.0.113.40:3478',
        'local this machine',
      ]);
    expect(await texts('planSummary')).toEqual([
      'Programs 2 · Files 3 · Secrets 1 · Network 1 · Clusters 1 · New nodes 5',
    ]);
    const items = (await texts('planItem')).join('\n');
    for (const told of [
      'run "./prepare.sh" "--all" on this machine',
      'run AWS_PROFILE="load" "./aws-iam-authenticator" "token" "-i" "load" on this machine',
      'private key "/home/qa/.ssh/id_ed25519"',
      'read the kubeconfig "customer.yaml"',
      'send each line of "/home/qa/tokens.txt"',
      'https://hooks.example/runs',
      'create 4 pods of the image "registry.example/agent:1" in the namespace "load"',
      'send $secret:turn to turn:203.0.113.40:3478',
    ])
      expect(items).toContain(told);
    // The fields would replace the nodes of the plan by those of the fleet.
    expect(await window.find('pullViewers').count()).toBe(0);
    expect(await window.find('pullDialog').locator('header').first().textContent()).toContain('from origin');
    for (const theme of ['dark', 'light']) {
      await window.page.evaluate((next) => (document.documentElement.dataset['theme'] = next), theme);
      await picture(`run-again-${theme}`, 1280, 800);
      await picture(`run-again-${theme}`, 1920, 1080);
    }
    await window.find('pullStart').click();
    await expect.poll(starts).toHaveLength(1);
    expect((await starts())[0]?.sort()).toEqual([
      'http://203.0.113.20:8081',
      'ssh://gate@203.0.113.5',
      'ssh://ops@203.0.113.20',
      'ssh://ops@203.0.113.31:2222',
      'ssh://ops@203.0.113.32',
      'turn:203.0.113.40:3478',
    ]);
  });
});

describe('a list of nodes that is dropped', () => {
  const drop = (text: string): Promise<void> =>
    window.page.evaluate((content) => {
      const data = new DataTransfer();
      data.items.add(new File([content], 'fleet.yaml'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }, text);

  it('is listed before its nodes are added; nodes of the fleet are not', async () => {
    await window.show('idle=watching');
    const list = 'nodes:\n  fresh: { tester: ssh, ssh: "qa@203.0.113.9" }\n  lab: { server: lab }\n';
    await drop(list);
    await expect.poll(() => texts('planContact')).toEqual(['fresh new ssh://qa@203.0.113.9', 'lab this machine']);
    expect(await texts('notice')).toEqual([]);
    await window.page.keyboard.press('Escape');
    await window.find('nodesReview').waitFor({ state: 'detached' });
    expect(await texts('notice')).toEqual([]);
    await drop(list);
    await window.find('nodesReviewAdd').click();
    await window.find('notice').filter({ hasText: 'Added fresh' }).waitFor();
    await drop('nodes:\n  lab: { server: lab }\n');
    await window.find('notice').filter({ hasText: 'No node was added.' }).waitFor();
    expect(await dialogs()).toBe(0);
  });
});

describe('a run of this console with nodes of its fleet', () => {
  it.each(ways)('starts without a dialog: %s', async (_name, act) => {
    await openRun();
    await act();
    await expect.poll(starts).toEqual([[]]);
    expect(await dialogs()).toBe(0);
  });
});

describe('a plan that is opened as text', () => {
  beforeEach(() => window.show('idle=watching'));
  const open = (text: string): Promise<void> => window.sendShellEvent('planOpened', { name: 'p.yaml', text });

  it('has its new nodes and what it does listed', async () => {
    await open(foreignYaml);
    await expect.poll(() => texts('planContact')).toHaveLength(6);
    expect(await starts()).toEqual([]);
    // Nodes of the fleet only: nothing to list.
    await open(
      'name: Own\nnodes:\n  lab: { server: lab }\n  local: { tester: local }\npull: { stream: cam, from: lab, by: [local], viewers: 7, rate: 7/s, hold: 1m }\n',
    );
    await expect.poll(() => window.find('planYamlText').inputValue()).toContain('viewers: 7');
    await expect.poll(() => window.find('pullStart').isEnabled()).toBe(true);
    expect(await window.find('planReview').count()).toBe(0);
  });

  it('lists a hundred nodes with long names and addresses within the dialog', async () => {
    await open(longYaml);
    await expect.poll(() => texts('planContact')).toHaveLength(101);
    for (const [width, height] of [
      [1280, 800],
      [1920, 1080],
      [640, 500],
    ] as const) {
      await window.resize(width, height);
      const { overflow, startVisible } = await window.find('planReview').evaluate((section) => ({
        overflow: section.scrollWidth - section.clientWidth,
        startVisible: section.scrollHeight > section.clientHeight,
      }));
      expect({ overflow, startVisible }).toEqual({ overflow: 0, startVisible: true });
      await window.find('pullStart').click({ trial: true });
      await picture('many-nodes', width, height);
    }
    // By keys: the list has the focus.
    await window.page.keyboard.press('End');
    await expect.poll(() => window.find('planReview').evaluate((section) => section.scrollTop)).toBeGreaterThan(100);
  });

  it('is listed again when its text is edited, before it may start', async () => {
    await open(foreignYaml);
    await expect.poll(() => texts('planContact')).toHaveLength(6);
    await window.find('planYamlText').fill(foreignYaml.replace('203.0.113.32', '203.0.113.99'));
    await expect.poll(async () => (await texts('planContact')).join(' ')).toContain('ssh://ops@203.0.113.99');
    await window.find('pullStart').click();
    await expect.poll(async () => (await starts())[0]).toContain('ssh://ops@203.0.113.99');
    expect((await starts())[0]).not.toContain('ssh://ops@203.0.113.32');
  });
});
