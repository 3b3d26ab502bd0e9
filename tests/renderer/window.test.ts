import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWindowPage, type WindowPage } from './windowPage';

/** What the window does with an engine whose every figure is known. */
let window: WindowPage;

beforeAll(async () => {
  window = await openWindowPage();
});
afterAll(async () => {
  await window.close();
});

const text = async (id: Parameters<WindowPage['find']>[0]): Promise<string> =>
  ((await window.find(id).first().textContent()) ?? '').replace(/\s+/g, ' ').trim();

describe('a run under way', () => {
  beforeAll(() => window.show('scenario=pull742'));

  it('has its figures in the headline', async () => {
    expect(await text('viewersConnected')).toBe('742');
    expect(await text('phaseChip')).toBe('ramp 2 of 2');
    expect(await text('degraded')).toBe('Degraded 23 3.1 % limit 1 % · origin counts 19');
    expect(await text('rate')).toContain('asked 10 /s');
    expect(await text('elapsed')).toContain('2:56 left of 5:00');
  });

  it('says why viewers failed, and leads to the moment', async () => {
    await window.find('failures').getByRole('button').click();
    const popover = window.find('failuresPopover');
    expect(await popover.textContent()).toContain('No candidate pair answered in time');
    await popover.getByRole('button', { name: /viewer 688/ }).click();
    await window.page.keyboard.press('Escape');
    await popover.waitFor({ state: 'detached' });
    await window.page.getByText('values at cursor 1:52').waitFor();
  });

  it('moves the crosshair to an event, and lights its row', async () => {
    const row = window.find('eventRow').filter({ hasText: 'Picture froze' });
    await row.click();
    await window.page.locator('[data-testid="event-row"].lit').filter({ hasText: 'Picture froze' }).waitFor();
  });

  it('isolates a node by a click and by its key', async () => {
    const node = window.page.locator('[data-node="tester-1"]');
    await node.click();
    expect(await node.getAttribute('aria-pressed')).toBe('true');
    await window.page.keyboard.press('2');
    expect(await node.getAttribute('aria-pressed')).toBe('false');
  });

  it('keeps its player while the runs are looked at: its record must not break off', async () => {
    const video = window.page.locator('[data-testid="player"] video');
    await video.evaluate((element: HTMLElement) => (element.dataset['before'] = 'yes'));
    await window.find('runsTab').click();
    await window.find('runsFilter').waitFor();
    await window.find('consoleTab').click();
    await window.find('runsFilter').waitFor({ state: 'detached' });
    expect(await video.getAttribute('data-before')).toBe('yes');
  });

  it('lists viewers, sorted, without a thousand rows in the page', async () => {
    await window.page.keyboard.press('v');
    const rows = window.find('viewerRow');
    await rows.first().waitFor();
    expect(await rows.count()).toBeLessThan(60);
    await window.find('viewersDialog').getByRole('button', { name: 'Connect', exact: true }).click();
    await window.find('viewersDialog').getByRole('button', { name: 'failed', exact: true }).click();
    expect(await rows.first().textContent()).toContain('failed at ICE');
    const text = async (): Promise<string> => (await window.find('viewerDetail').textContent()) ?? '';
    await rows.first().click();
    await expect.poll(text).toContain('Failed: timeout');
    expect(await text()).toContain('4 pairs checked, no answer within 5 s.');
    await window.find('viewersDialog').getByRole('button', { name: 'degraded', exact: true }).click();
    // By keys alone: to the next row, and in.
    await rows.first().focus();
    await window.page.keyboard.press('ArrowDown');
    await window.page.keyboard.press('Enter');
    await expect.poll(text).toContain('ICE candidate pair');
    expect(await text()).toMatch(/Local\s*10\.0\.0\.11:\d+, host/);
    expect(await text()).toContain('0xabcdef01');
    expect(await text()).toContain('Degraded: freeze');
    await window.find('viewerDetail').getByRole('button', { name: 'Close details' }).click();
    await window.find('viewerDetail').waitFor({ state: 'detached' });
    await window.page.locator('[data-testid="viewer-row"]:focus').waitFor();
    await window.page.keyboard.press('Escape');
    await window.find('viewersDialog').waitFor({ state: 'detached' });
  });

  it('stops by Esc Esc, counts down and then offers to force', async () => {
    await window.page.keyboard.press('Escape');
    await window.page.keyboard.press('Escape');
    await window.find('stopAll').filter({ hasText: 'Stopping, 412 left' }).waitFor();
    await window.find('stopAll').filter({ hasText: 'Force, 412 left' }).waitFor();
  });
});

