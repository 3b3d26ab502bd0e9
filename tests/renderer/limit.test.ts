import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWindowPage, type WindowPage } from './windowPage';

/** A search for the limit on the screen, with an engine whose every figure is known. */
let window: WindowPage;

beforeAll(async () => {
  window = await openWindowPage();
});
afterAll(async () => {
  await window.close();
});

const text = async (id: Parameters<WindowPage['find']>[0]): Promise<string> =>
  ((await window.find(id).first().textContent()) ?? '').replace(/\s+/g, ' ').trim();

/** A run that has ended is opened from the list of kept ones. */
async function openKept(query: string): Promise<void> {
  await window.show(query);
  await window.find('runsTab').click();
  await window.find('runRow').first().dblclick();
}

async function picture(name: string): Promise<void> {
  const folder = process.env['PICTURES'];
  if (folder) await window.page.screenshot({ path: `${folder}/${name}.png` });
}

describe('a search under way', () => {
  beforeAll(() => window.show('scenario=limitSearching'));

  it('says what is tried and what is known', async () => {
    expect(await text('limitFigure')).toBe('Trying 267 viewers');
    expect(await text('limitPanel')).toContain('252 viewers held, 283 did not.');
    expect(await text('limitPanel')).toContain('Repeat 1: 267 viewers are tried.');
    // The newest is on top while they come.
    expect(await text('limitTrial')).toMatch(/^283 broke/);
    await picture('searching-dark');
  });
});

describe('a search that has ended', () => {
  beforeAll(() => openKept('scenario=limitFound'));

  it('has its figure, what gave out first, and every size', async () => {
    expect(await text('limitFigure')).toBe('Limit 265 ± 6 viewers');
    expect(await text('limitPanel')).toContain('Found 2 times: 259 always held, 267 did not.');
    expect(await text('limitPanel')).toContain('Gave out first CPU of atom-c2550 was at 97.1 %');
    expect(await window.find('limitTrial').count()).toBe(12);
    await picture('found-dark');
  });

  it('moves the crosshair to the moment of a size, and lights its row', async () => {
    const row = window.find('limitTrial').nth(3);
    await row.click();
    await window.page.locator('[data-testid="limit-trial"].lit').filter({ hasText: '504' }).waitFor();
  });

  it('offers no search of a search', async () => {
    expect(await window.find('findLimit').count()).toBe(0);
  });
});

describe('a run that only pulled', () => {
  beforeAll(() => openKept('scenario=fail256&theme=light'));

  it('can be asked for its limit', async () => {
    await window.find('findLimit').waitFor();
    await picture('offer-light');
    expect(window.errors).toEqual([]);
  });
});
