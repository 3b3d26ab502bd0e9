import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { windowTest, type WindowPage } from './windowPage';

/** The dialogs of delay tests and of the clock page on the fake engine, which reads 742 ms from each picture. */
let window: WindowPage;
const pictures = process.env['FULLHOUSE_PICTURES'];

windowTest.beforeAll(({ windowPage }) => {
  window = windowPage;
});

async function picture(name: string): Promise<void> {
  if (!pictures) return;
  await mkdir(pictures, { recursive: true });
  await window.page.screenshot({ path: join(pictures, `clock-page-${name}.png`) });
}

async function open(query: string): Promise<void> {
  await window.show(query);
  await window.page.keyboard.press('Control+k');
  await window.find('palette').waitFor();
  await window.page.keyboard.type('obs');
  await window.page.keyboard.press('Enter');
  await window.find('clockPageDialog').waitFor();
}

/** A PNG of one colour, as a file that is chosen. */
async function pngOf(width: number, height: number): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const base64 = await window.page.evaluate(
    async ([wide, tall]) => {
      const canvas = new OffscreenCanvas(wide, tall);
      canvas.getContext('2d')?.fillRect(0, 0, 10, 10);
      const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
      return btoa(String.fromCharCode(...bytes));
    },
    [width, height] as const,
  );
  return { name: 'both screens.png', mimeType: 'image/png', buffer: Buffer.from(base64, 'base64') };
}

it('serves the page here or on the network, and shows who has it open and how exact it is', async () => {
  await open('idle=watching');
  await picture('off');
  await window.find('clockPageSwitch').click();
  expect(await window.find('clockPageUrl').allTextContents()).toEqual([
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:/),
  ]);
  // The button that has the focus keeps it.
  expect(await window.page.evaluate(() => document.activeElement?.textContent)).toContain('Stop serving');
  expect(await window.find('clockPageRow').first().textContent()).toContain('± 1.3 ms');
  expect(await window.find('clockPageRow').last().textContent()).toContain('being measured');
  await window.find('clockPageSwitch').click();
  await window.find('clockPagePlace').getByText('Local network').click();
  await window.find('clockPageSwitch').click();
  await expect.poll(() => window.find('clockPageUrl').count()).toBe(2);
  expect(await window.find('clockPageDialog').textContent()).toContain('Anyone who has the address can open it.');
});

it('reads photos, and states what it can not read', async () => {
  await open('idle=watching&theme=light');
  await window.find('clockPageSwitch').click();
  await window.find('clockPhotoFile').setInputFiles(await pngOf(1600, 900));
  await expect
    .poll(() => window.find('clockPhoto').first().textContent())
    .toMatch(/both screens\.png\s*742 ms\s*± 68 ms/);
  const damaged = { name: 'torn.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('torn') };
  const text = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('text') };
  await window.find('clockPhotoFile').setInputFiles([damaged, text]);
  await expect.poll(() => window.find('clockPhoto').count()).toBe(3);
  await expect
    .poll(() => window.find('clockPhotos').textContent())
    .toMatch(/It is no picture \(PNG, JPEG, WebP\) and no video\..*It is damaged, or no picture\./);
  await picture('photos-light');
  expect(window.errors).toEqual([]);
});

async function openDelayTest(query: string): Promise<void> {
  await window.show(query);
  await window.page.keyboard.press('y');
  await window.find('delayDialog').waitFor();
  await window.find('delayRow').first().waitFor();
}

it('a delay test says what is wrong in its form, and what is missing to start', async () => {
  await openDelayTest('scenario=fleet742');
  await window.find('delayRepeats').fill('99');
  await window.find('delaySeconds').fill('1');
  expect(await window.find('pullProblem').allTextContents()).toEqual([
    expect.stringContaining('Enter 1 to 20 repeats.'),
    expect.stringContaining('Enter 2 to 60 s.'),
  ]);
  await picture('delay-problems');
  await window.find('delayRepeats').fill('3');
  await window.find('delaySeconds').fill('20');
  expect(await window.find('pullProblem').count()).toBe(0);
  expect(await window.find('delayStart').isEnabled()).toBe(true);
  for (const row of await window.find('delayRow').all()) {
    const box = row.getByRole('checkbox');
    if (await box.isEnabled()) await box.uncheck();
  }
  expect(await window.find('delayAbout').textContent()).toBe('Choose at least one path through the server.');
  expect(await window.find('delayStart').isEnabled()).toBe(false);
});

it('a delay test keeps its form while saved tables are shown, whose removal keeps the focus', async () => {
  await openDelayTest('scenario=fleet742');
  const values = { delayName: 'Larger buffers', delaySeconds: '7', delayRepeats: '5', delayViewers: '12' } as const;
  const names = Object.keys(values) as (keyof typeof values)[];
  for (const name of names) await window.find(name).fill(values[name]);
  await window.find('delayRow').nth(1).getByRole('checkbox').uncheck();
  await window.find('delayTabs').getByRole('button', { name: 'Saved (' }).click();
  const focused = (): Promise<string | null | undefined> =>
    window.page.evaluate(() => document.activeElement?.getAttribute('data-testid'));
  await window.find('delayShown').waitFor();
  await window.find('delayRemove').click();
  await window.find('delayUndo').click();
  await expect.poll(() => window.find('delayUndo').count()).toBe(0);
  await expect.poll(focused).toBe('delay-open');
  await picture('delay-saved');
  await window.find('delayTabs').getByRole('button', { name: 'Measure' }).click();
  await window.find('delayRow').first().waitFor();
  for (const name of names) expect(await window.find(name).inputValue()).toBe(values[name]);
  expect(await window.find('delayRow').nth(1).getByRole('checkbox').isChecked()).toBe(false);
  expect(await window.find('delayRow').nth(0).getByRole('checkbox').isChecked()).toBe(true);
});

it('a delay test that was cancelled is no error when its dialog is opened again', async () => {
  await openDelayTest('scenario=fleet742&delay=running');
  await window.find('delayCancel').waitFor();
  await window.page.keyboard.press('Escape');
  await window.find('delayEnd').getByText('End test').click();
  await window.find('delayDialog').waitFor({ state: 'detached' });
  await window.page.keyboard.press('y');
  await window.find('delayStart').waitFor();
  await expect
    .poll(async () => (await window.find('delayStatus').textContent())?.trim())
    .toBe('Cancelled before anything was measured.');
  await picture('delay-cancelled');
  expect(window.errors).toEqual([]);
});

it('a delay test names its saved table also while a run is active', async () => {
  await openDelayTest('scenario=fleet742&delay=done');
  await window.find('delayCopy').waitFor();
  expect(await window.find('delayStatus').textContent()).toMatch(/^\s*Saved as Delay of /);
});