describe('a pull that does not fit', () => {
  beforeAll(() => window.show('idle=watching'));

  it('is refused under its field, and mended by the button beside it', async () => {
    await window.page.keyboard.press('p');
    await window.find('pullViewers').fill('13000');
    await window.find('pullProblem').filter({ hasText: 'can play 12,000 viewers' }).waitFor();
    expect(await window.find('pullStart').isDisabled()).toBe(true);
    await window.find('pullMend').click();
    await window.find('pullProblem').waitFor({ state: 'detached' });
    await expect.poll(() => window.find('pullYaml').textContent()).toContain('viewers: 12000');
    await window.find('pullExpectedMbps').filter({ hasText: '2,040' }).waitFor();
  });

  it('asks for a unit', async () => {
    await window.find('pullHold').fill('90');
    await window.find('pullMend').filter({ hasText: 'Use 90 s' }).click();
    expect(await window.find('pullHold').inputValue()).toBe('90 s');
    await window.page.keyboard.press('Escape');
    await window.find('pullDialog').waitFor({ state: 'detached' });
  });
});

describe('kept runs', () => {
  beforeAll(() => window.show('scenario=fail256'));

  it('are filtered by verdict and by words', async () => {
    await window.find('runsTab').click();
    await window.find('verdictFilter').getByRole('button', { name: /^Fail/ }).click();
    expect(await window.find('runRow').count()).toBe(2);
    await window.page.keyboard.press('/');
    await window.find('runsFilter').fill('before');
    expect(await window.find('runRow').count()).toBe(1);
  });

  it('tell what is wrong with a damaged file', async () => {
    await window.find('runsFilter').fill('');
    await window
      .find('verdictFilter')
      .getByRole('button', { name: /^Damaged/ })
      .click();
    expect(await text('runRow')).toContain('it was not copied to its end');
  });

  it('go and come back', async () => {
    await window
      .find('verdictFilter')
      .getByRole('button', { name: /^Stopped/ })
      .click();
    await window.find('runRow').click();
    await window.find('runDelete').click();
    await window.find('runRow').waitFor({ state: 'detached' });
    await window.find('undo').click();
    await window
      .find('verdictFilter')
      .getByRole('button', { name: /^Stopped/ })
      .click();
    await window.find('runRow').waitFor();
  });

  it('are reached, renamed and deleted by keys alone', async () => {
    const { page } = window;
    await window.find('verdictFilter').getByRole('button', { name: /^All/ }).click();
    await page.keyboard.press('/');
    await window.find('runsFilter').fill('before');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('F2');
    await page.keyboard.type('Named before');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Kept runs' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await page.locator('tr[aria-selected="true"]').filter({ hasText: 'Named before' }).waitFor();
    await page.keyboard.press('Delete');
    await window.find('runRow').filter({ hasText: 'Named before' }).waitFor({ state: 'detached' });
    await window.find('undo').last().click();
    await window.find('runRow').filter({ hasText: 'Named before' }).waitFor();
  });

  it('open with their verdict, whose reasons lead to their moments', async () => {
    await window.find('verdictFilter').getByRole('button', { name: /^All/ }).click();
    await window.page.locator('[data-run="run-5"]').dblclick();
    await window
      .find('verdict')
      .filter({ hasText: /^\s*fail\s*$/i })
      .waitFor();
    await window.find('reason').nth(2).click();
    await window.page.getByText('values at cursor 2:31').waitFor();
    expect(await window.page.locator('[data-testid="reason"].lit').textContent()).toContain('48.2 ms');
  });
});

