import { beforeAll, describe, expect, it } from 'vitest';
import { windowTest, type WindowPage } from './windowPage';

/** A limit search on the screen, with known figures. */
let window: WindowPage;

windowTest.beforeAll(({ windowPage }) => {
  window = windowPage;
});

const text = async (id: Parameters<WindowPage['find']>[0]): Promise<string> =>
  ((await window.find(id).first().textContent()) ?? '').replace(/\s+/g, ' ').trim();

/** Opens an ended run from the list of saved runs. */
async function openKept(query: string): Promise<void> {
  await window.show(query);
  await window.find('runsTab').click();
  await window.find('runRow').first().dblclick();
}

async function picture(name: string): Promise<void> {
  const folder = process.env['PICTURES'];
  if (folder) await window.page.screenshot({ path: `${folder}/${name}.png` });
}

describe('an active search', () => {
  beforeAll(() => window.show('scenario=limitSearching'));

  it('shows the current trial and the known bounds', async () => {
    expect(await text('limitFigure')).toBe('Trying 267 viewers');
    expect(await text('limitPanel')).toContain('252 viewers passed, 283 failed.');
    expect(await text('limitPanel')).toContain('Repeat 1: trying 267 viewers.');
    // The newest is first during the search.
    expect(await text('limitTrial')).toMatch(/^283 failed/);
    await picture('searching-dark');
  });
});

describe('a completed search', () => {
  beforeAll(() => openKept('scenario=limitFound'));

  it('shows its result, the bottleneck, and every size', async () => {
    expect(await text('limitFigure')).toBe('Limit 265 ± 6 viewers');
    expect(await text('limitPanel')).toContain('Found 2 times: 259 always passed, 267 failed.');
    expect(await text('limitPanel')).toContain('Bottleneck CPU of atom-c2550 was at 97.1 %');
    expect(await window.find('limitTrial').count()).toBe(12);
    await picture('found-dark');
  });

  it('moves the crosshair to the time of a trial, and highlights its row', async () => {
    const row = window.find('limitTrial').nth(3);
    await row.click();
    await window.page.locator('[data-testid="limit-trial"].highlighted').filter({ hasText: '504' }).waitFor();
  });

  it('does not offer another search', async () => {
    expect(await window.find('findLimit').count()).toBe(0);
  });
});

describe('a run without a search', () => {
  beforeAll(() => openKept('scenario=fail256&theme=light'));

  it('offers a limit search', async () => {
    await window.find('findLimit').waitFor();
    await picture('offer-light');
    expect(window.errors).toEqual([]);
  });
});
