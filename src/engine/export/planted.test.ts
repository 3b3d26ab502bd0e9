import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { keepableKinds, saveEmptyRun } from '../../domain/redaction';
import { runEvent, runView, still } from '../../contract/schemas';
import { viewerRow } from '../../contract/viewerSchemas';
import { exportComparison } from '../library/exportComparison';
import { ciSummary } from '../library/ciSummary';
import { resultOf } from '../report/runResult';
import { openRunLibrary, type RunLibrary } from '../store';
import { bytesAt, Database } from '../store/database';
import { hasTable } from '../store/rows';
import { tables } from '../store/tables';
import { testStartMs, testView } from '../../../tests/support/savedRun';
import { plantedIdentities, plantedRunId, plantedSecrets, savePlantedRun } from '../../../tests/support/plantedRun';
import { Annotator } from './annotate';
import { exportRun, type ExportFormat } from './exportRun';
import { previewSnapshot, writeSnapshot } from './snapshot';

let folder: string;
let library: RunLibrary;
let copies: RunLibrary;
let copy: string;
const at = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-planted-'));
  library = openRunLibrary(at('runs'));
  savePlantedRun(library);
  new Annotator(library, () => testStartMs + 200_000).write(plantedRunId, {
    text: plantedIdentities.savedNote,
    timeMs: testStartMs + 50_000,
    author: plantedIdentities.noteAuthor,
  });
  writeSnapshot(library, plantedRunId, saveEmptyRun, at('snapshot.fullhouse'));
  copies = openRunLibrary(at('copies'));
  copy = copies.importFile(at('snapshot.fullhouse')).id;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every byte of a run file, and what is packed in it; its log as well. */
function contentOf(path: string): string {
  const database = new Database(path);
  try {
    const columns = [
      ['block', 'data'],
      ['histogram_block', 'whole'],
      ['histogram_block', 'seconds'],
    ] as const;
    const packed = columns
      .filter(([table]) => hasTable(database, tables[table]))
      .flatMap(([table, column]) => database.rows(`SELECT ${column} FROM ${table}`))
      .map((row) => inflateRawSync(bytesAt(row, 0)));
    const logs = ['-wal', '-journal'].map((beside) => path + beside).filter((each) => existsSync(each));
    const bytes = Buffer.concat([readFileSync(path), ...logs.map((log) => readFileSync(log)), ...packed]);
    return `${bytes.toString('latin1')}\n${bytes.toString('utf8')}\n${bytes.toString('utf16le')}`;
  } finally {
    database.close();
  }
}

