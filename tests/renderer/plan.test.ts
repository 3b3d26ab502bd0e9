import { describe, expect, it } from 'vitest';
import { windowTest, type WindowPage } from './windowPage';

let window: WindowPage;
const picture = async (name: string): Promise<void> => {
  const folder = process.env['FULLHOUSE_PICTURES'];
  if (folder) await window.page.screenshot({ path: `${folder}/${name}.png` });
};

windowTest.beforeAll(async ({ windowPage }) => {
  window = windowPage;
  await window.show('scenario=none');
});

async function open(): Promise<void> {
  if (await window.find('pullDialog').count()) await window.page.keyboard.press('Escape');
  await window.find('pullDialog').waitFor({ state: 'detached' });
  await window.find('pullButton').click();
  await window.find('pullDialog').waitFor();
}
const yaml = (): Promise<string | null> => window.find('pullYaml').textContent();

describe('the Pull dialog', () => {
  it('shows nothing of an earlier plan while a field is invalid', async () => {
    await open();
    const shown = async (): Promise<readonly (string | null)[]> =>
      Promise.all([window.find('pullExpectedMbps').textContent(), window.find('pullCli').textContent(), yaml()]);
    await expect.poll(async () => (await shown())[0]).toBe('17.0');
    expect(await window.find('planCheck').count()).toBeGreaterThan(0);
    await window.find('pullViewers').fill('-5');
    await expect.poll(shown).toEqual(['–', '–', '–']);
    expect(await window.find('planCheck').count()).toBe(0);
    expect((await window.find('pullEndTime').textContent())?.trim()).toBe('Fix the marked fields to start');
    expect(await window.find('pullDialog').textContent()).toContain('ends –');
    await picture('plan-invalid');
    await window.find('pullViewers').fill('200');
    await expect.poll(async () => (await shown())[0]).toBe('34.0');
  });

  it('has a sentence for each wrong field, and leads to the first', async () => {
    await open();
    await window.find('pullRate').fill('fast');
    await window.find('pullHold').fill('long');
    const invalid = window.find('pullDialog').locator('[aria-invalid="true"]');
    await expect.poll(() => invalid.count()).toBe(2);
    const paths = await window.find('pullProblem').evaluateAll((all) => all.map((each) => each.dataset['path']));
    expect(new Set(paths).size).toBe(2);
    await window
      .find('pullDialog')
      .locator('.body')
      .evaluate((body) => body.scrollTo(0, body.scrollHeight));
    await window.find('pullEndTime').getByRole('button').click();
    expect(await window.find('pullRate').evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
    await window.page.keyboard.press('Escape');
  });

  it('shows the date of an end that is not today, and limits a hold', async () => {
    await open();
    await window.find('pullHold').fill('50 h');
    await expect
      .poll(() => window.find('pullEndTime').textContent())
      .toMatch(/^Stops at \d{4}-\d\d-\d\d \d\d:\d\d, or on Stop all/);
    await window.find('pullHold').fill('9999 h');
    await expect.poll(() => window.find('pullProblem').textContent()).toContain('8,784 h (366 days) or less');
  });

  it('combines stages, and writes them', async () => {
    await open();
    await window.find('planLoadProfile').getByRole('button', { name: 'Stages' }).click();
    await window.find('planAddStage').click();
    await window.page.getByLabel('Kind of stage 3').selectOption('spike');
    await window.page.getByTestId('plan-stage-2-viewers').fill('900');
    await expect.poll(yaml).toContain('{ spike: 900, for: 60s, rate: 200/s }');
    const curve = window.find('stageCurve');
    await expect.poll(() => curve.textContent()).toMatch(/Peak 900 viewers\s*Duration 2 min 32 s/);
    await expect.poll(() => curve.textContent()).toContain('Peak bandwidth 153 Mbit/s');
    expect(await curve.locator('polyline').count()).toBe(1);
    await window.page.getByTestId('plan-stage-0-viewers').fill('1000');
    await expect.poll(() => curve.textContent()).toContain('Peak –');
    await window.page.getByTestId('plan-stage-0-viewers').fill('500');
    await picture('plan-stages');
  });

  it('names an invalid stage', async () => {
    await window.page.getByTestId('plan-stage-2-viewers').fill('100');
    await expect.poll(() => window.find('pullProblem').textContent()).toContain('a spike must go above it');
    expect(await window.find('pullStart').isDisabled()).toBe(true);
    await picture('plan-stages-wrong');
    await window.page.getByTestId('plan-stage-2-viewers').fill('900');
  });

  it('requires the fields of a search', async () => {
    await window.find('planLoadProfile').getByRole('button', { name: 'Limit search' }).click();
    await window.page.getByTestId('plan-search-repeats').fill('5');
    await expect.poll(yaml).toContain('repeats: 5');
    expect(await window.find('searchEstimate').textContent()).toMatch(/About \d+ trials, \d+ min/);
    expect(await window.find('pullEndTime').textContent()).toMatch(/^Stops after about \d+ min, or/);
    expect((await window.find('pullStart').textContent())?.trim()).toContain('Find the limit');
    await picture('plan-search');
  });

  it('adds expectations of series and stop conditions in readable rows', async () => {
    await open();
    await window.find('planOptions').click();
    await window.find('planAddThreshold').click();
    const series = window.find('seriesPicker');
    // The rest of the row must not hide the series.
    expect((await series.boundingBox())?.width).toBeGreaterThan(100);
    await series.click();
    const groups = window.find('pullDialog').locator('[role=listbox] [role=group]');
    expect(await groups.evaluateAll((all) => all.map((group) => group.getAttribute('aria-label')))).toEqual([
      'Host',
      'Process',
      'Origin',
      'Viewers',
    ]);
    await picture('plan-series');
    await window.find('seriesSearch').fill('jitter p95');
    await window.find('seriesSearch').press('Enter');
    await expect.poll(() => series.getAttribute('aria-label')).toBe('Series: Jitter p95, Viewers');
    // The list handled the keys, not the dialog or its form.
    expect(await window.find('pullDialog').isVisible()).toBe(true);
    await window.page.getByLabel('Threshold, with unit').fill('30ms');
    await window.page.getByLabel('Tolerance, % of time').fill('5');
    await expect.poll(yaml).toContain('jitterP95Ms: { is: "<= 30ms", tolerance: 5% }');
    await window.find('planAddStop').click();
    await window.page.getByLabel('Duration', { exact: true }).fill('12 s');
    await expect.poll(yaml).toContain('degraded > 20% for 12s');
    const delay = window.page.getByLabel('Delay over the run');
    await delay.fill('p95 <= 500');
    await expect.poll(() => window.find('pullProblem').textContent()).toContain('500 has no unit.');
    await delay.fill('p50 <= 200ms, p95 <= 500ms');
    await expect.poll(yaml).toContain('delay: ["p50 <= 200ms", "p95 <= 500ms"]');
    await picture('plan-conditions');
    await delay.fill('');
    await expect.poll(yaml).not.toContain('delay:');
    await window.page.getByLabel('Remove', { exact: true }).first().click();
    await expect.poll(yaml).not.toContain('jitterP95Ms');
  });

  it('applies a preset to the selected nodes, with its conditions', async () => {
    await window.find('planPresets').click();
    const menu = window.page.getByRole('menu', { name: 'Presets' });
    expect(await menu.textContent()).toMatch(
      /Any server.*Soak 1 h\s*200 viewers · 1 h 1 min.*Find my limit\s*up to 1,000 viewers · about \d+ min.*SRS.*1,000 viewers · 1 min/s,
    );
    await picture('plan-presets');
    await window.page.locator('[data-preset="soak"]').click();
    await expect.poll(yaml).toContain('{ soak: 1h }');
    expect(await yaml()).toContain('degraded > 20% for 30s');
    expect(await yaml()).not.toContain('192.0.2.1');
    await picture('plan-preset');
  });

  it('follows YAML input, and reports the position of an error', async () => {
    await window.find('planEditYaml').click();
    const text = await window.find('planYamlText').inputValue();
    await window.find('planYamlText').fill(text.replace('ramp: 200', 'ramp: 321'));
    await expect.poll(() => window.page.getByTestId('plan-stage-0-viewers').inputValue()).toBe('321');
    await window.find('planYamlText').fill(text.replace('ramp: 200', 'ramps: 200'));
    await expect.poll(() => window.find('planYamlProblem').textContent()).toMatch(/Line \d+, pull\.stages/);
    expect(await window.find('pullStart').isDisabled()).toBe(true);
    await picture('plan-yaml-wrong');
    await window.find('planYamlDone').click();
    await expect.poll(yaml).toContain('ramp: 321');
  });

  it('schedules a later start after its hooks are allowed in the native dialog', async () => {
    await window.page.getByTestId('plan-repeat').fill('3');
    await window.find('planEditYaml').click();
    const text = await window.find('planYamlText').inputValue();
    await window.find('planYamlText').fill(`${text}\nhooks: [{ at: end, run: [notify] }]\n`);
    await expect.poll(() => window.find('pullStart').isEnabled()).toBe(true);
    await window.find('pullStart').click();
    await window.find('schedule').waitFor();
    expect(await window.find('schedule').textContent()).toContain('0 of 3 done');
    await picture('plan-scheduled');
    await window.find('schedule').getByRole('button').click();
    await window.find('schedule').waitFor({ state: 'detached' });
    expect(window.errors).toEqual([]);
  });

  it('shows the curve of stages at every size, in both themes, without a scrollbar', async () => {
    for (const theme of ['dark', 'light'])
      for (const [width, height] of [
        [1024, 640],
        [1280, 800],
        [1920, 1080],
      ] as const) {
        await window.show(`scenario=none&theme=${theme}`);
        await window.page.setViewportSize({ width, height });
        await open();
        await window.find('planLoadProfile').getByRole('button', { name: 'Stages' }).click();
        await window.find('planAddStage').click();
        await window.page.getByLabel('Kind of stage 3').selectOption('churn');
        await window.find('planAddStage').click();
        await window.page.getByLabel('Kind of stage 4').selectOption('spike');
        const curve = window.find('stageCurve');
        await expect.poll(() => curve.textContent()).toContain('Peak bandwidth 136 Mbit/s');
        const over = await window
          .find('pullDialog')
          .evaluate((dialog) => dialog.querySelector('.body')!.scrollWidth - dialog.clientWidth);
        expect(over).toBeLessThanOrEqual(0);
        await curve.scrollIntoViewIfNeeded();
        await picture(`stages-${theme}-${width}x${height}`);
      }
  });
});
