import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSshd, type Sshd } from '../integration/servers/sshd';
import { startApp, until, type StartedApp } from './app';

/** Lowers the open-files limit of a user's running agent without its knowledge. */
function lowerOpenFiles(user: string, files: number): void {
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  const pids = execFileSync('pgrep', ['-u', user, '-f', 'fullhouse-agent'], { encoding: 'utf8' }).trim();
  // As the user itself: root may lack the permission in a container.
  const as = { uid: idOf('-u'), gid: idOf('-g') };
  for (const pid of pids.split('\n')) execFileSync('prlimit', ['--pid', pid, `--nofile=${files}:${files}`], as);
}

/**
 * A tester without the capacity for its audience: its open-files limit is lower than at start. The resulting failures
 * are marked tester-limited, and one button runs the same over it and this machine, which has headroom for half of the
 * audience.
 */
describe('a tester-limited run', () => {
  let app: StartedApp;
  let sshd: Sshd;

  beforeAll(async () => {
    sshd = await startSshd({ temporaryUser: true });
    app = await startApp({ width: 1440, height: 900 });
  });
  afterAll(async () => {
    await app?.close();
    await sshd?.stop();
  });

  const text = async (id: Parameters<StartedApp['find']>[0]): Promise<string> =>
    ((await app.find(id).first().textContent()) ?? '').replace(/\s+/g, ' ').trim();
  const verdict = (): Promise<string> =>
    app
      .find('verdict')
      .first()
      .textContent()
      .then((word) => word ?? '');
  const row = (name: string) => app.page.locator(`[data-testid="node-row"][data-node="${name}"]`);

  const playsHalves = async (): Promise<boolean> =>
    (await app.find('jobRow').allTextContents()).filter((job) => /100\s*\/\s*100/.test(job)).length === 2;

  /** Pulls from the lab of this machine with `tester-1` only. */
  async function pull(viewers: string, hold: string): Promise<void> {
    await app.find('pullButton').click();
    const dialog = app.find('pullDialog');
    await dialog.waitFor();
    for (const tester of await dialog.getByTestId('pull-tester').all()) {
      const isWanted = (await tester.getAttribute('data-node')) === 'tester-1';
      if ((await tester.locator('input').isChecked()) !== isWanted) await tester.locator('input').click();
    }
    await app.find('pullViewers').fill(viewers);
    await app.find('pullRate').fill('50');
    await app.find('pullHold').fill(hold);
    // Load of this machine and its effect on viewers are not under test.
    for (const id of ['degraded', 'cpu', 'gcPause']) await app.page.getByTestId(`pull-expect-${id}`).fill('');
    await until('the plan can be used', async () => !(await app.find('pullStart').isDisabled()));
    await app.find('pullStart').click();
    await dialog.waitFor({ state: 'hidden' });
  }

  it('adds the tester and runs a few viewers on it', async () => {
    await app.find('nodesTab').click();
    await app.find('addAddress').fill(sshd.address);
    await app.page.keyboard.press('Enter');
    // By key: probe results move the button during the click.
    await app.find('addMore').press('Enter');
    await app.page.getByTestId('more-keyFile').fill(sshd.keyFile);
    await app.find('hostKeyFingerprint').first().waitFor();
    await app.find('hostKeyTrust').click();
    await app.page.locator('[data-testid="probe-row"][data-row="ssh"][data-state="found"]').waitFor();
    // Rows still being probed move the click target.
    await app.page.locator('[data-testid="probe-row"][data-state="probing"]').first().waitFor({ state: 'detached' });
    await app.find('addName').fill('tester-1');
    await until('it can be added', async () => !(await app.find('addSubmit').isDisabled()));
    await app.find('addSubmit').click();
    await app.page.locator('[data-testid="fleet-row"][data-node="tester-1"]').waitFor();
    await app.find('consoleTab').click();
    await pull('5', '1 s');
    await app.find('verdict').first().waitFor();
    expect(await text('viewersConnected')).toBe('5');
    expect(await app.find('split').count()).toBe(0);
  });

  it('marks an active run as tester-limited', async () => {
    lowerOpenFiles(sshd.user, 190);
    await pull('200', '5 s');
    await app.find('limitedNotice').waitFor();
    expect(await text('splitButton')).toBe('Restart with one more tester, 100 each');
    await until('the mark in its row', async () => (await row('tester-1').textContent())?.includes('limited'));
    expect(await text('failures')).toMatch(/\btester \d/);
  });

  it('is inconclusive, and offers one more tester', async () => {
    await app.find('verdict').first().waitFor();
    expect(await verdict()).toBe('inconclusive');
    expect(await text('degraded')).toContain('tester-limited');
    // A busy machine may have lacked CPU as well.
    expect((await app.find('reason').allTextContents()).join('\n')).toContain('ran out of open files');
    expect(await text('split')).toContain('Split over one more tester');
    expect(await text('splitButton')).toBe('Add one tester, 100 each');
    expect(await text('splitTesters')).toContain('Adds local');
    expect(await app.find('chartLegend').count()).toBe(1);
    await app.find('failures').getByRole('button').click();
    expect(await text('failuresPopover')).toContain('The tester ran out of open files');
    await app.page.keyboard.press('Escape');
    // The same with the keyboard.
    await app.page.keyboard.press('Control+k');
    await app.page.keyboard.type('one tester');
    await app.find('palette').getByText('Add one tester, 100 each').waitFor();
    await app.page.keyboard.press('Escape');
  });

  it('runs again over both testers, with all viewers connected', async () => {
    await app.find('splitButton').click();
    await app.find('verdict').first().waitFor({ state: 'detached' });
    for (const name of ['tester-1', 'local']) await row(name).waitFor();
    await until('each plays a half', playsHalves);
    await app.find('verdict').first().waitFor();
    expect(await text('viewersConnected')).toBe('200');
    await app.page.getByText('tester-1, local, 100 each').waitFor();
    expect(await app.find('split').count()).toBe(0);
  });

  it('does the same during a run: disconnects all viewers, then starts', async () => {
    await pull('200', 'until stopped');
    const split = app.find('limitedNotice').getByTestId('split-button');
    await split.waitFor();
    // The button's keyboard shortcut.
    await app.page.keyboard.press('Control+Enter');
    await until('each plays a half', playsHalves);
    await app.page.keyboard.press('Control+.');
    await app.find('verdict').first().waitFor();
    expect(await text('viewersRequested')).toBe('/ 200');
    expect(app.pageErrors).toEqual([]);
  });
});