describe('a menu that floats', () => {
  it('is walked by arrows and left by Escape, with the focus where it was', async () => {
    const { page } = window;
    await window.find('exportMenu').first().focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
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

  it('shows what is found as it is found, and what it can do', async () => {
    await type('qa@10.20.0.7');
    await window.page
      .locator('[data-row="server"][data-state="found"]')
      .filter({ hasText: 'SRS 7.0.18' })
      .waitFor();
    await window.page
      .locator('[data-row="clock"][data-state="looking"]')
      .filter({ hasText: '4 / 10' })
      .waitFor();
    expect(await window.find('probeRow').count()).toBe(8);
    expect(await text('probeProgress')).toBe('probing, 2.1 s');
    await window.page.getByRole('region', { name: 'What it can do' }).getByText('HTTP-FLV').first().waitFor();
  });

  it('adds it for both roles by keys alone, while it still looks', async () => {
    await window.find('addRole').getByRole('button', { name: 'Both' }).press('Enter');
    await window.find('addAddress').focus();
    await window.page.keyboard.press('Enter');
    await row('srs-7').waitFor();
    await row('srs-7-tester').waitFor();
    expect(await row('srs-7').getAttribute('aria-selected')).toBe('true');
    expect(await window.find('addAddress').inputValue()).toBe('');
    expect(await text('nodesTab')).toBe('Nodes9');
  });

  it('asks for what it needs, and says what for', async () => {
    await type('livekit.example');
    await window.find('probeNeeds').getByText('tells its rooms only to who has a key').waitFor();
    expect(await window.page.getByTestId('need-apiSecret').getAttribute('type')).toBe('password');
    await window.page.getByTestId('need-apiKey').fill('key');
    await window.page.getByTestId('need-apiSecret').fill('secret');
    await window.page.locator('[data-row="server"]').filter({ hasText: 'LiveKit 1.11' }).waitFor();
    await window.page.keyboard.press('Enter');
    await row('livekit-1').waitFor();
  });

  it('lets one choose between servers, and keeps what was typed when a name is taken', async () => {
    await type('two.example');
    await window.find('addServer').getByRole('radio').nth(1).check();
    await window.find('addName').fill('tester-1');
    await window.page.getByText('There is a node "tester-1" already.').waitFor();
    expect(await window.find('addSubmit').isDisabled()).toBe(true);
    await window.find('addName').fill('nginx-2');
    await window.find('addSubmit').click();
    await row('nginx-2').waitFor();
  });

  it('asks once about an unknown host key', async () => {
    await type('new.example');
    expect(await text('hostKeyFingerprint')).toContain('SHA256:pL6yQ0cY');
    await window.find('hostKeyTrust').click();
    await window.find('hostKey').waitFor({ state: 'detached' });
    await window.page.locator('[data-row="ssh"][data-state="found"]').waitFor();
    await window.page.keyboard.press('Escape');
  });

  it('says what is wrong with an address', async () => {
    await type('two words');
    await window.page.keyboard.press('Enter');
    await window.find('addProblem').filter({ hasText: 'An address has no spaces.' }).waitFor();
    await window.find('addAddress').press('Escape');
    await window.find('addProblem').waitFor({ state: 'detached' });
  });
});

describe('the list of nodes', () => {
  beforeAll(async () => {
    await window.show('scenario=fleet742');
    await window.find('nodesTab').click();
  });
  const row = (name: string) => window.page.locator(`[data-testid="fleet-row"][data-node="${name}"]`);
  const rowText = async (name: string): Promise<string> =>
    (await row(name).locator('td').allTextContents())
      .map((cell) => cell.replace(/\s+/g, ' ').trim())
      .join(' | ');

  it('shows each node with its figures, its clock and its state', async () => {
    await row('atom-c2550').filter({ hasText: '94' }).waitFor();
    expect(await rowText('atom-c2550')).toMatch(
      /WCS 5\.2\.2077 \| REST 8081 · SSH \| publish ?pull ?play \| 94 % \| 4\.9 GiB \| 12\.1 ms \| \+1\.8 ± 0\.4 ms \| live, 1 s/,
    );
    expect(await rowText('livekit-eu')).toContain('stale, last 12 s ago');
    expect(await rowText('lab')).toContain('same clock');
    await row('livekit-eu').getByLabel('certificate not checked').waitFor();
  });

  it('puts a trouble where it makes cells empty, with the button that mends it', async () => {
    expect(await rowText('nginx-old')).toContain('CPU and memory of the host are not measured');
    await row('nginx-old').getByTestId('node-remedy').click();
    await window.page.locator('[data-testid="edit-ssh"]:focus').waitFor();
    await window.page.getByTestId('edit-ssh').fill('qa@10.20.0.30');
    await window.page.keyboard.press('Enter');
    await window.find('editDialog').waitFor({ state: 'detached' });
    await row('nginx-old').getByTestId('node-problem').waitFor({ state: 'detached' });
  });

  it('trusts a changed host key only after a word of its own', async () => {
    await row('tester-3').getByTestId('node-remedy').click();
    await window.find('hostKeyDialog').getByText('~/.ssh/known_hosts line 12').waitFor();
    expect(await window.find('hostKeyTrust').isDisabled()).toBe(true);
    await window.find('hostKeyReinstalled').check();
    await window.find('hostKeyTrust').click();
    await window.find('hostKeyDialog').waitFor({ state: 'detached' });
    expect(await row('tester-3').getAttribute('data-state')).toBe('starting');
  });

  it('says why an edit was refused, and keeps what was typed', async () => {
    await row('livekit-eu').dblclick();
    expect(await window.page.getByTestId('edit-apiSecret').inputValue()).toBe('');
    expect(await window.page.getByTestId('edit-apiSecret').getAttribute('placeholder')).toContain('kept');
    await window.page.getByTestId('edit-url').fill('nonsense');
    await window.find('editSave').click();
    await window.find('editDialog').getByRole('alert').filter({ hasText: 'no address of an API' }).waitFor();
    expect(await window.page.getByTestId('edit-url').inputValue()).toBe('nonsense');
    await window.page.keyboard.press('Escape');
    await window.find('editDialog').waitFor({ state: 'detached' });
  });

  it('is walked, opened and emptied by keys alone', async () => {
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

  it('asks before it removes an agent, and says that nothing is left', async () => {
    await row('tester-1').click();
    await row('tester-1').getByTestId('node-menu').click();
    await window.page.getByTestId('node-action-removeAgent').click();
    await window.find('agentDialog').getByText('This ends the agent on tester-1').waitFor();
    expect(await window.find('agentLeft').count()).toBe(0);
    await window.find('agentRemove').click();
    await window.find('agentLeft').filter({ hasText: 'Nothing of Fullhouse is left on tester-1' }).waitFor();
    await window.page.keyboard.press('Escape');
    await window.find('agentDialog').waitFor({ state: 'detached' });
  });

  it('says that the streams of a node that does not answer are not known, rather than none', async () => {
    await row('livekit-eu').click();
    await window.page
      .getByTestId('streams-pane')
      .getByText('What livekit-eu serves is not known now. lk.example.org has not answered for 12 s')
      .waitFor();
  });

  it('takes queries for a server of no known family', async () => {
    await row('livekit-eu').dblclick();
    await window.find('editDialog').locator('select').selectOption('generic');
    await window.page.getByTestId('edit-query-add').click();
    const query = window.find('editQuery');
    await query.getByLabel('Series').fill('cpuPercent');
    await query.getByLabel('PromQL').fill('busy');
    await window.find('editDialog').getByText('Say at which Prometheus').waitFor();
    expect(await window.find('editSave').isDisabled()).toBe(true);
    await window.page.getByTestId('edit-prometheus').fill('http://prometheus:9090');
    await window.find('editSave').click();
    await window.find('editDialog').waitFor({ state: 'detached' });
    await row('livekit-eu').dblclick();
    expect(await query.getByLabel('PromQL').inputValue()).toBe('busy');
    await window.page.keyboard.press('Escape');
    await window.find('editDialog').waitFor({ state: 'detached' });
  });

  it('has the streams of the chosen node, and leads to a pull from one of them', async () => {
    await row('atom-c2550').click();
    const streams = window.page.getByTestId('streams-pane');
    await streams.getByText('studio-a-720p').click();
    await window.page.keyboard.press('p');
    await window.find('pullDialog').waitFor();
    expect(await window.find('pullStream').inputValue()).toBe('studio-a-720p');
  });

  it('splits a pull over the testers that are chosen', async () => {
    await window.find('pullViewers').fill('101');
    const shares = window.find('pullTester');
    expect(await shares.count()).toBe(2);
    await window.page.locator('[data-testid="pull-tester"][data-node="tester-3"] input').check();
    expect(((await shares.first().textContent()) ?? '').trim()).toMatch(/51$/);
    const yaml = ((await window.find('pullYaml').textContent()) ?? '').replace(/\s+/g, ' ');
    expect(yaml).toContain('tester-1: { tester: ssh, ssh: "qa@10.20.0.11" }');
    expect(yaml).toContain('by: [tester-1, tester-3]');
    await window.page.locator('[data-testid="pull-tester"][data-node="tester-3"] input').uncheck();
    await window.find('pullEnds').filter({ hasText: 'ends on tester-1 after 120 s' }).waitFor();
    await window.page.locator('[data-testid="pull-tester"][data-node="tester-3"] input').check();
    await window.page.locator('[data-testid="pull-tester"][data-node="tester-1"] input').uncheck();
    await window.page.locator('[data-testid="pull-tester"][data-node="tester-3"] input').uncheck();
    await window.find('pullProblem').filter({ hasText: 'Choose at least one tester' }).waitFor();
    await window.page.keyboard.press('Escape');
    await window.find('pullDialog').waitFor({ state: 'detached' });
  });

  it('watches the other live nodes of the fleet in a pull, but for those that are left out', async () => {
    await row('nginx-old').click();
    await window.page.keyboard.press('p');
    await window.find('pullDialog').waitFor();
    await window.find('pullOrigin').selectOption('atom-c2550');
    const yaml = async (): Promise<string> => (await window.find('pullYaml').textContent()) ?? '';
    const nginx = window.page.locator('[data-testid="pull-watched"][data-node="nginx-old"]');
    await nginx.waitFor();
    expect(await yaml()).toContain('nginx-old:');
    await nginx.click();
    expect(await nginx.getAttribute('aria-pressed')).toBe('false');
    expect(await yaml()).not.toContain('nginx-old:');
    await window.page.keyboard.press('Escape');
    await window.find('pullDialog').waitFor({ state: 'detached' });
  });

  it('expects nothing of what nobody measures, and says why', async () => {
    await row('nginx-old').click();
    await window.page.keyboard.press('p');
    await window.find('pullOrigin').selectOption('livekit-eu');
    expect(await window.page.getByTestId('pull-expect-cpu').inputValue()).toBe('');
    await window.find('pullExpectWhy').filter({ hasText: 'Nobody measures the CPU of livekit-eu' }).waitFor();
    await window.page.keyboard.press('Escape');
    await window.find('pullDialog').waitFor({ state: 'detached' });
  });

  it('is reached by name', async () => {
    await window.find('consoleTab').click();
    await window.page.keyboard.press('Control+k');
    await window.page.keyboard.type('go to node livekit');
    await window.page.keyboard.press('Enter');
    await row('livekit-eu').waitFor();
    expect(await row('livekit-eu').getAttribute('aria-selected')).toBe('true');
  });

  it('takes a file of nodes that is dropped on the window', async () => {
    await window.page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['nodes:\n  fresh-1:\n  tester-1:\n'], 'fleet.yaml'));
      document.body.dispatchEvent(
        new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }),
      );
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
    await window.page.keyboard.type('kept runs');
    await window.page.keyboard.press('Enter');
    await window.find('runsFilter').waitFor();
  });

  it('does what the menu says, and tells what the main process has to tell', async () => {
    await window.shellSays('menu', 'console');
    await window.shellSays('menu', 'nodes');
    await window.find('fleetRow').first().waitFor();
    await window.shellSays('menu', 'runs');
    await window.find('runsFilter').waitFor();
    await window.shellSays('menu', 'addNode');
    await window.page.locator('[data-testid="add-address"]:focus').waitFor();
    const sentence = 'The keychain of this system is locked; secrets are kept until Fullhouse ends.';
    await window.shellSays('problem', sentence);
    await window.find('notice').filter({ hasText: sentence }).waitFor();
  });

  it('wrote no error to its console all the while', () => {
    expect(window.errors).toEqual([]);
  });
});

