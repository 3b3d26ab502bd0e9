import { expect, it } from 'vitest';
import { until } from '../e2e/app';
import { windowTest, type WindowPage } from './windowPage';

/** The form of the alert rules: by keyboard alone, and what it says of wrong fields. */
let window: WindowPage;

windowTest.beforeAll(({ windowPage }) => {
  window = windowPage;
});

const field = (name: string) => window.page.getByTestId(`rule-${name}`);
const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await window.page.keyboard.press(key);
};
const names = (): Promise<readonly (string | null)[]> =>
  window.find('ruleRow').evaluateAll((all) => all.map((row) => row.getAttribute('data-rule')));
const row = (name: string) => window.page.locator(`[data-testid="rule-row"][data-rule="${name}"]`);

async function open(): Promise<void> {
  await window.show('idle=watching&incidents');
  await window.find('incidentRules').click();
  await window.find('rulesDialog').waitFor();
}
async function reopen(): Promise<void> {
  await until('the dialog is closed', async () => (await window.find('rulesDialog').count()) === 0);
  await window.find('incidentRules').click();
  await window.find('rulesDialog').waitFor();
}

it('lists the rules in words, and is used by the keyboard alone', async () => {
  await open();
  expect(await row('cpu-high').innerText()).toMatch(
    /cpu-high[\s\S]*warning[\s\S]*CPU above 90 % for 1 min[\s\S]*all nodes/,
  );
  expect(await row('node-lost').innerText()).toMatch(/no response for 5 s[\s\S]*notification/);
  // The list has the focus.
  await press('End', 'Space', 'Home', 'ArrowDown', 'Delete', 'Enter');
  expect(await names()).not.toContain('host-rebooted');
  // The field of the name has it now.
  await press('Control+A');
  await window.page.keyboard.type('restarted');
  await press('Enter');
  await reopen();
  expect(await names()).toContain('restarted');
  expect(await row('certificate-expiring').innerText()).toContain('off');
});

it('marks each wrong field with its own sentence, and waits with Save', async () => {
  await open();
  await row('cpu-high').click();
  await field('name').fill('CPU high');
  await field('limit').fill('ninety');
  await field('time').fill('60');
  await field('webhook').fill('https://user:pass@example.org/hook');
  await field('command').fill('\nnotify');
  const alerts = await window.find('rulesDialog').getByRole('alert').allInnerTexts();
  expect(alerts).toEqual([
    expect.stringContaining('small letters, digits and hyphens'),
    'Enter a number.',
    'Enter a time from 0 s to 30 days, such as 30 s or 5 min.',
    expect.stringContaining('Remove the part before "@"'),
    expect.stringContaining('The first line is empty.'),
  ]);
  expect(await window.find('rulesSave').isDisabled()).toBe(true);
  // Of another rule, the list says so.
  await row('node-lost').click();
  expect(await row('CPU high').innerText()).toContain('5 fields to fix');
  await row('CPU high').click();
  for (const [name, text] of [
    ['name', 'cpu-high'],
    ['limit', '80'],
    ['time', '5 min'],
    ['webhook', 'https://example.org/$secret:HOOK'],
    ['command', ''],
  ] as const)
    await field(name).fill(text);
  expect(await window.find('rulesDialog').getByRole('alert').count()).toBe(0);
  await window.find('rulesSave').click();
  await reopen();
  expect(await row('cpu-high').innerText()).toMatch(/above 80 % for 5 min[\s\S]*webhook/);
  expect(await window.find('rulesAllow').count()).toBe(1);
});

it('adds a rule, and resets all to the defaults', async () => {
  await open();
  const before = await names();
  await window.find('ruleAdd').click();
  await field('limit').fill('5');
  await window.find('ruleRemove').click();
  expect(await names()).toEqual(before);
  await window.find('ruleAdd').click();
  await field('kind').selectOption('node-lost');
  await field('nodes').selectOption('role tester');
  expect(await row('rule-1').innerText()).toMatch(/no response for 1 min[\s\S]*all testers/);
  await window.find('rulesReset').click();
  expect(await names()).toEqual(before);
});

