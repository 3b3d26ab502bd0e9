import { beforeAll, describe, expect, it } from 'vitest';
import { testIds } from '../../src/renderer/ui/testIds';
import { windowTest, type WindowPage } from './windowPage';

/** The window with an engine of known figures. */
let window: WindowPage;

windowTest.beforeAll(({ windowPage }) => {
  window = windowPage;
});

const text = async (id: Parameters<WindowPage['find']>[0]): Promise<string> =>
  ((await window.find(id).first().textContent()) ?? '').replace(/\s+/g, ' ').trim();

describe('an active run', () => {
  beforeAll(() => window.show('scenario=pull742'));

  it('has its figures in the headline', async () => {
    await expect.poll(() => text('viewersConnected')).toBe('742');
    expect(await text('phaseChip')).toBe('ramp 2 of 2');
    expect(await text('degraded')).toBe('Degraded 23 3.1 % limit 1 % · origin counts 19');
    expect(await text('rate')).toContain('target 10 /s');
    expect(await text('elapsed')).toContain('2:56 left of 5:00');
  });

  it('shows why viewers failed, and jumps to the time', async () => {
    await window.find('failures').getByRole('button').click();
    const popover = window.find('failuresPopover');
    expect(await popover.textContent()).toContain('No candidate pair responded in time');
    await popover.getByRole('button', { name: /viewer 688/ }).click();
    await window.page.keyboard.press('Escape');
    await popover.waitFor({ state: 'detached' });
    await window.page.getByText('values at cursor 1:52').waitFor();
  });

  it('moves the crosshair to an event, and highlights its row', async () => {
    const row = window.find('eventRow').filter({ hasText: 'Picture stalled' });
    await row.click();
    await window.page.locator('[data-testid="event-row"].highlighted').filter({ hasText: 'Picture stalled' }).waitFor();
  });

  it('isolates a node by a click and by its key', async () => {
    const node = window.page.locator('[data-node="tester-1"]');
    await node.click();
    expect(await node.getAttribute('aria-pressed')).toBe('true');
    await window.page.keyboard.press('2');
    expect(await node.getAttribute('aria-pressed')).toBe('false');
  });

  it('keeps its player while the runs are shown: its recording must not be interrupted', async () => {
    const video = window.page.locator('[data-testid="player"] video');
    await video.evaluate((element: HTMLElement) => (element.dataset['before'] = 'yes'));
    await window.find('runsTab').click();
    await window.find('runsFilter').waitFor();
    await window.find('consoleTab').click();
    await window.find('runsFilter').waitFor({ state: 'detached' });
    expect(await video.getAttribute('data-before')).toBe('yes');
  });

  it('lists viewers, sorted, without rendering a thousand rows', async () => {
    await window.page.keyboard.press('v');
    const rows = window.find('viewerRow');
    await rows.first().waitFor();
    expect(await rows.count()).toBeLessThan(60);
    await window.find('viewersDialog').getByRole('button', { name: 'Connect', exact: true }).click();
    await window.find('viewersDialog').getByRole('button', { name: 'failed', exact: true }).click();
    expect(await rows.first().textContent()).toContain('failed at ICE');
    const text = async (): Promise<string> => (await window.find('viewerDetail').textContent()) ?? '';
    await rows.first().click();
    await expect.poll(text).toContain('Failed: no candidate pair responded in time');
    expect(await text()).toContain('4 pairs checked, no answer within 5 s.');
    await window.find('viewersDialog').getByRole('button', { name: 'degraded', exact: true }).click();
    // By keyboard only: to the next row, and open it.
    await rows.first().focus();
    await window.page.keyboard.press('ArrowDown');
    await window.page.keyboard.press('Enter');
    await expect.poll(text).toContain('ICE candidate pair');
    expect(await text()).toMatch(/Local\s*10\.0\.0\.11:\d+, host/);
    expect(await text()).toContain('0xabcdef01');
    expect(await text()).toContain('Degraded: stall');
    await window.find('viewerDetail').getByRole('button', { name: 'Close details' }).click();
    await window.find('viewerDetail').waitFor({ state: 'detached' });
    await window.page.locator('[data-testid="viewer-row"]:focus').waitFor();
    await window.page.keyboard.press('Escape');
    await window.find('viewersDialog').waitFor({ state: 'detached' });
  });

  it('lists the publishers of a job with the figures of each', async () => {
    await window.find('jobPublishers').click();
    const rows = window.find('publisherRow');
    const dialog = window.find('publishersDialog');
    await rows.first().waitFor();
    expect(await dialog.textContent()).toContain('40 publishers');
    // Rates take two readings.
    await expect.poll(() => rows.first().textContent(), { timeout: 10_000 }).toMatch(/live\s*17\d\s*kbit\/s\s*2[45]/);
    await dialog.getByRole('button', { name: 'failed', exact: true }).click();
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.textContent()).toContain('failed: The server refused the stream');
    await window.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('stops with Esc Esc, counts down and then offers Force', async () => {
    await window.page.keyboard.press('Escape');
    await window.page.keyboard.press('Escape');
    await window.find('stopAll').filter({ hasText: 'Stopping, 412 left' }).waitFor();
    await window.find('stopAll').filter({ hasText: 'Force, 412 left' }).waitFor();
  });
});

describe('Escape during a run', () => {
  beforeAll(() => window.show('scenario=pull742'));
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await window.page.keyboard.press(key);
  };
  const isStopping = async (): Promise<boolean> =>
    /Stopping|Force/.test((await window.find('stopAll').last().textContent()) ?? '');
  const open = (): Promise<number> =>
    window.page.evaluate(() => document.querySelectorAll('dialog[open], [data-escape-layer]').length);

  it('closes nested dialogs one by one, and stops nothing', async () => {
    await press('p');
    await window.find('pullPreflight').click();
    await window.find('preflightDialog').waitFor();
    await press('Escape');
    await window.find('preflightDialog').waitFor({ state: 'detached' });
    await window.find('pullDialog').waitFor();
    await window.find('pullPreflight').click();
    await window.find('preflightDialog').waitFor();
    await press('Escape', 'Escape');
    await window.find('pullDialog').waitFor({ state: 'detached' });
    expect(await isStopping()).toBe(false);
  });

  it('closes the palette, a menu, a popover, a full chart and a note, and stops nothing', async () => {
    const layers: ReadonlyArray<readonly [string, () => Promise<void>]> = [
      ['palette', () => press('Control+k')],
      ['popover', () => window.find('failures').getByRole('button').click()],
      ['menu', () => window.page.locator('[data-chart="viewers"] header button').last().click()],
      ['full chart', () => press('f')],
    ];
    for (const [name, openLayer] of layers) {
      await openLayer();
      await expect.poll(open, { message: name }).toBe(1);
      await press('Escape', 'Escape');
      await expect.poll(open, { message: name }).toBe(0);
      expect(await isStopping(), name).toBe(false);
      // The second press was the first of another pair, which another key ends.
      await press('Shift');
    }
    await press('m');
    await window.find('noteField').waitFor();
    await press('Escape', 'Escape');
    await window.find('noteField').waitFor({ state: 'detached' });
    expect(await isStopping()).toBe(false);
  });

  it('leaves the focus to a note that opens in the same frame as a chart leaves its full size', async () => {
    await press('f');
    await expect.poll(open).toBe(1);
    await window.page.evaluate(() => {
      for (const key of ['Escape', 'm'])
        (document.activeElement ?? document.body).dispatchEvent(
          new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
        );
    });
    await expect
      .poll(() => window.page.evaluate(() => document.querySelectorAll('[data-escape-layer]').length))
      .toBe(0);
    await window.page.waitForTimeout(100);
    expect(await window.find('noteField').count()).toBe(1);
    await press('Escape', 'Escape');
    await window.find('noteField').waitFor({ state: 'detached' });
    await press('Shift');
    expect(await isStopping()).toBe(false);
  });

  it('leaves Stop usable in every dialog: a button, and Ctrl .', async () => {
    for (const [key, dialog] of [
      ['p', 'pullDialog'],
      ['Control+k', 'palette'],
      ['i', 'multiview'],
      ['?', 'keysDialog'],
      ['Control+,', 'settingsDialog'],
    ] as const) {
      await press(key);
      const stop = window.find(dialog).getByTestId(testIds.stopAll);
      // Visible, not covered and not inert: a trial click waits for all of that.
      await stop.click({ trial: true });
      if (dialog === 'keysDialog')
        expect(await window.find(dialog).textContent()).toMatch(
          /Stop all\s*Esc Esc\s*Stop all, also in dialogs\s*Ctrl \./,
        );
      if (dialog !== 'settingsDialog') await press('Escape');
    }
    await press('Control+.');
    await window
      .find('settingsDialog')
      .getByTestId(testIds.stopAll)
      .filter({ hasText: 'Stopping, 412 left' })
      .waitFor();
    await press('Escape');
    await window.find('settingsDialog').waitFor({ state: 'detached' });
    expect(await isStopping()).toBe(true);
  });
});

