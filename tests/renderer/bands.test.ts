import { afterAll, describe, expect, it } from 'vitest';
import { windowTest, type WindowPage } from './windowPage';

/** Charts of many lines as mean, band and the worst line. */
let window: WindowPage;

windowTest.beforeAll(async ({ windowPage }) => {
  window = windowPage;
  await window.show('watch=20&minutes=10&zone=utc&now=2026-11-28T14:05:30Z');
});
afterAll(() => {
  expect(window.errors).toEqual([]);
});

const card = (id: string) => window.page.locator(`[data-chart="${id}"]`);
const button = (id: string) => card(id).getByTestId('chart-band');
const isBanded = (id: string) => button(id).getAttribute('aria-pressed');
const points = async (): Promise<number> => Number(await card('cpu').locator('.plot').getAttribute('data-points'));

describe('a chart of 20 lines', () => {
  let all = 0;

  it('becomes three by a key, as all others', async () => {
    await expect.poll(points).toBeGreaterThan(1000);
    all = await points();
    await window.page.keyboard.press('r');
    await expect.poll(() => isBanded('cpu')).toBe('true');
    expect(await isBanded('memory')).toBe('true');
    // The band, the mean and the worst line, whatever the number of nodes.
    await expect.poll(points).toBeLessThan(all / 4);
  });

  it('shows mean, min, max and the worst by name at the crosshair', async () => {
    const box = await card('cpu').locator('.plot').boundingBox();
    await window.page.mouse.move((box?.x ?? 0) + 150, (box?.y ?? 0) + 60);
    const rows = window.page.getByRole('tooltip').locator('dt');
    await expect
      .poll(() => rows.allTextContents().then((all) => all.map((text) => text.trim())))
      .toEqual(['ams-edge-08', 'mean', 'min', 'max']);
  });

  it('shows all lines again by its button, alone', async () => {
    await button('cpu').click();
    await expect.poll(() => isBanded('cpu')).toBe('false');
    expect(await isBanded('memory')).toBe('true');
    await expect.poll(points).toBeGreaterThan(all / 2);
  });

  it('is switched by its menu, and by the key under the pointer', async () => {
    await card('cpu').locator('.plot').click({ button: 'right' });
    await window.page.locator('[data-action="band"]').click();
    await expect.poll(() => isBanded('cpu')).toBe('true');
    await card('cpu').locator('.plot').hover();
    await window.page.keyboard.press('r');
    await expect.poll(() => isBanded('cpu')).toBe('false');
  });

  it('has all of its few lines while nodes are isolated', async () => {
    await window.page.mouse.move(0, 0);
    await button('cpu').click();
    await window.page.locator('[data-node="fra-edge-01"]').click();
    await expect.poll(() => card('cpu').locator('header .figure').count()).toBe(1);
    await window.page.keyboard.press('0');
  });
});

describe('a chart of few lines', () => {
  it('is not switched by the key, which would show nothing until it has many', async () => {
    await window.show('scenario=pull742');
    await expect.poll(points).toBeGreaterThan(10);
    expect(await button('cpu').count()).toBe(0);
    await window.page.keyboard.press('r');
    await window.find('layoutMenu').click();
    expect(await window.find('layoutReset').isDisabled()).toBe(true);
    await window.page.keyboard.press('Escape');
  });
});

describe('a text that is cut', () => {
  it('has all of it as a tooltip, while the pointer is on it', async () => {
    await window.show('scenario=longNames');
    const name = window.page.locator('[data-node="atom-c2550"] .cut').first();
    await name.hover();
    const titled = () => name.evaluate((element) => element.closest('[title]')?.getAttribute('title') ?? '');
    await expect
      .poll(titled)
      .toContain('atom-c2550-of-the-second-data-centre-in-frankfurt-rack-17-behind-the-load-balancer');
    await name.evaluate((element) => (element.textContent = `${element.textContent}-and-more`));
    await expect.poll(titled).toContain('balancer-and-more');
    await name.evaluate((element) => element.ownerDocument.dispatchEvent(new MouseEvent('mouseleave')));
    await expect.poll(titled).not.toContain('and-more');
    await name.dispatchEvent('mouseover');
    await expect.poll(titled).toContain('and-more');
    await name.evaluate((element) => element.ownerDocument.dispatchEvent(new Event('scroll')));
    await expect.poll(titled).not.toContain('and-more');
  });
});
