import { beforeAll, describe, expect, it } from 'vitest';
import { windowTest, type WindowPage } from './windowPage';

/** The estimate of a run with known figures: 0.24 % of four cores and 2.08 Mbit/s for each viewer. */
let window: WindowPage;

windowTest.beforeAll(({ windowPage }) => {
  window = windowPage;
});

const text = async (id: Parameters<WindowPage['find']>[0]): Promise<string> =>
  ((await window.find(id).first().textContent()) ?? '').replace(/\s+/g, ' ').trim();
const row = (resource: string) => window.page.locator(`[data-testid="estimate-row"][data-resource="${resource}"]`);
const need = (id: string) => window.page.locator(`[data-testid="what-if-need"][data-need="${id}"]`);

describe('the estimate of a saved run', () => {
  beforeAll(async () => {
    await window.show('scenario=smallLoad');
    await window.find('runsTab').click();
    await window.find('runRow').first().dblclick();
    await window.find('estimateButton').click();
    await window.find('estimateRow').first().waitFor();
  });

  it('names the bottleneck, and marks measured and extrapolated figures', async () => {
    expect(await text('estimateSentence')).toMatch(
      /^≈ 310 viewers \(\d+ to \d+\); bottleneck: host CPU \(extrapolated from 100 viewers, × 3\.\d\)\.$/,
    );
    const cpu = row('hostCpu');
    expect(await cpu.locator('.measured').first().textContent()).toMatch(/^0\.2[34]\d* ± /);
    expect(await cpu.locator('.extrapolated').last().textContent()).toMatch(/^≈\s310\sviewers$/);
    expect(await row('bandwidth').textContent()).toContain('941 Mbit/s by iperf3');
  });

  it('updates What if during input', async () => {
    await need('cpu').filter({ hasText: 'too little' }).waitFor();
    await window.page.getByTestId('what-if-viewers').fill('200');
    await need('cpu').filter({ hasText: 'enough' }).waitFor();
    expect(await text('whatIfVerdict')).toContain('It is sufficient');
    await window.page.getByTestId('what-if-bitrate').fill('8000');
    await need('bandwidth').filter({ hasText: 'too little' }).waitFor();
    await window.page.getByTestId('what-if-nic').fill('10000');
    await need('bandwidth').filter({ hasText: 'enough' }).waitFor();
    await window.page.getByTestId('what-if-nic').fill('fast');
    await window.find('whatIf').getByText('Enter a number above 0.').waitFor();
  });

  it('describes a calibration load before it starts', async () => {
    await window.find('estimateDialog').getByRole('button', { name: 'Calibrate again' }).click();
    await window.page.getByTestId('calibration-max').fill('50');
    await window.find('calibration').getByText('Up to 50 viewers of cam-240p').waitFor();
    await window.find('calibration').getByText('Stops early if more than 5 %').waitFor();
    await window.page.getByTestId('calibration-hold').fill('5');
    await window.find('calibration').getByText('Enter a hold of 10 s to 1 h').waitFor();
    expect(await window.find('calibrationStart').isDisabled()).toBe(true);
  });

  it('writes nothing to the console', () => {
    expect(window.errors.filter((error) => !error.includes('ERR_'))).toEqual([]);
  });
});
