import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Annotator } from '../../src/engine/export/annotate';
import { saveThousandViewers } from '../support/reportRun';
import { openRunLibrary } from '../../src/engine/store';
import { testStartMs } from '../support/savedRun';
import { customerSecrets, keepCustomerRun } from '../integration/servers/customerRun';
import { startApp, until, type StartedApp } from './app';

/** Support workflow: a run is anonymized, annotated elsewhere and imported again; reports are printed. */
describe('a shared run', () => {
  let app: StartedApp;
  let folder: string;
  let snapshot: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fullhouse-share-'));
    mkdirSync(join(folder, 'runs'));
    const library = openRunLibrary(join(folder, 'runs'));
    saveThousandViewers(library);
    keepCustomerRun(library);
    snapshot = join(folder, 'snapshot.fullhouse');
    app = await startApp({ width: 1440, height: 900, folder });
  });
  afterAll(async () => {
    await app?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const rowOf = (name: string) => app.find('runRow').filter({ hasText: name });
  const notice = (text: RegExp) => app.find('notice').filter({ hasText: text });
  async function open(name: string): Promise<void> {
    await app.find('runsTab').click();
    await rowOf(name).first().dblclick();
    await app.find('runTitle').filter({ hasText: name }).waitFor();
  }
  async function exportAs(id: Parameters<StartedApp['find']>[0]): Promise<void> {
    await app.find('exportMenu').first().click();
    await app.find(id).click();
  }

  it('is exported as a snapshot without detected data, except for exclusions', async () => {
    await open('Acme before the final');
    await app.saveTo(snapshot);
    await exportAs('exportSnapshot');
    const dialog = app.find('snapshotDialog');
    await dialog.getByText('final-match', { exact: true }).waitFor();
    await dialog.locator('[data-kind="stream"] input').first().click();
    await app.find('snapshotRemaining').getByText('1 stream').waitFor();
    // A key is listed truncated and cannot be kept.
    expect(await dialog.locator('[data-kind="secret"] input:not([disabled])').count()).toBe(0);
    expect(await dialog.textContent()).not.toContain('tok3n-value-9');
    await app.find('snapshotSave').click();
    await app
      .find('snapshotSaved')
      .filter({ hasText: /Saved .*snapshot\.fullhouse/ })
      .waitFor();
    const bytes = readFileSync(snapshot).toString('latin1').toLowerCase();
    expect(customerSecrets.filter((secret) => bytes.includes(secret.toLowerCase()))).toEqual(['final-match']);
  });

  it('is checked beside its original, which stays one click away', async () => {
    const listed = async (): Promise<number> => {
      await app.find('runsTab').click();
      return app.find('runRow').count();
    };
    const before = createHash('sha256').update(readFileSync(snapshot)).digest('hex');
    await app.find('snapshotOpen').click();
    await app.find('copyBar').filter({ hasText: 'Anonymized copy' }).waitFor();
    await app.find('runTitle').filter({ hasText: 'run-1' }).waitFor();
    await app.find('eventRow').filter({ hasText: 'run-1 began.' }).waitFor();
    await app.find('copySide').getByText('Original').click();
    await app.find('runTitle').filter({ hasText: 'Acme before the final' }).waitFor();
    await app.find('eventRow').filter({ hasText: 'Acme before the final began.' }).waitFor();
    await app.find('copySide').getByText('Copy').click();
    await app.find('runTitle').filter({ hasText: 'run-1' }).waitFor();
    await app.find('copyClose').click();
    await app.find('runTitle').filter({ hasText: 'Acme before the final' }).waitFor();
    // It is no run of the library, and its file is what was saved.
    expect(await listed()).toBe(2);
    expect(createHash('sha256').update(readFileSync(snapshot)).digest('hex')).toBe(before);
  });

  it('is imported with notes, which are merged into the existing run', async () => {
    const support = openRunLibrary(join(folder, 'support'));
    const copy = support.importFile(snapshot);
    new Annotator(support, Date.now).write(copy.id, {
      text: 'Too few threads from here on',
      timeMs: testStartMs + 40_000,
      author: 'Sam',
    });
    await app.openFrom(support.path(copy.id));
    await app.page.keyboard.press('Control+o');
    await notice(/1 note was added to the existing run/).waitFor();
    // What the snapshot shows is beside it.
    await app.find('copyBar').filter({ hasText: 'Anonymized copy' }).waitFor();
    await app.find('runTitle').filter({ hasText: 'run-1' }).waitFor();
    await app.find('copyClose').click();
    await app.find('runTitle').filter({ hasText: 'Acme before the final' }).waitFor();
    await app.find('eventRow').filter({ hasText: 'Too few threads' }).filter({ hasText: 'Sam' }).waitFor();
    // Only Sam may change it.
    expect(await app.find('noteEdit').count()).toBe(0);
  });

  it('accepts local notes, which can be changed and removed', async () => {
    await app.find('eventRow').filter({ hasText: 'Too few threads' }).click();
    await app.page.keyboard.press('m');
    // The user looks something up in another window.
    await app.find('noteField').dispatchEvent('blur');
    await app.find('noteAuthor').fill('Jane');
    await app.find('noteField').fill('We see it too');
    await app.find('noteField').press('Enter');
    const mine = app.find('eventRow').filter({ hasText: 'We see it too' });
    await mine.filter({ hasText: 'Jane' }).waitFor();
    await mine.hover();
    await app.find('noteEdit').click();
    await app.find('noteField').fill('We see it as well');
    await app.find('noteField').press('Enter');
    const changed = app.find('eventRow').filter({ hasText: 'We see it as well' });
    await changed.hover();
    await app.find('noteRemove').click();
    await changed.waitFor({ state: 'detached' });
    await app.find('undo').filter({ hasText: 'Undo' }).click();
    await changed.waitFor();
  });

  it('is refused with one sentence when the file is damaged', async () => {
    await app.openFrom(join(folder, 'data', 'settings.json'));
    await app.page.keyboard.press('Control+o');
    await notice(/settings\.json is not a Fullhouse run\. Choose a \.fullhouse file\./).waitFor();
  });

  it('is printed to A4 pages with its name and page numbers', async () => {
    await open('Pull 1000 on the local lab');
    const path = join(folder, 'report.pdf');
    await app.saveTo(path);
    await exportAs('exportPdf');
    await notice(/Saved .*report\.pdf/).waitFor();
    const pdf = readFileSync(path).toString('latin1');
    expect(pdf.startsWith('%PDF-')).toBe(true);
    const pages = pdf.match(/\/Type \/Page\b(?!s)/g)?.length ?? 0;
    expect(pages).toBeGreaterThanOrEqual(2);
    expect(pages).toBeLessThanOrEqual(5);
    expect(pages).toBeLessThanOrEqual(7);
    const boxes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)];
    expect(boxes.length).toBeGreaterThan(0);
    for (const [, width, height] of boxes) {
      expect(Number(width)).toBeCloseTo(595, -1);
      expect(Number(height)).toBeCloseTo(842, -1);
    }
    const windows = await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
    expect(windows).toBe(1);
  });

  it('is exported for CI and tickets, anonymized if selected', async () => {
    await open('Acme before the final');
    for (const [id, name] of [
      ['exportJunit', 'ci.xml'],
      ['exportMarkdown', 'ci.md'],
      ['exportHtml', 'ci.html'],
    ] as const) {
      const path = join(folder, name);
      await app.saveTo(path);
      await app.find('exportMenu').first().click();
      if (!(await app.find('exportRedacted').isChecked())) await app.find('exportRedacted').check();
      await app.find(id).click();
      await notice(new RegExp(`Saved .*${name.replace('.', '\\.')}`)).waitFor();
      const text = await until(`${name} is written`, () => Promise.resolve(readFileSync(path, 'utf8')));
      expect(customerSecrets.filter((secret) => text.includes(secret))).toEqual([]);
      expect(text).toContain('node-1');
    }
    expect(app.pageErrors).toEqual([]);
  });
});