const formsOf = (text: string): string[] => [
  text,
  encodeURIComponent(text),
  JSON.stringify(text).slice(1, -1),
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
  text.replace(/[\\`*_{}[\]<>()#+.!|~-]/g, '\\$&'),
];

function leftIn(text: string, planted: Readonly<Record<string, string>>): string[] {
  const all = text.toLowerCase();
  return Object.entries(planted)
    .filter(([, value]) => formsOf(value).some((form) => all.includes(form.toLowerCase())))
    .map(([name]) => name);
}
const everything = { ...plantedIdentities, ...plantedSecrets };
const isInRun = Object.keys(everything).filter((name) => name !== 'writerHost');
const formats = ['html', 'csv', 'junit', 'markdown', 'sqlite'] as const satisfies readonly ExportFormat[];

async function written(from: RunLibrary, run: string, kind: ExportFormat, isRedacted: boolean): Promise<string> {
  const path = at(`${from === library ? 'run' : 'copy'}-${kind}-${isRedacted}`);
  await exportRun(from, run, kind, path, isRedacted ? saveEmptyRun : undefined);
  return kind === 'sqlite' ? readFileSync(path, 'latin1') : readFileSync(path, 'utf8');
}

describe(`${Object.keys(everything).length} planted secrets and identities`, () => {
  it('are all in the run', () => {
    expect(Object.keys(everything).length).toBeGreaterThan(40);
    expect(leftIn(contentOf(library.path(plantedRunId)), everything)).toEqual(isInRun);
  });

  it('are in no byte of an anonymized copy', () => {
    expect(leftIn(contentOf(at('snapshot.fullhouse')), everything)).toEqual([]);
  });

  it.each(formats)('are not in an anonymized report as %s', async (kind) => {
    expect(leftIn(await written(library, plantedRunId, kind, true), everything)).toEqual([]);
  });

  it.each(formats)('are not in a report of the copy as %s', async (kind) => {
    expect(leftIn(await written(copies, copy, kind, false), everything)).toEqual([]);
  });

  it('are not in results, comparisons, names of files and the list of a library with the copy', () => {
    writeSnapshot(library, plantedRunId, { keepKinds: ['still'], keep: [] }, at('second.fullhouse'));
    const second = copies.importFile(at('second.fullhouse')).id;
    const reader = copies.open(copy);
    const texts = {
      show: JSON.stringify(resultOf(reader, copies.path(copy).slice(folder.length), null)),
      ci: ciSummary(reader, { library: copies, link: undefined }),
      list: JSON.stringify(copies.list()),
      integrity: JSON.stringify([reader.integrity(), reader.engine(), reader.keys()]),
      file: copies.path(copy).slice(folder.length),
      ...Object.fromEntries(
        (['html', 'md', 'csv', 'srs'] as const).map((kind) => {
          exportComparison(copies, [copy, second], { kind, alignment: 'time' }, at(`comparison.${kind}`));
          return [`comparison ${kind}`, readFileSync(at(`comparison.${kind}`), 'utf8')];
        }),
      ),
    };
    reader.close();
    expect(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, leftIn(text, everything)]))).toEqual(
      Object.fromEntries(Object.keys(texts).map((name) => [name, []])),
    );
  });

  it('stay by choice, except for credentials', () => {
    writeSnapshot(library, plantedRunId, { keepKinds: keepableKinds, keep: [] }, at('kept.fullhouse'));
    const content = contentOf(at('kept.fullhouse'));
    const left = leftIn(content, everything);
    for (const name of ['runName', 'host', 'stream', 'serverAnswer', 'otherProgram', 'user', 'gcLog', 'picture'])
      expect(left).toContain(name);
    for (const name of ['awsKey', 'awsSecret', 'jwt', 'githubToken', 'iban', 'card', 'phone', 'hookArgument', 'apiKey'])
      expect(left).not.toContain(name);
    expect(leftIn(content, plantedSecrets)).toEqual([]);
  });

  it('are credentials in no output that is not anonymized', async () => {
    const found: Record<string, string[]> = {};
    for (const kind of formats) found[kind] = leftIn(await written(library, plantedRunId, kind, false), plantedSecrets);
    // What only the engine of the recording knew, it has masked before anything was written.
    const withoutKnown = (names: readonly string[]): string[] => names.filter((name) => name !== 'knownPassword');
    expect(Object.values(found).flatMap(withoutKnown)).toEqual([]);
  });

  it('are listed before, except for credentials', () => {
    const listed = previewSnapshot(library, plantedRunId);
    expect(leftIn(JSON.stringify(listed), plantedSecrets)).toEqual([]);
    const texts = listed.filter(({ kind }) => kind === 'text').map(({ value }) => value);
    expect(texts.some((text) => text.includes(plantedIdentities.serverAnswer))).toBe(true);
    expect(listed.every(({ count }) => count > 0)).toBe(true);
  });
});

describe('a copy', () => {
  it.each([
    ['everything', saveEmptyRun],
    ['texts', { keepKinds: keepableKinds.filter((kind) => kind !== 'text'), keep: [] }],
    ['nothing but credentials', { keepKinds: keepableKinds, keep: [] }],
  ])('without %s is what the window accepts', (name, choice) => {
    writeSnapshot(library, plantedRunId, choice, at('opened.fullhouse'));
    const elsewhere = openRunLibrary(at(`opened ${name}`));
    const reader = elsewhere.open(elsewhere.importFile(at('opened.fullhouse')).id);
    const view = reader.view();
    const answer = z
      .object({ run: runView, events: z.array(runEvent), stills: z.array(still) })
      .safeParse({ run: view, events: reader.events(), stills: reader.stills() });
    expect(answer.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)).toBeUndefined();
    for (const row of reader.viewers(0, 9).viewers) expect(viewerRow.safeParse(row).success).toBe(true);
    reader.close();
  });

  it('keeps the sentences of the program', () => {
    const reader = copies.open(copy);
    expect(reader.events().map(({ sentence }) => sentence)).toMatchInlineSnapshot(`
      [
        "run-1 began.",
        "rtmp://user-1:(removed)@host-3:1935/(path) is silent.",
        "node-1: http://host-1:8081/(path) returned "(27 characters removed)" instead of JSON; check the address.",
        "node-1: the response is invalid: (56 characters removed)",
        "node-1 returned HTTP 502: (37 characters removed)",
        "The agent on node-2 ended with code 3: (25 characters removed) ((removed))",
        "Hook at end: file-9 failed: it ended with code 1: login (removed) of user-6@host-13 was refused.",
        "Hook at end: POST to host-2 failed: it responded with HTTP 500.",
        "The server lists (removed) with (removed) and (removed)",
        "node-2: link host-17 (host-18) is down; share file-12 can't be read.",
        "(3 characters removed) (removed) or (removed); call (removed) at (removed).",
        "(removed) is not permitted: (20 characters removed).",
        "dial tcp: lookup host-2: no such host",
        "ssh user-2@host-4: Permission denied (publickey), see file-13.",
        "$secret:(removed) has no value.",
        "Bandwidth out interface-1 of node-2 was 940 Mbit/s.",
        "(note removed)",
        "Spot check of stream-1: smooth",
        "(note removed)",
      ]
    `);
    expect(reader.view().verdict).toMatchInlineSnapshot(`
      {
        "audiences": [
          ""run-2": 990 of 1,000 viewers of stream-1 were connected.",
        ],
        "headroom": [
          "Memory of node-1: 40 % were free.",
        ],
        "notes": [
          {
            "node": "node-1",
            "sentence": "GC pauses of node-1 were not measured: (25 characters removed).",
          },
        ],
        "reasons": [
          {
            "expectation": "cpu",
            "expected": "expected <= 80 %",
            "node": "node-1",
            "number": 1,
            "sentence": "CPU of node-1 (host-1) was 97 % at 1:20.",
            "timeMs": 1795360911000,
          },
          {
            "expected": "expected <= 5",
            "node": "node-1",
            "number": 2,
            "sentence": "figure-1 of node-1 was 9 at 1:30; other programs used 84 % of its CPU (top: program-2 61 %).",
            "series": "server:figure-1",
            "timeMs": 1795360921000,
          },
        ],
        "sentence": "CPU of node-1 was 97 % at 1:20.",
        "verdict": "fail",
      }
    `);
    reader.close();
  });

  it('of an active run does not name its machine', () => {
    const active = openRunLibrary(at('active'));
    const writer = active.create(testView('active'), { version: '0.1.0' });
    writeSnapshot(active, 'active', saveEmptyRun, at('active.fullhouse'));
    writer.finish(testView('active', { state: 'ended', endedMs: testStartMs + 1000 }));
    expect(contentOf(at('active.fullhouse')).includes(`"host":"${hostname()}"`)).toBe(false);
  });

  it('is made by the same rules each time, and the run stays as it is', () => {
    const digest = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
    const before = digest(library.path(plantedRunId));
    const { replaced } = writeSnapshot(library, plantedRunId, saveEmptyRun, at('again.fullhouse'));
    expect(replaced).toBeGreaterThan(40);
    expect(digest(library.path(plantedRunId))).toBe(before);
    expect(copies.importFile(at('again.fullhouse')).id).toBe(copy);
  });
});
