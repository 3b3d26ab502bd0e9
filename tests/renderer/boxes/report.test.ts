import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { reportHtml } from '../../../src/engine/report/html';
import { openThousandViewers } from '../../support/reportRun';
import { previewFolder } from '../buildPage';
import { windowTest } from '../windowPage';
import { boxProblemsAt, enlarged, plainSizes } from './measure';

windowTest('a report cuts nothing', async ({ windowPage }) => {
  const { reader, close } = openThousandViewers();
  const html = reportHtml(reader);
  close();
  await windowPage.page.setContent(html);
  await windowPage.page.evaluate(await readFile(join(previewFolder, 'boxes.js'), 'utf8'));
  for (const colorScheme of ['dark', 'light'] as const) {
    await windowPage.page.emulateMedia({ colorScheme });
    expect(await boxProblemsAt(windowPage.page, [...plainSizes, enlarged])).toEqual([]);
  }
});
