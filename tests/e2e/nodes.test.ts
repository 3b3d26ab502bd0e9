import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localAgentBinary, startLocalAgent, type LocalAgent } from '../../src/engine/links/localAgent';
import { startNginxRtmp, type NginxRtmp, type Publishing } from '../integration/servers/nginxRtmp';
import { startSshd, type Sshd } from '../integration/servers/sshd';
import { agentFolder, samplesFolder } from '../integration/support';
import { startApp, until, type StartedApp } from './app';

/** Three machines, added by address: a tester with SSH only, a WHEP origin, an nginx-rtmp. */
describe('nodes added by their addresses', () => {
  let app: StartedApp;
  let folder: string;
  let sshd: Sshd;
  let lab: LocalAgent;
  let nginx: NginxRtmp;
  let camera: Publishing;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fullhouse-nodes-'));
    [sshd, lab, nginx] = await Promise.all([
      startSshd({ temporaryUser: true }),
      startLocalAgent({
        binary: localAgentBinary(agentFolder),
        role: 'lab',
        // No console is connected to this lab: it simulates an existing server.
        args: ['--idle-timeout', '10m', '--samples', samplesFolder],
      }),
      startNginxRtmp(folder),
    ]);
    camera = nginx.publish('live/studio', 120);
    app = await startApp({ width: 1440, height: 900 });
  });
  afterAll(async () => {
    await app?.close();
    await camera?.end();
    await nginx?.end();
    await lab?.end(undefined, true);
    await sshd?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const row = (name: string) => app.page.locator(`[data-testid="fleet-row"][data-node="${name}"]`);
  const stateOf = (name: string) => row(name).getAttribute('data-state');
  const typed = async (address: string): Promise<void> => {
    await app.find('nodesTab').click();
    await app.find('addAddress').fill(address);
    await app.page.keyboard.press('Enter');
  };
  const name = async (nodeName: string): Promise<void> => {
    await app.find('addName').fill(nodeName);
    await until('all is probed', async () => (await app.find('probeProgress').textContent()) === 'done');
    await app.find('addSubmit').click();
    await row(nodeName).waitFor();
  };

  it('adds a tester by user@host, after confirming its host key', async () => {
    await typed(sshd.address);
    await app.find('addMore').click();
    await app.page.getByTestId('more-keyFile').fill(sshd.keyFile);
    await app.find('hostKeyFingerprint').first().waitFor();
    expect(await app.find('hostKeyFingerprint').first().textContent()).toMatch(/SHA256:/);
    await app.find('hostKeyTrust').click();
    const ssh = app.page.locator('[data-testid="probe-row"][data-row="ssh"][data-state="found"]');
    await ssh.waitFor();
    await name('tester-1');
    await until('it is live', async () => (await stateOf('tester-1')) === 'live');
    expect(existsSync(join(sshd.home, '.cache', 'fullhouse'))).toBe(false);
  });

  it('adds a WHEP origin by a stream address', async () => {
    await typed(`http://${lab.listening.http}/whep/cam`);
    await app.page.locator('[data-testid="probe-row"][data-row="server"][data-state="found"]').waitFor();
    await name('origin-1');
    await until('it is live', async () => (await stateOf('origin-1')) === 'live');
  });

  it('adds an nginx-rtmp by its stat page, and lists its streams', async () => {
    await typed(nginx.url);
    await app.page.locator('[data-testid="probe-row"][data-row="server"][data-state="found"]').waitFor();
    await name('nginx-1');
    await until('it is live', async () => (await stateOf('nginx-1')) === 'live');
    await row('nginx-1').click();
    await app.page.getByText('studio', { exact: true }).first().waitFor();
  });

  it('plays a stream of the nginx over HLS in the control player', async () => {
    const studio = app.page.locator('[data-testid="stream-row"][data-stream="studio"]');
    await until('HLS is served', async () => {
      await studio.hover();
      return (await studio.getByText('Play').count()) > 0;
    });
    // The row itself, since its buttons appear on hover only.
    await studio.dblclick({ position: { x: 40, y: 10 } });
    const video = app.page.getByTestId('player').locator('video');
    await until('frames are shown', async () =>
      video.evaluate((element: HTMLVideoElement) => element.getVideoPlaybackQuality().totalVideoFrames > 10),
    );
    expect(await app.page.getByTestId('player').textContent()).toContain('HLS');
  });

  it('publishes to the origin from the agent of the tester', async () => {
    await app.find('publishButton').click();
    await app.find('publishDialog').waitFor();
    await app.find('publishNode').selectOption('origin-1');
    await app.find('publishProtocol').selectOption('tester-1');
    await app.find('publishStream').fill('cam');
    await app.find('publishStart').click();
    await app.find('publishDialog').waitFor({ state: 'hidden' });
    await app.page.keyboard.press('Escape');
  });

  it('pulls 200 from the origin with the SSH tester', async () => {
    await app.page.keyboard.press('p');
    const dialog = app.find('pullDialog');
    await dialog.waitFor();
    await app.find('pullOrigin').selectOption('origin-1');
    for (const tester of await dialog.getByTestId('pull-tester').all()) {
      const wanted = (await tester.getAttribute('data-node')) === 'tester-1';
      if ((await tester.locator('input').isChecked()) !== wanted) await tester.locator('input').click();
    }
    await app.find('pullStreamName').fill('cam');
    await app.find('pullViewers').fill('200');
    await app.find('pullHold').fill('5 min');
    expect(await app.find('pullYaml').textContent()).toContain(`ssh: "${sshd.address}"`);
    await app.find('pullStart').click();
    await dialog.waitFor({ state: 'hidden' });
    const connected = app.page.getByTestId('viewers-connected');
    await until('200 viewers connected', async () => Number(await connected.textContent()) === 200);
    expect(existsSync(join(sshd.home, '.cache', 'fullhouse'))).toBe(true);
  });

  it('draws figures of all three', async () => {
    await app.page.getByTestId('console-tab').click();
    const readout = (chart: string, node: string) =>
      app.page.locator(`[data-chart="${chart}"] .figure[title="${node}"]`);
    // Origin and nginx are on this machine, whose CPU is one line under its own name.
    for (const name of ['this machine', 'tester-1'])
      await until(`CPU of ${name}`, async () => /\d/.test((await readout('cpu', name).first().textContent()) ?? ''));
    const origin = app.page.locator('[data-testid="node-row"][data-node="origin-1"]');
    await until('CPU beside the name of the origin', async () => /CPU\s*\d/.test((await origin.textContent()) ?? ''));
    await until('viewers of tester-1', async () =>
      /200/.test((await readout('viewers', 'tester-1').first().textContent()) ?? ''),
    );
    // No viewer pulls from it; the run records it anyway.
    const watched = app.page.locator('[data-testid="node-row"][data-node="nginx-1"]');
    expect(await watched.textContent()).toContain('observed');
    await until('traffic of nginx-1', async () =>
      /\d/.test((await readout('bandwidth', 'nginx-1').first().textContent()) ?? ''),
    );
    await app.find('nodesTab').click();
    await until('CPU of nginx-1', async () => /\d/.test((await row('nginx-1').textContent()) ?? ''));
    expect(await stateOf('nginx-1')).toBe('live');
  });

  it('stops, removes the agent, and leaves nothing on the tester', async () => {
    await app.find('consoleTab').click();
    await app.page.keyboard.press('Control+.');
    await until('the run has ended', async () =>
      /stopped/i.test(
        (await app
          .find('verdict')
          .first()
          .textContent()
          .catch(() => '')) ?? '',
      ),
    );
    await app.find('nodesTab').click();
    await row('tester-1').hover();
    await row('tester-1').getByTestId('node-menu').click();
    await app.page.getByText('Remove agent').click();
    await app.find('agentRemove').click();
    await until('the notice that the agent is removed', async () =>
      /no process, file or folder/i.test(
        (await app
          .find('agentRemaining')
          .textContent()
          .catch(() => '')) ?? '',
      ),
    );
    expect(existsSync(join(sshd.home, '.cache', 'fullhouse'))).toBe(false);
    expect(sshd.programs().filter((program) => program.startsWith('fullhouse'))).toEqual([]);
  });

  it('saves the nodes without secrets', async () => {
    const fleet = await readFile(join(app.folder, 'data', 'fleet.yaml'), 'utf8');
    expect(fleet).toContain('tester-1: { tester: ssh');
    expect(fleet).toContain('nginx-1: { server: nginx-rtmp');
    expect(app.pageErrors).toEqual([]);
  });
});
