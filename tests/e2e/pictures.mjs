import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { launchCommand } from '../../scripts/runtime.mjs';
import { ensureReady } from '../../scripts/setup.mjs';
import { runScript } from '../../scripts/setup/problem.mjs';
import { startDisplay } from '../../scripts/testing/display.mjs';

/**
 * Screenshots of the window in each state, in both themes and three sizes:
 * `npm run pictures -- FOLDER [--viewers 1000] [--rate 200] [--hold 40] [--sizes 1440x900]`. They share one run.
 */
const themes = ['dark', 'light'];

await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      viewers: { type: 'string', default: '1000' },
      rate: { type: 'string', default: '200' },
      hold: { type: 'string', default: '40' },
      sizes: { type: 'string', default: '1280x800,1440x900,1920x1080' },
    },
  });
  const folder = resolve(positionals[0] ?? 'pictures');
  mkdirSync(folder, { recursive: true });
  const sizes = values.sizes.split(',').map((size) => size.split('x').map(Number));

  await ensureReady(['packages', 'dependencies', 'electron', 'agent', 'bundles']);
  const { _electron } = await import('playwright-core');
  const data = mkdtempSync(join(tmpdir(), 'fullhouse-pictures-'));
  const display = await startDisplay({ width: 2000, height: 1200 });
  const { program, args } = launchCommand();
  const app = await _electron.launch({
    executablePath: program,
    args,
    env: { ...process.env, DISPLAY: display.name, FULLHOUSE_DATA: data, FULLHOUSE_RUNS: join(data, 'runs') },
  });
  try {
    await takeAll(app, { ...values, folder, sizes });
  } finally {
    await app.close();
    await display.stop();
    rmSync(data, { recursive: true, force: true });
  }
});

async function takeAll(app, { folder, sizes, viewers, rate, hold }) {
  const page = await app.firstWindow();
  page.on('console', (message) => {
    if (message.type() === 'error') console.error(`Console of the page: ${message.text()}`);
  });
  const find = (id) => page.getByTestId(id);
  const state = pictureTaker(app, page, folder, sizes);

  await find('start-lab-pull').waitFor();
  await page.waitForTimeout(1500);
  await state('empty');

  await page.keyboard.press('p');
  await find('pull-viewers').fill(viewers);
  await find('pull-rate').fill(rate);
  await find('pull-hold').fill(`${hold} s`);
  await page.waitForTimeout(1000);
  await state('pull-dialog');

  await find('pull-start').click();
  await find('pull-dialog').waitFor({ state: 'hidden' });
  const half = Math.ceil(Number(viewers) / 2);
  const connected = async () =>
    Number(((await find('viewers-connected').first().textContent()) ?? '').replace(/\D/g, ''));
  while ((await connected()) < half) await page.waitForTimeout(100);
  await state('arriving', { sizes: [sizes.at(-2) ?? sizes[0]], themes: ['dark'] });
  while ((await connected()) < Number(viewers) * 0.98) await page.waitForTimeout(200);
  await page.waitForTimeout(8000);
  await state('live', { hoverChart: 'cpu' });

  await find('verdict')
    .first()
    .waitFor({ timeout: (Number(hold) + 60) * 1000 });
  await page.mouse.move(5, 5);
  await page.waitForTimeout(1500);
  await state('done');

  await find('runs-tab').click();
  await page.waitForTimeout(500);
  await state('runs');

  await find('run-row').first().dblclick();
  await find('verdict').first().waitFor();
  await page.waitForTimeout(1000);
  await state('reopened', { hoverChart: 'viewers' });
}

/** Takes one state in all themes and sizes. */
function pictureTaker(app, page, folder, allSizes) {
  let theme = 'dark';
  return async (name, { sizes = allSizes, themes: wanted = themes, hoverChart } = {}) => {
    for (const next of wanted) {
      await switchTheme(app, theme, next);
      theme = next;
      for (const [width, height] of sizes) {
        await app.evaluate(
          ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0].setContentSize(size.width, size.height),
          { width, height },
        );
        await page.waitForTimeout(900);
        if (hoverChart) await page.locator(`[data-chart="${hoverChart}"] .plot`).hover();
        const path = join(folder, `${name}-${theme}-${width}x${height}.png`);
        await page.screenshot({ path });
        console.log(path);
      }
    }
    await switchTheme(app, theme, 'dark');
    theme = 'dark';
  };
}

/** From the menu: an open dialog captures the keys. Each choice of the entry shows the next theme. */
async function switchTheme(app, from, to) {
  const order = ['dark', 'light', 'high-contrast'];
  const times = (order.indexOf(to) - order.indexOf(from) + order.length) % order.length;
  for (let time = 0; time < times; time += 1)
    await app.evaluate(({ Menu }) => Menu.getApplicationMenu().getMenuItemById('toggleTheme').click());
}
