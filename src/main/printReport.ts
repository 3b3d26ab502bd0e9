import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BrowserWindow, session } from 'electron';
import { privateTempFolder } from '../engine/base/tempFolder';
import { guardPermissions } from './guards';
import { errorText } from '../domain/text/errorText';
import { paletteColour } from '../engine/report/palette';

/** A4 in px at 96 dpi: the layout width of the page before it is printed. */
const paper = { width: 794, height: 1123 } as const;
const printLimitMs = 120_000;

/**
 * Writes a report as PDF: `write` creates its HTML at the given path, and a hidden window without scripts, bridge or
 * network prints it. Rejects with one sentence.
 */
export async function printReport(
  path: string,
  write: (html: string) => Promise<unknown>,
): Promise<{ path: string; bytes: number }> {
  const folder = privateTempFolder();
  try {
    const html = join(folder.path, 'report.html');
    await write(html);
    const part = `${path}.part`;
    try {
      await writeFile(part, await printed(pathToFileURL(html).href));
      await rename(part, path);
    } finally {
      await rm(part, { force: true });
    }
    return { path, bytes: (await stat(path)).size };
  } catch (error) {
    throw new Error(`${path} can't be printed: ${errorText(error)}`);
  } finally {
    folder.remove();
  }
}

async function printed(url: string): Promise<Buffer> {
  // A separate in-memory session; only the report itself is loaded in it.
  const apart = session.fromPartition('print');
  guardPermissions(apart);
  apart.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !isAllowedUrl(details.url, url) }));
  const window = new BrowserWindow({
    ...paper,
    show: false,
    webPreferences: {
      partition: 'print',
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      javascript: false,
      webgl: false,
      spellcheck: false,
    },
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('printing took longer than two minutes.')), printLimitMs);
  });
  try {
    await Promise.race([window.loadURL(url), late]);
    const { webContents } = window;
    return await Promise.race([
      webContents.printToPDF({
        pageSize: 'A4',
        printBackground: true,
        preferCSSPageSize: false,
        displayHeaderFooter: true,
        // Inches. The page's own header and footer are in the margins.
        margins: { top: 0.65, bottom: 0.6, left: 0.55, right: 0.55 },
        headerTemplate: headerOf(webContents.getTitle()),
        footerTemplate: footerOf(Date.now()),
      }),
      late,
    ]);
  } finally {
    clearTimeout(timer);
    window.destroy();
  }
}

/** The page itself and what is embedded in it. */
export function isAllowedUrl(url: string, page: string): boolean {
  return url === page || url.startsWith('data:');
}

const small = `font: 8px Inter, Arial, sans-serif; color: ${paletteColour('light', 'text-faint')}; width: 100%; padding: 0 14mm; display: flex`;

export function headerOf(title: string): string {
  const text = title.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<div style="${small}"><span style="flex: 1">${text}</span><span>Fullhouse</span></div>`;
}

/** The date in an unambiguous format. */
const footerOf = (nowMs: number): string =>
  `<div style="${small}"><span style="flex: 1">Printed ${new Date(nowMs).toISOString().slice(0, 10)}</span><span>Page <span class="pageNumber"></span> of <span class="totalPages"></span></span></div>`;