describe('a run that its tester bounds', () => {
  beforeAll(() => window.show('scenario=limitedLive'));

  it('is marked everywhere while it goes on', async () => {
    expect(await text('degraded')).toContain('tester-limited');
    expect(await text('failures')).toContain("tester's own 3 · packet 1");
    const row = window.page.locator('[data-testid="node-row"][data-node="tester-1"]');
    expect(await row.textContent()).toContain('limited');
    expect(await text('limitedNotice')).toContain('tester-1 ran out of CPU');
    await window.find('splitText').filter({ hasText: 'about 66 % CPU, extrapolated' }).waitFor();
  });

  it('lets another tester be chosen, by keyboard too', async () => {
    await window.find('splitMenu').click();
    const candidates = window.find('splitCandidate');
    expect(await candidates.count()).toBe(2);
    expect(await candidates.first().getAttribute('data-node')).toBe('tester-2');
    expect(await candidates.last().textContent()).toContain('on the same host');
    await window.page.keyboard.press('Escape');
    await candidates.first().waitFor({ state: 'detached' });
  });

  it('answers at once when it is to be run again with one tester more', async () => {
    await window.page.keyboard.press('Control+k');
    await window.page.keyboard.type('one tester more');
    await window.page.keyboard.press('Enter');
    await window.find('splitButton').filter({ hasText: 'Stopping, then it starts again' }).waitFor();
    expect(await window.find('splitButton').isDisabled()).toBe(true);
  });

  it('says before a start that a tester has too little room, and takes one more by a click', async () => {
    await window.show('scenario=limitedLive');
    await window.page.keyboard.press('p');
    await window.find('pullViewers').fill('1000');
    for (const tester of await window.find('pullTester').all())
      if ((await tester.getAttribute('data-node')) !== 'tester-1') await tester.locator('input').uncheck();
    const offer = window.find('pullSplit');
    await offer.filter({ hasText: 'tester-1 can hold 744.' }).waitFor();
    await offer.getByRole('button', { name: 'Add one tester, 500 each' }).click();
    await offer.waitFor({ state: 'detached' });
    await window.find('pullYaml').filter({ hasText: 'by: [tester-1, tester-2]' }).waitFor();
  });

  it('asks for viewers as true as browsers under More', async () => {
    await window.find('pullMore').click();
    await window.find('pullRealism').check();
    await window.find('pullYaml').filter({ hasText: 'realism: full' }).waitFor();
    await window.page.keyboard.press('Escape');
  });
});

describe('a run without a verdict', () => {
  it('offers what would bring one, and leads to where a tester is added when there is none', async () => {
    await window.show('scenario=limitedAlone');
    await window.find('runsTab').click();
    await window.find('runRow').first().dblclick();
    expect(await text('splitWho')).toBe('There is no other tester: add one.');
    expect(await window.find('splitButton').count()).toBe(0);
    await window.find('splitAddTester').click();
    await window.page.locator('[data-testid="add-address"]:focus').waitFor();
  });
});
