import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepCustomerRun } from './servers/customerRun';
import { resultLines } from '../../src/cli/run/resultLines';
import { exportRun } from '../../src/engine/export/exportRun';
import { openRunLibrary, readSaved, type RunLibrary } from '../../src/engine/store';
import { Database } from '../../src/engine/store/database';
import { resultOf } from '../../src/engine/report/runResult';

const sentence = 'Damaged. Samples from 15:20 to 15:21 UTC are damaged and left out.';

let folder: string;
let library: RunLibrary;
let run: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-damaged-'));
  library = openRunLibrary(folder);
  run = keepCustomerRun(library);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function exported(kind: 'csv' | 'html' | 'markdown'): Promise<{ text: string; remark?: string }> {
  const path = join(folder, `run.${kind}`);
  const { remark } = await exportRun(library, run, kind, path);
  return { text: readFileSync(path, 'utf8'), ...(remark === undefined ? {} : { remark }) };
}

it('a run with a damaged minute has a gap and a note in every output', async () => {
  const whole = await exported('csv');
  expect(whole.remark).toBeUndefined();
  const database = new Database(library.path(run));
  database.run('UPDATE block SET samples = samples + 1 WHERE minute_ms = (SELECT min(minute_ms) FROM block)');
  database.close();

  const csv = await exported('csv');
  const lines = (text: string): string[] => text.split('\r\n');
  const isLeft = (line: string): boolean => !/^2026-11-22T15:20/.test(line);
  expect(lines(csv.text)).toEqual(lines(whole.text).filter(isLeft));
  expect(lines(csv.text).length).toBeLessThan(lines(whole.text).length - 20);
  expect(csv.remark).toBe(sentence);
  expect((await exported('html')).text).toContain(sentence);
  expect((await exported('markdown')).text).toContain(sentence);

  readSaved(library, run, (reader) => {
    const result = resultOf(reader, 'run.fullhouse', null);
    expect(result.integrity.state).toBe('damaged');
    expect(resultLines(reader.view().verdict, result)).toContain(`  ! ${sentence}`);
    expect(reader.view().integrity?.state).toBe('damaged');
    expect(reader.values('acme-media', 'cpuPercent').timeMs[0]).toBe(Date.UTC(2026, 10, 22, 15, 21));
    const { columns } = reader.overview(0, Date.UTC(2027, 0, 1), 10);
    expect(Math.min(...columns.flatMap(({ timeMs }) => timeMs))).toBeGreaterThanOrEqual(Date.UTC(2026, 10, 22, 15, 21));
    expect(reader.summaries()[0]?.firstMs).toBe(Date.UTC(2026, 10, 22, 15, 21));
  });
});
