import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, until, type StartedApp } from './app';
import { csvRows, pngSize, showRun } from './exports';
import { takeLayoutShifts } from './layoutShift';
import { openReport, type ReportPage } from './reportPage';

/** The main use case, by user input; each step depends on the previous ones. */
describe('a pull of 100 on the local lab', () => {
  let app: StartedApp;
  let exported: string;

  beforeAll(async () => {
    exported = await mkdtemp(join(tmpdir(), 'fullhouse-exports-'));
    app = await startApp({ width: 1440, height: 900 });
  });
  afterAll(async () => {
    await app?.close();
    await rm(exported, { recursive: true, force: true });
  });

  const numberIn = async (id: string): Promise<number> =>
    Number.parseFloat(((await app.page.getByTestId(id).textContent()) ?? '').replaceAll(',', ''));
  const connected = () => numberIn('viewers-connected');
  /** What a chart has drawn: the number of its points, and the latest time. */
  const drawn = (chart: string) =>
    app.page.locator(`[data-chart="${chart}"] .plot`).evaluate((plot: HTMLElement) => ({
      points: Number(plot.dataset['points'] ?? 0),
      nowMs: Number(plot.dataset['nowMs'] ?? 0),
    }));

  /** Nothing that is read moved, but by an input, since the last question. */
  const expectStill = async (): Promise<void> => {
    const { sum, moves } = await takeLayoutShifts(app.page);
    expect(sum, moves.slice(0, 8).join('\n')).toBeLessThan(0.05);
    expect(moves.filter((move) => /\bchart \w/.test(move))).toEqual([]);
  };

  it('shows the first step', async () => {
    await app.find('startLabPull').waitFor();
    expect(await app.find('nodeRow').count()).toBe(2);
    expect(await app.find('stopAll').isDisabled()).toBe(true);
    await expectStill();
  });

  it('starts the lab and publishes its sample', async () => {
    await app.find('publishButton').click();
    await app.find('publishDialog').waitFor();
    await app.find('publishStart').click();
    await app.find('publishDialog').waitFor({ state: 'hidden' });
    await app.page.locator('[data-testid="job-row"][data-kind="publish"]').waitFor();
  });

  it('pulls 100 viewers from the dialog', async () => {
    await app.page.keyboard.press('p');
    const dialog = app.find('pullDialog');
    await dialog.waitFor();
    await dialog.getByTestId('pull-preset').getByText('100', { exact: true }).click();
    await app.find('pullHold').fill('5 min');
    expect(await app.find('pullYaml').textContent()).toMatch(/viewers: 100\b/);
    expect(await app.find('pullCli').textContent()).toMatch(/fullhouse run/);
    await app.find('pullStart').click();
    await dialog.waitFor({ state: 'hidden' });
    await takeLayoutShifts(app.page);
    await until('100 viewers connected', async () => (await connected()) === 100);
  });

  it('shows the picture: the control player decodes more than 20 frames a second', async () => {
    const video = app.page.getByTestId('player').locator('video');
    const frames = () =>
      video.evaluate((element: HTMLVideoElement) => ({
        count: element.getVideoPlaybackQuality().totalVideoFrames,
        timeMs: performance.now(),
        width: element.videoWidth,
      }));
    await until('a first frame', async () => (await frames()).count > 0);
    // On a busy machine a single second may be low; the best of several shows the player's capability.
    const rate = await until('more than 20 fps', async () => {
      const before = await frames();
      await app.page.waitForTimeout(2000);
      const after = await frames();
      const fps = ((after.count - before.count) * 1000) / (after.timeMs - before.timeMs);
      return fps > 20 && fps;
    });
    expect(rate).toBeGreaterThan(20);
    expect((await frames()).width).toBeGreaterThan(100);
    await until('the same figure beside the picture', async () => (await numberIn('player-fps')) > 20);
  });

  it.each(['viewers', 'cpu', 'bandwidth'])('draws the %s chart live', async (chart) => {
    const first = await drawn(chart);
    expect(first.points).toBeGreaterThan(0);
    await until('more points, later in time', async () => {
      const next = await drawn(chart);
      return next.points > first.points && next.nowMs > first.nowMs;
    });
  });

  it('compares browser viewers with the audience', async () => {
    const shown = app.page.getByTestId('browser-viewers');
    // One of them may just be replaced, or this machine be too busy for both.
    await until('browser viewers', async () => /[12] of 2 playing/.test(await shown.innerText()));
    await until('the agreement', async () => /Agreement\s+[\d.]+ %/.test(await shown.innerText()));
  });

  it('moves the charts to a time clicked in the quality strip', async () => {
    const strip = app.page.getByTestId('quality-strip');
    await strip.click({ position: { x: 4, y: 10 } });
    await app.page.getByText(/^values at cursor 0:0\d$/).waitFor();
    await app.page.keyboard.press('l');
  });

  it('moved nothing by itself since the run began: charts, player and log keep their places', expectStill);

  it('adds a note to the log', async () => {
    await app.page.keyboard.press('m');
    await app.find('noteField').fill('all in, looks good');
    await app.page.keyboard.press('Enter');
    await app.find('eventRow').filter({ hasText: 'all in, looks good' }).waitFor();
  });

  it('stops with Esc Esc and confirms that all viewers have disconnected', async () => {
    await app.page.keyboard.press('Escape');
    await app.page.keyboard.press('Escape');
    await app.find('verdict').first().waitFor({ timeout: 60_000 });
    expect(await app.find('verdict').first().textContent()).toMatch(/stopped/i);
    await until('no job left', async () => (await app.page.locator('[data-testid="job-row"]').count()) === 0, 20_000);
    expect(await app.find('notice').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching(/all viewers disconnected/i)]),
    );
  });

  it('lists the run and reopens it read-only with the same data', async () => {
    await app.find('runsTab').click();
    expect(await app.find('runRow').count()).toBe(1);
    await app.find('runRow').dblclick();
    await app.find('verdict').first().waitFor();
    await until('charts of the saved run', async () => (await drawn('viewers')).points > 5);
    expect(await app.find('eventRow').filter({ hasText: 'all in, looks good' }).count()).toBe(1);
  });

  const exportAs = async (id: 'exportFullhouse' | 'exportHtml' | 'exportCsv', path: string) => {
    await app.saveTo(path);
    await app.find('exportMenu').first().click();
    await app.find(id).first().click();
    return written(path);
  };
  /** A completely written file: it exists and no longer grows. */
  const written = (path: string) =>
    until(`the file ${path}`, async () => {
      const first = await readFile(path).catch(() => undefined);
      await app.page.waitForTimeout(300);
      return first && first.length > 0 && (await readFile(path)).length === first.length && first;
    });

  it('exports the run file, which reads back with its figures', async () => {
    const path = join(exported, 'run.fullhouse');
    await exportAs('exportFullhouse', path);
    const shown = await showRun(path);
    expect(shown).toMatchObject({ verdict: 'stopped', viewers: { requested: 100, connectedPeak: 100 } });
  });

  describe('the report', () => {
    let report: ReportPage;
    afterAll(() => report?.close());
    const plot = (index: number) => report.page.locator('figure[data-chart] svg.chart').nth(index);
    /** Moves the pointer to a share of a chart's width; the button state is unchanged. */
    const pointAt = async (index: number, share: number) => {
      await plot(index).scrollIntoViewIfNeeded();
      const box = await plot(index).boundingBox();
      if (!box) throw new Error('The chart is not on the screen.');
      await report.page.mouse.move(box.x + box.width * share, box.y + box.height / 2, { steps: 4 });
    };
    const oneOf = (texts: readonly string[]): string => {
      expect(new Set(texts)).toEqual(new Set(texts.slice(0, 1)));
      return texts[0] ?? '';
    };
    const axes = async () => oneOf((await report.charts()).map(({ axis }) => axis.join(' ')));

    it('is complete and draws its charts without network and script', async () => {
      const path = join(exported, 'run.html');
      await exportAs('exportHtml', path);
      report = await openReport(app, path);
      await report.load(false);
      const text = await report.page.locator('body').innerText();
      expect(text).toMatch(/stopped/i);
      expect(text).toContain('viewers: 100');
      expect(text).toContain('all in, looks good');
      const charts = await report.charts();
      expect(charts.map(({ title }) => title)).toEqual(expect.arrayContaining(['Viewers', 'CPU', 'Bandwidth']));
      for (const { title, longestPx } of charts.slice(0, 3))
        expect(longestPx, `the longest line of ${title}`).toBeGreaterThan(50);
      expect(await report.page.locator('html.scripted').count()).toBe(0);
    });

    it('has five pages of A4 at most, and no column beyond the paper', async () => {
      // Millimetres between the margins, at 96 dpi.
      const page = { width: Math.round((182 * 96) / 25.4), height: Math.round((264 * 96) / 25.4) };
      await report.page.emulateMedia({ media: 'print' });
      await report.page.setViewportSize(page);
      const { width, height } = await report.page.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        height: document.documentElement.scrollHeight,
      }));
      await report.page.emulateMedia({ media: null });
      await report.page.setViewportSize({ width: 1280, height: 900 });
      expect(width).toBeLessThanOrEqual(page.width);
      expect(height / page.height).toBeLessThan(5);
    });

    it('zooms all charts by a drag in one, and a double click resets the zoom', async () => {
      await report.load(true);
      const whole = await axes();
      await pointAt(1, 0.4);
      await report.page.mouse.down();
      await pointAt(1, 0.9);
      await report.page.mouse.up();
      const zoomed = await axes();
      expect(zoomed).not.toBe(whole);
      await plot(2).dblclick();
      expect(await axes()).toBe(whole);
    });

    it('shows the values of the same second in all charts', async () => {
      const crosshairs = async () => (await report.charts()).filter(({ crosshair }) => crosshair !== undefined);
      // A double click redraws the chart below the pointer, for which the browser can omit the leave event.
      for (let time = 0; time < 10; time++) {
        await plot(2).dblclick();
        await report.page.mouse.move(1, 1);
        await expect.poll(crosshairs).toEqual([]);
      }
      const times = new Set<string>();
      const viewers = new Set<string>();
      for (const share of [0.1, 0.3, 0.5, 0.7, 0.9]) {
        await pointAt(2, share);
        const charts = await report.charts();
        const time = oneOf(charts.map(({ crosshair }) => crosshair ?? 'none'));
        expect(await report.page.locator('#moment').textContent()).toMatch(new RegExp(`^${time} · `));
        times.add(time);
        viewers.add(charts.find(({ title }) => title === 'Viewers')?.values.join(' ') ?? 'no chart');
      }
      expect(times.size).toBe(5);
      expect([...viewers].some((values) => /\b100\b/.test(values))).toBe(true);
      expect(viewers.size).toBeGreaterThan(1);
    });

    it('requests only itself, without violations of its own policy', async () => {
      const asked = await report.requests();
      expect(new Set(asked)).toEqual(new Set([pathToFileURL(join(exported, 'run.html')).href]));
      expect(report.errors).toEqual([]);
    });
  });

  it('exports the samples as CSV, in ISO 8601 and plain numbers', async () => {
    const path = join(exported, 'run.csv');
    await exportAs('exportCsv', path);
    const rows = await csvRows(path);
    expect(rows.length).toBeGreaterThan(100);
    const connectedRows = rows.filter((row) => row['series'] === 'viewersConnected');
    expect(Math.max(...connectedRows.map((row) => Number(row['value'])))).toBe(100);
    for (const row of connectedRows)
      expect(Object.values(row).join(' ')).toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/);
  });

  it('saves one chart as a picture', async () => {
    const path = join(exported, 'chart.png');
    await app.saveTo(path);
    await app.page.locator('[data-chart="viewers"] .plot').click({ button: 'right' });
    await app.page.getByRole('menuitem', { name: 'Save as PNG' }).click();
    await written(path);
    const { width, height } = await pngSize(path);
    expect(width).toBeGreaterThan(300);
    expect(height).toBeGreaterThan(100);
  });

  it('imports the exported file under a separate name beside the first', async () => {
    await app.openFrom(join(exported, 'run.fullhouse'));
    await app.page.keyboard.press('Control+o');
    await app.find('verdict').first().waitFor();
    // A completed import opens its run, possibly after the click on the tab.
    await until('the imported run in the list', async () => {
      await app.find('runsTab').click();
      return (await app.find('runRow').count()) >= 1;
    });
  });

  it('measures the delay of paths of the lab, with and without load', async () => {
    await app.page.keyboard.press('y');
    const dialog = app.find('delayDialog');
    await dialog.waitFor();
    await app.find('delaySeconds').fill('5');
    await app.find('delayRepeats').fill('2');
    await app.find('delayViewers').fill('20');
    const chosen = ['WebRTC, H.264', 'WebRTC, H.264, under load'];
    await app.find('delayRow').first().waitFor();
    for (const row of await app.find('delayRow').all())
      if (!chosen.includes((await row.locator('label').innerText()).trim())) await row.getByRole('checkbox').uncheck();
    expect(await app.find('delayAbout').innerText()).toMatch(/^2 paths × 2 repeats, about \d+ (s|min)/);
    await app.find('delayStart').click();
    await until('the time left', async () => / left$/.test(await app.find('delayStatus').innerText()), 30_000);
    const measured = dialog.locator('[data-testid="delay-row"][data-state="done"]');
    await until('both delays', async () => (await measured.count()) === 2, 100_000);
    await app.find('delayStart').waitFor();
    expect(await measured.last().innerText()).toContain('20 viewers');
    for (const row of await measured.all()) {
      const [repeats, p50] = await row.locator('td').allInnerTexts();
      expect(Number(repeats)).toBe(2);
      expect(Number(p50)).toBeGreaterThan(5);
    }
    await app.find('delayCopy').click();
    const copied = await app.electron.evaluate(({ clipboard }) => clipboard.readText());
    expect(copied).toMatch(/\| 1 \| WebRTC, H\.264 \| [\d,]+ \|/);
  });

  it('keeps delay tables, and compares two of them', async () => {
    await app.find('delayName').fill('With another setting');
    await app.find('delayRepeats').fill('1');
    await app.find('delayRow').getByLabel('WebRTC, H.264, under load').uncheck();
    await app.find('delayStart').click();
    await app.find('delayCancel').waitFor();
    // Asked first: closing would end the test.
    await app.page.keyboard.press('Escape');
    await app.find('delayEnd').waitFor();
    await app.page.keyboard.press('Escape');
    await app.find('delayEnd').waitFor({ state: 'detached' });
    await app.find('delayStart').waitFor({ timeout: 60_000 });
    await app.find('delayTabs').getByRole('button', { name: 'Saved (2)' }).click();
    expect(await app.find('delayKept').first().innerText()).toContain('With another setting');
    await app.find('delayKept').last().getByRole('checkbox').check();
    const compared = await app.find('delayCompared').allInnerTexts();
    expect(compared).toHaveLength(1);
    expect(await app.find('delayComparison').innerText()).toContain('Only before: WebRTC, H.264, under load.');
    await app.find('delayKept').first().getByRole('button').click();
    await app.find('delayShown').waitFor();
    await app.find('delayRemove').click();
    await until('one table', async () => (await app.find('delayKept').count()) === 1);
    await app.find('delayUndo').click();
    await until('both tables', async () => (await app.find('delayKept').count()) === 2);
  });

  it('saves a delay table to a file, and opens it', async () => {
    const path = join(exported, 'lab.delay.json');
    await app.saveTo(path);
    await app.find('delaySave').click();
    await written(path);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ fullhouseDelay: 1, name: 'With another setting' });
    await app.find('delayRemove').click();
    await until('one table', async () => (await app.find('delayKept').count()) === 1);
    await app.openFrom(path);
    await app.find('delayOpen').click();
    await until('both tables', async () => (await app.find('delayKept').count()) === 2);
    expect(await app.find('delayKept').first().innerText()).toContain('With another setting');
  });

  it('measures no delay while the window is hidden', async () => {
    await app.find('delayTabs').getByRole('button', { name: 'Measure' }).click();
    await app.find('delayRepeats').fill('1');
    await app.find('delayRow').first().waitFor();
    for (const row of await app.find('delayRow').all())
      if ((await row.locator('label').innerText()).trim() !== 'WebRTC, H.264')
        await row.getByRole('checkbox').uncheck();
    await app.find('delayStart').click();
    const running = app.page.locator('[data-testid="delay-row"][data-state="running"]');
    await until('a measurement', async () => /measuring/.test((await running.allInnerTexts()).join('')), 30_000);
    await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    const failed = app.page.locator('[data-testid="delay-row"][data-state="failed"]');
    await until('the failed row', async () => (await failed.count()) === 1, 20_000);
    await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.show());
    expect(await failed.innerText()).toContain('The window was hidden or minimised');
    await app.page.keyboard.press('Escape');
    await app.find('delayDialog').waitFor({ state: 'detached' });
    await until('no job left', async () => (await app.page.locator('[data-testid="job-row"]').count()) === 0, 20_000);
  });

  it('wrote no error to its console', () => {
    expect(app.pageErrors).toEqual([]);
  });
});