describe('a pull beyond the limit', () => {
  beforeAll(() => window.show('idle=watching'));

  it('is refused under its field, and fixed by the button beside it', async () => {
    await window.page.keyboard.press('p');
    await window.find('pullViewers').fill('13000');
    await window.find('pullProblem').filter({ hasText: 'can play 12,000 viewers' }).waitFor();
    expect(await window.find('pullStart').isDisabled()).toBe(true);
    await window.find('pullFixUnit').click();
    await window.find('pullProblem').waitFor({ state: 'detached' });
    await expect.poll(() => window.find('pullYaml').textContent()).toContain('viewers: 12000');
    await window.find('pullExpectedMbps').filter({ hasText: '2,040' }).waitFor();
  });

  it('requires a unit', async () => {
    await window.find('pullHold').fill('90');
    await window.find('pullFixUnit').filter({ hasText: 'Use 90 s' }).click();
    expect(await window.find('pullHold').inputValue()).toBe('90 s');
    await window.page.keyboard.press('Escape');
    await window.find('pullDialog').waitFor({ state: 'detached' });
  });
});

describe('saved runs', () => {
  beforeAll(() => window.show('scenario=fail256'));

  it('are filtered by verdict and by text', async () => {
    await window.find('runsTab').click();
    await window.find('verdictFilter').getByRole('button', { name: /^Fail/ }).click();
    expect(await window.find('runRow').count()).toBe(2);
    await window.page.keyboard.press('/');
    await window.find('runsFilter').fill('before');
    expect(await window.find('runRow').count()).toBe(1);
  });

  it('show the error of a damaged file', async () => {
    await window.find('runsFilter').fill('');
    await window
      .find('verdictFilter')
      .getByRole('button', { name: /^Damaged/ })
      .click();
    expect(await text('runRow')).toContain('it was not copied to its end');
  });

  it('are deleted and restored', async () => {
    await window
      .find('verdictFilter')
      .getByRole('button', { name: /^Stopped/ })
      .click();
    await window.find('runRow').click();
    await window.find('runMenu').click();
    await window.find('runDelete').click();
    await window.find('runRow').waitFor({ state: 'detached' });
    await window.find('undo').click();
    await window
      .find('verdictFilter')
      .getByRole('button', { name: /^Stopped/ })
      .click();
    await window.find('runRow').waitFor();
  });

  it('are selected, renamed and deleted by keyboard only', async () => {
    const { page } = window;
    await window.find('verdictFilter').getByRole('button', { name: /^All/ }).click();
    await page.keyboard.press('/');
    await window.find('runsFilter').fill('before');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('F2');
    await page.keyboard.type('Named before');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Saved runs' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('/');
    // Esc clears the filter, the arrow returns to the list.
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowDown');
    await page.locator('tr[aria-selected="true"]').filter({ hasText: 'Named before' }).waitFor();
    await page.keyboard.press('Delete');
    await window.find('runRow').filter({ hasText: 'Named before' }).waitFor({ state: 'detached' });
    await window.find('undo').last().click();
    await window.find('runRow').filter({ hasText: 'Named before' }).waitFor();
  });

  it('open with their verdict, whose reasons jump to their times', async () => {
    await window.find('verdictFilter').getByRole('button', { name: /^All/ }).click();
    await window.page.locator('[data-run="run-5"]').dblclick();
    await window
      .find('verdict')
      .filter({ hasText: /^\s*fail\s*$/i })
      .waitFor();
    await window.find('reason').nth(2).click();
    await window.page.getByText('values at cursor 2:31').waitFor();
    expect(await window.page.locator('[data-testid="reason"].highlighted').textContent()).toContain('48.2 ms');
  });
});