/** Presses at one place and releases at another, from the left upper corner of the dialog. */
async function drag(fromX: number, toX: number): Promise<void> {
  const box = await window.find('rulesDialog').boundingBox();
  const [x, y] = [box?.x ?? 0, (box?.y ?? 0) + 60];
  await window.page.mouse.move(x + fromX, y);
  await window.page.mouse.down();
  await window.page.mouse.move(x + toX, y, { steps: 3 });
  await window.page.mouse.up();
}

it('is closed by a click beside it, not by a drag to there, nor while something is not saved', async () => {
  await open();
  await drag(40, -20);
  expect(await window.find('rulesDialog').count()).toBe(1);
  await row('cpu-high').click();
  await field('limit').fill('77');
  await drag(-20, -20);
  expect(await window.find('rulesDialog').count()).toBe(1);
  // Another dialog, as from the menu of the app, is above it.
  await window.sendShellEvent('menu', 'settings');
  await window.find('settingsDialog').waitFor();
  await press('Escape');
  await window.find('settingsDialog').waitFor({ state: 'detached' });
  expect(await field('limit').inputValue()).toBe('77');
  // Again and again: it asks each time.
  for (let time = 0; time < 3; time += 1) {
    await press('Escape');
    await window.find('rulesDiscard').waitFor();
    await press('Escape');
    await window.find('rulesDiscard').waitFor({ state: 'detached' });
    expect(await window.find('rulesDialog').isVisible()).toBe(true);
  }
  await window.find('rulesDialog').getByRole('button', { name: 'Cancel' }).click();
  await window.find('rulesDiscard').getByRole('button', { name: 'Discard' }).click();
  await reopen();
  expect(await row('cpu-high').innerText()).not.toContain('77');
  await drag(-20, -20);
  await window.find('rulesDialog').waitFor({ state: 'detached' });
});

it('takes back Remove and Reset, until the next change', async () => {
  await open();
  await row('cpu-high').click();
  await field('limit').fill('77');
  const before = await names();
  for (const act of ['ruleRemove', 'rulesReset'] as const) {
    await window.find(act).click();
    await window.find('rulesUndo').click();
    expect(await names()).toEqual(before);
    expect(await row('cpu-high').getAttribute('aria-selected')).toBe('true');
    expect(await field('limit').inputValue()).toBe('77');
    expect(await window.find('rulesUndo').count()).toBe(0);
  }
  await window.find('ruleRemove').click();
  await field('name').fill('another');
  expect(await window.find('rulesUndo').count()).toBe(0);
});

it('shows the chosen rule in the list, also one that was added', async () => {
  await window.resize(1280, 700);
  await open();
  await window.resize(1280, 700);
  const isInView = (name: string): Promise<boolean> =>
    row(name).evaluate((rule) => {
      const [own, list] = [rule, rule.parentElement as Element].map((each) => each.getBoundingClientRect());
      return own !== undefined && list !== undefined && own.bottom <= list.bottom + 1 && own.top >= list.top - 1;
    });
  for (const name of ['rule-1', 'rule-2', 'rule-3', 'rule-4']) {
    await window.find('ruleAdd').click();
    await until(`${name} in view`, () => isInView(name));
  }
  await window.find('ruleList').press('Home');
  await until('the first in view', () => isInView('node-lost'));
});

it('fits in a window of any size', async () => {
  await open();
  await row('cpu-high').click();
  for (const width of [1024, 1280, 1920]) {
    await window.resize(width, 800);
    const wide = await window
      .find('rulesDialog')
      .evaluate(
        (dialog) =>
          [...dialog.querySelectorAll('.body, form, .list, .fields, .rules')].filter(
            (part) => part.scrollWidth > part.clientWidth + 1,
          ).length,
      );
    expect([width, wide]).toEqual([width, 0]);
  }
  expect(window.errors).toEqual([]);
});
