import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRunLibrary, type RunReader } from '../store';
import { csvLines } from './csv';
import { reportHtml } from './html';
import { junitXml } from './junit';
import { markdownText } from './markdown';
import { saveThousandViewers } from '../../../tests/support/reportRun';

let folder: string;
let reader: RunReader;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-planted-'));
  const library = openRunLibrary(folder);
  saveThousandViewers(library);
  reader = library.open('thousand');
});
afterAll(() => {
  reader.close();
  rmSync(folder, { recursive: true, force: true });
});

const planted = '\u001b[2J\u009b31m\u202eowned\u0007';
/** What users enter and hosts report: a server, a host or the sender of a file controls these. */
const foreign = new Set(['name', 'sentence', 'detail', 'software', 'cpuModel', 'system', 'who', 'title', 'expected']);

/** A copy in which each such text contains escapes. */
function plant<T>(value: T, key = ''): T {
  if (typeof value === 'string') return (foreign.has(key) ? `${value}${planted}` : value) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => plant(each, key)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plant(each, name)])) as T;
}

it('no report of a run lets its texts affect a terminal or a page', () => {
  const view = plant(reader.view());
  const events = plant(reader.events());
  const all = new Proxy(reader, {
    get: (target, name) => {
      if (name === 'view') return () => view;
      if (name === 'events') return () => events;
      const member = Reflect.get(target, name, target) as unknown;
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  const reports = {
    html: reportHtml(all),
    junit: junitXml(all),
    markdown: markdownText(all),
    csv: csvLines(
      { keys: [{ node: 'o', series: `server:x${planted}` }], key: [0], timeMs: [0], value: [1] },
      () => planted,
    ),
  };
  for (const [kind, text] of Object.entries(reports)) {
    expect(text, kind).toContain('owned');
    expect(text.match(/[^\P{Cc}\t\r\n]|[\u202a-\u202e]/gu), kind).toBeNull();
  }
  // The data of the page's script.
  const data = /id="data">(.*?)<\/script>/s.exec(reports.html)?.[1] ?? '';
  expect(data).toContain('owned');
  expect(data).not.toContain('\\u001b');
  expect(reports.markdown).toMatch(/`\S*␛\[2J␛\[31m<U\+202E>owned␇`/);
});