describe('a popup menu', () => {
  it('is navigated by arrow keys and closed by Escape, which restores the focus', async () => {
    const { page } = window;
    await window.find('exportMenu').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-testid="export-html"]:focus').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('[data-testid="export-pdf"]:focus').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.locator('[data-testid="export-snapshot"]:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-testid="export-menu"]:focus').waitFor();
  });
});

describe('adding a node', () => {
  beforeAll(() => window.show('scenario=fleet742'));
  const row = (name: string) => window.page.locator(`[data-testid="fleet-row"][data-node="${name}"]`);
  const type = async (address: string): Promise<void> => {
    await window.page.keyboard.press('n');
    await window.page.locator('[data-testid="add-address"]:focus').waitFor();
    await window.find('addAddress').fill(address);
  };

  it('shows probe results live, with capabilities', async () => {
    await type('qa@10.20.0.7');
    await window.page.locator('[data-row="server"][data-state="found"]').filter({ hasText: 'SRS 7.0.18' }).waitFor();
    await window.page.locator('[data-row="clock"][data-state="probing"]').filter({ hasText: '4 / 10' }).waitFor();
    expect(await window.find('probeRow').count()).toBe(8);
    expect(await text('probeProgress')).toBe('probing, 2.1 s');
    await window.page.getByRole('region', { name: 'Capabilities' }).getByText('HTTP-FLV').first().waitFor();
  });

  it('adds it for both roles by keyboard only, during the probe', async () => {
    await window.find('addRole').getByRole('button', { name: 'Both' }).press('Enter');
    await window.find('addAddress').focus();
    await window.page.keyboard.press('Enter');
    await row('srs-7').waitFor();
    await row('srs-7-tester').waitFor();
    expect(await row('srs-7').getAttribute('aria-selected')).toBe('true');
    expect(await window.find('addAddress').inputValue()).toBe('');
    expect(await text('nodesTab')).toBe('Nodes9');
  });

  it('requests credentials with the reason', async () => {
    await type('livekit.example');
    await window.find('probeNeeds').getByText('tells its rooms only to who has a key').waitFor();
    expect(await window.page.getByTestId('need-apiSecret').getAttribute('type')).toBe('password');
    await window.page.getByTestId('need-apiKey').fill('key');
    await window.page.getByTestId('need-apiSecret').fill('secret');
    await window.page.locator('[data-row="server"]').filter({ hasText: 'LiveKit 1.11' }).waitFor();
    await window.page.keyboard.press('Enter');
    await row('livekit-1').waitFor();
  });

  it('offers a choice of servers, and keeps the input if a name is in use', async () => {
    await type('two.example');
    await window.find('addServer').getByRole('radio').nth(1).check();
    await window.find('addName').fill('tester-1');
    await window.page.getByText('A node "tester-1" already exists.').waitFor();
    expect(await window.find('addSubmit').isDisabled()).toBe(true);
    await window.find('addName').fill('nginx-2');
    await window.find('addSubmit').click();
    await row('nginx-2').waitFor();
  });

  it('requests confirmation of an unknown host key once', async () => {
    await type('new.example');
    expect(await text('hostKeyFingerprint')).toContain('SHA256:pL6yQ0cY');
    await window.find('hostKeyTrust').click();
    await window.find('hostKey').waitFor({ state: 'detached' });
    await window.page.locator('[data-row="ssh"][data-state="found"]').waitFor();
    await window.page.keyboard.press('Escape');
  });

  it('reports an invalid address', async () => {
    await type('two words');
    await window.page.keyboard.press('Enter');
    await window.find('addProblem').filter({ hasText: "An address can't contain spaces." }).waitFor();
    await window.find('addAddress').press('Escape');
    await window.find('addProblem').waitFor({ state: 'detached' });
  });
});

describe('publishing from the window', () => {
  beforeAll(async () => {
    await window.show('scenario=fleet742');
    await window.page.keyboard.press('u');
    await window.find('publishDialog').waitFor();
  });
  const choose = (source: string): Promise<void> =>
    window.find('publishDialog').getByText(source, { exact: true }).click();
  const to = (node: string): Promise<unknown> => window.find('publishNode').selectOption({ label: node });
  const summary = (): Promise<string> => text('publishSummary');

  it('has the settings in one line, and says why some are not possible', async () => {
    await to('livekit-eu');
    await choose('Test pattern');
    expect(await summary()).toBe('H.264 · 640 × 360 · 25 fps · max 800 kbit/s · Opus');
    await window.find('publishMedia').locator('summary').click();
    await window.find('publishCodec').getByText('VP8').click();
    await window.find('publishSize').selectOption('1280x720');
    await window.find('publishFps').selectOption('30');
    await window.find('publishLayers').getByText('3 layers').click();
    await window.find('publishAudio').getByText('Off').click();
    expect(await summary()).toBe('VP8 · 1280 × 720 · 30 fps · max 1,500 kbit/s · 3 layers · no audio');

    await to('nginx-old');
    expect(await summary()).toBe('H.264 · 1280 × 720 · 30 fps · max 1,500 kbit/s · no audio');
    const dialog = window.find('publishDialog');
    expect(await dialog.getByRole('button', { name: 'VP8' }).isDisabled()).toBe(true);
    await dialog.getByText('Over RTMP ffmpeg repackages H.264 only.').waitFor();
    await dialog.getByText('Simulcast needs WHIP or LiveKit, not RTMP.').waitFor();
    // What was chosen returns with a server that takes it.
    await to('livekit-eu');
    expect(await summary()).toContain('VP8 · 1280 × 720 · 30 fps · max 1,500 kbit/s · 3 layers');
  });

  it('waits for a valid bitrate, and for a file', async () => {
    await window.find('publishKbps').fill('20');
    expect(await window.find('publishStart').isDisabled()).toBe(true);
    await window.find('publishKbps').fill('2,000');
    expect(await summary()).toContain('max 2,000 kbit/s');
    expect(await window.find('publishStart').isDisabled()).toBe(false);
    await choose('Video file');
    expect(await window.find('publishStart').isDisabled()).toBe(true);
    await window
      .find('publishFile')
      .setInputFiles({ name: 'clip.mp4', mimeType: 'video/mp4', buffer: Buffer.from('') });
    expect(await window.find('publishStart').isDisabled()).toBe(false);
  });

  it('lists what can be captured, and chooses the first', async () => {
    await choose('Window');
    const windows = window.find('publishCaptures').getByRole('radio');
    await expect.poll(() => windows.count()).toBe(3);
    expect(await windows.first().isChecked()).toBe(true);
    expect(await summary()).toContain('no audio');
    await window.find('publishDialog').getByText('The window is captured without sound.').waitFor();
  });
});

describe('the list of nodes', () => {
  beforeAll(async () => {
    await window.show('scenario=fleet742');
    await window.find('nodesTab').click();
  });
  const row = (name: string) => window.page.locator(`[data-testid="fleet-row"][data-node="${name}"]`);
  const rowText = async (name: string): Promise<string> =>
    (await row(name).locator('td').allTextContents()).map((cell) => cell.replace(/\s+/g, ' ').trim()).join(' | ');

  it('shows each node with its figures, its clock and its state', async () => {
    await row('atom-c2550').filter({ hasText: '94' }).waitFor();
    expect(await rowText('atom-c2550')).toMatch(
      /WCS 5\.2\.2077 \| REST 8081 · SSH \| publish ?pull ?play \| 94 % \| 4\.9 GiB \| 12\.1 ms \| \+1\.8 ± 0\.4 ms \| live, 1 s/,
    );
    expect(await rowText('livekit-eu')).toContain('stale, last 12 s ago');
    expect(await rowText('lab')).toContain('same clock');
    await row('livekit-eu').getByLabel('certificate not verified').waitFor();
  });

  it('shows a problem in place of empty cells, with the button that fixes it', async () => {
    expect(await rowText('nginx-old')).toContain('CPU and memory of the host are not measured');
    await row('nginx-old').getByTestId('node-fix').click();
    await window.page.locator('[data-testid="edit-ssh"]:focus').waitFor();
    await window.page.getByTestId('edit-ssh').fill('qa@10.20.0.30');
    await window.page.keyboard.press('Enter');
    await window.find('editDialog').waitFor({ state: 'detached' });
    await row('nginx-old').getByTestId('node-problem').waitFor({ state: 'detached' });
  });

  it('trusts a changed host key only after a separate confirmation', async () => {
    await row('tester-3').getByTestId('node-fix').click();
    await window.find('hostKeyDialog').getByText('~/.ssh/known_hosts line 12').waitFor();
    expect(await window.find('hostKeyTrust').isDisabled()).toBe(true);
    await window.find('hostKeyReinstalled').check();
    await window.find('hostKeyTrust').click();
    await window.find('hostKeyDialog').waitFor({ state: 'detached' });
    expect(await row('tester-3').getAttribute('data-state')).toBe('starting');
  });

  it('shows why an edit was refused, and keeps the input', async () => {
    await row('livekit-eu').dblclick();
    expect(await window.page.getByTestId('edit-apiSecret').inputValue()).toBe('');
    expect(await window.page.getByTestId('edit-apiSecret').getAttribute('placeholder')).toContain('saved');
    await window.page.getByTestId('edit-url').fill('nonsense');
    await window.find('editSave').click();
    await window.find('editDialog').getByRole('alert').filter({ hasText: 'no address of an API' }).waitFor();
    expect(await window.page.getByTestId('edit-url').inputValue()).toBe('nonsense');
    await window.page.keyboard.press('Escape');
    await window.find('editDialog').waitFor({ state: 'detached' });
  });

  it('is navigated, opened and emptied by keyboard only', async () => {
    const { page } = window;
    await page.getByRole('grid', { name: 'Nodes' }).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await row('tester-2').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await window.find('editDialog').waitFor();
    await page.keyboard.press('Escape');
    await window.find('editDialog').waitFor({ state: 'detached' });
    await page.getByRole('grid', { name: 'Nodes' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Delete');
    await row('tester-2').waitFor({ state: 'detached' });
  });

  it('requests confirmation before it removes an agent, and reports the result', async () => {
    await row('tester-1').click();
    await row('tester-1').getByTestId('node-menu').click();
    await window.page.getByTestId('node-action-removeAgent').click();
    await window.find('agentDialog').getByText('This stops the agent on tester-1').waitFor();
    expect(await window.find('agentRemaining').count()).toBe(0);
    await window.find('agentRemove').click();
    await window.find('agentRemaining').filter({ hasText: 'Agent removed from tester-1' }).waitFor();
    await window.page.keyboard.press('Escape');
    await window.find('agentDialog').waitFor({ state: 'detached' });
  });

  it('shows the streams of a node that does not respond as unknown instead of none', async () => {
    await row('livekit-eu').click();
    await window.page
      .getByTestId('streams-pane')
      .getByText('The streams of livekit-eu are unknown now. lk.example.org has not responded for 12 s')
      .waitFor();
  });

  it('accepts queries for a generic server', async () => {
    await row('livekit-eu').dblclick();
    await window.find('editDialog').locator('select').selectOption('generic');
    await window.page.getByTestId('edit-query-add').click();
    const query = window.find('editQuery');
    await query.getByLabel('Series').fill('cpuPercent');
    await query.getByLabel('PromQL').fill('busy');
    await window.find('editDialog').getByText('Set the Prometheus address').waitFor();
    expect(await window.find('editSave').isDisabled()).toBe(true);
    await window.page.getByTestId('edit-prometheus').fill('http://prometheus:9090');
    await window.find('editSave').click();
    await window.find('editDialog').waitFor({ state: 'detached' });
    await row('livekit-eu').dblclick();
    expect(await query.getByLabel('PromQL').inputValue()).toBe('busy');
    await window.page.keyboard.press('Escape');
    await window.find('editDialog').waitFor({ state: 'detached' });
  });

  it('shows the streams of the selected node, and opens a pull from one of them', async () => {
    await row('atom-c2550').click();
    const streams = window.page.getByTestId('streams-pane');
    await streams.getByText('studio-a-720p').click();
    await window.page.keyboard.press('p');
    await window.find('pullDialog').waitFor();
    expect(await window.find('pullStream').inputValue()).toBe('studio-a-720p');
  });

  it('splits a pull over the selected testers', async () => {
    await window.find('pullViewers').fill('101');
    const shares = window.find('pullTester');
    expect(await shares.count()).toBe(2);
    await window.page.locator('[data-testid="pull-tester"][data-node="tester-3"] input').check();
    expect(((await shares.first().textContent()) ?? '').trim()).toMatch(/51$/);
    const yaml = ((await window.find('pullYaml').textContent()) ?? '').replace(/\s+/g, ' ');
    expect(yaml).toContain('tester-1: { tester: ssh, ssh: "qa@10.20.0.11" }');
    expect(yaml).toContain('by: [tester-1, tester-3]');
    await window.page.locator('[data-testid="pull-tester"][data-node="tester-3"] input').uncheck();
    await window.find('pullEndTime').filter({ hasText: 'stops on tester-1 after 120 s' }).waitFor();
    await window.page.locator('[data-testid="pull-tester"][data-node="tester-3"] input').check();
    await window.page.locator('[data-testid="pull-tester"][data-node="tester-1"] input').uncheck();
    await window.page.locator('[data-testid="pull-tester"][data-node="tester-3"] input').uncheck();
    await window.find('pullProblem').filter({ hasText: 'Choose at least one tester' }).waitFor();
    await window.page.keyboard.press('Escape');
    await window.find('pullDialog').waitFor({ state: 'detached' });
  });

  it('records the other live nodes of the fleet in a pull, except excluded ones', async () => {
    await row('nginx-old').click();
    await window.page.keyboard.press('p');
    await window.find('pullDialog').waitFor();
    await window.find('pullOrigin').selectOption('atom-c2550');
    const yaml = async (): Promise<string> => (await window.find('pullYaml').textContent()) ?? '';
    const nginx = window.page.locator('[data-testid="pull-observed-only"][data-node="nginx-old"]');
    await nginx.waitFor();
    expect(await yaml()).toContain('nginx-old:');
    await nginx.click();
    expect(await nginx.getAttribute('aria-pressed')).toBe('false');
    expect(await yaml()).not.toContain('nginx-old:');
    await window.page.keyboard.press('Escape');
    await window.find('pullDialog').waitFor({ state: 'detached' });
  });

  it('has no expectations of unmeasured metrics, and shows why', async () => {
    await row('nginx-old').click();
    await window.page.keyboard.press('p');
    await window.find('pullOrigin').selectOption('livekit-eu');
    expect(await window.page.getByTestId('pull-expect-cpu').inputValue()).toBe('');
    await window.find('pullExpectReason').filter({ hasText: 'No CPU data from livekit-eu' }).waitFor();
    await window.page.keyboard.press('Escape');
    await window.find('pullDialog').waitFor({ state: 'detached' });
  });

  it('is opened by name', async () => {
    await window.find('consoleTab').click();
    await window.page.keyboard.press('Control+k');
    await window.page.keyboard.type('go to node livekit');
    await window.page.keyboard.press('Enter');
    await row('livekit-eu').waitFor();
    expect(await row('livekit-eu').getAttribute('aria-selected')).toBe('true');
  });

  it('imports a nodes file dropped on the window', async () => {
    await window.page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['nodes:\n  fresh-1:\n  tester-1:\n'], 'fleet.yaml'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await row('fresh-1').waitFor();
    await window.find('notice').filter({ hasText: 'Added fresh-1.' }).waitFor();
    await window.find('notice').filter({ hasText: '"tester-1" is there already' }).waitFor();
  });
});

describe('the window', () => {
  it('switches theme and time zone by key, and names the zone', async () => {
    await window.show('scenario=pull742');
    await window.page.keyboard.press('d');
    expect(await window.page.evaluate(() => document.documentElement.dataset['theme'])).toBe('light');
    await window.page.keyboard.press('t');
    await window.find('zoneSwitch').locator('[aria-pressed="true"]', { hasText: 'UTC' }).waitFor();
    expect(await text('runTitle')).toContain('Tue 24 Nov 2026, 16:39:47');
  });

  it('finds its commands by name', async () => {
    await window.page.keyboard.press('Control+k');
    await window.page.keyboard.type('go to runs');
    await window.page.keyboard.press('Enter');
    await window.find('runsFilter').waitFor();
  });

  it('executes menu commands, and shows messages of the main process', async () => {
    await window.sendShellEvent('menu', 'console');
    await window.sendShellEvent('menu', 'nodes');
    await window.find('fleetRow').first().waitFor();
    await window.sendShellEvent('menu', 'runs');
    await window.find('runsFilter').waitFor();
    await window.sendShellEvent('menu', 'addNode');
    await window.page.locator('[data-testid="add-address"]:focus').waitFor();
    const sentence = 'The keychain of this system is locked; secrets are kept until Fullhouse ends.';
    await window.sendShellEvent('problem', sentence);
    await window.find('notice').filter({ hasText: sentence }).waitFor();
  });

  it('wrote no error to its console', () => {
    expect(window.errors).toEqual([]);
  });
});

describe('a tester-limited run', () => {
  beforeAll(() => window.show('scenario=limitedLive'));

  it('is marked everywhere during the run', async () => {
    await window.find('degraded').filter({ hasText: 'tester-limited' }).waitFor();
    expect(await text('failures')).toContain('tester 3 · packet 1');
    const row = window.page.locator('[data-testid="node-row"][data-node="tester-1"]');
    expect(await row.textContent()).toContain('limited');
    expect(await text('limitedNotice')).toContain('tester-1 ran out of CPU');
    await window.find('splitText').filter({ hasText: 'about 66 % CPU, extrapolated' }).waitFor();
  });

  it('offers a choice of testers, by keyboard too', async () => {
    await window.find('splitMenu').click();
    const candidates = window.find('splitCandidate');
    expect(await candidates.count()).toBe(2);
    expect(await candidates.first().getAttribute('data-node')).toBe('tester-2');
    expect(await candidates.last().textContent()).toContain('on the same host');
    await window.page.keyboard.press('Escape');
    await candidates.first().waitFor({ state: 'detached' });
  });

  it('responds at once when run again with one more tester', async () => {
    await window.page.keyboard.press('Control+k');
    await window.page.keyboard.type('one tester more');
    await window.page.keyboard.press('Enter');
    await window.find('splitButton').filter({ hasText: 'Stopping, then restarting' }).waitFor();
    expect(await window.find('splitButton').isDisabled()).toBe(true);
  });

  it('reports insufficient capacity of a tester before the start, and adds one more by a click', async () => {
    await window.show('scenario=limitedLive');
    await window.page.keyboard.press('p');
    await window.find('pullViewers').fill('1000');
    for (const tester of await window.find('pullTester').all())
      if ((await tester.getAttribute('data-node')) !== 'tester-1') await tester.locator('input').uncheck();
    const offer = window.find('pullSplit');
    await offer.filter({ hasText: 'tester-1 can run 744.' }).waitFor();
    await offer.getByRole('button', { name: 'Add one tester, 500 each' }).click();
    await offer.waitFor({ state: 'detached' });
    await window.find('pullYaml').filter({ hasText: 'by: [tester-1, tester-2]' }).waitFor();
  });

  it('offers full browser behaviour under More', async () => {
    await window.find('pullMore').click();
    await window.page.getByTestId('pull-option-fidelity').check();
    await window.find('pullYaml').filter({ hasText: 'fidelity: browser' }).waitFor();
    await window.page.getByTestId('pull-option-watchFor').fill('10s-60s');
    await window.find('pullYaml').filter({ hasText: 'watchFor: 10s-60s' }).waitFor();
  });

  it('has a row for a TURN server, which may be self-signed', async () => {
    await window.find('pullTurn').selectOption('server');
    await window.page.getByTestId('pull-turn-share').fill('10');
    await window.page.getByTestId('pull-turn-url').fill('turns:turn.example');
    await window.page.getByTestId('pull-turn-selfSigned').check();
    const yaml = window.find('pullYaml');
    await yaml.filter({ hasText: 'selfSigned: true' }).waitFor();
    await window.page.getByTestId('pull-turn-url').fill('http://turn.example');
    await window.page.getByText('is not a TURN address').first().waitFor();
    await window.find('pullTurn').selectOption('none');
    await window.page.keyboard.press('Escape');
  });
});

describe('a run without a verdict', () => {
  it('offers the fix, and opens the form for a new tester if none exists', async () => {
    await window.show('scenario=limitedAlone');
    await window.find('runsTab').click();
    await window.find('runRow').first().dblclick();
    expect(await text('splitTesters')).toBe('No other tester: add one.');
    expect(await window.find('splitButton').count()).toBe(0);
    await window.find('splitAddTester').click();
    await window.page.locator('[data-testid="add-address"]:focus').waitFor();
  });
});
