import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLValidator } from 'fast-xml-parser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { saveThousandViewers } from '../support/reportRun';
import { openRunLibrary } from '../../src/engine/store';
import { customerSecrets, keepCustomerRun } from './servers/customerRun';
import { cli } from './support';
import { cleanUp, temporaryFolder } from './undo';

let folder: string;
let run: string;

beforeEach(() => {
  folder = temporaryFolder();
  const library = openRunLibrary(join(folder, 'runs'));
  saveThousandViewers(library);
  run = keepCustomerRun(library);
});
afterEach(cleanUp);

function fullhouse(...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}
const read = (name: string): string => readFileSync(join(folder, name), 'latin1');
const leftIn = (text: string): string[] =>
  customerSecrets.filter((secret) => text.toLowerCase().includes(secret.toLowerCase()));

describe('fullhouse report and snapshot', () => {
  it('write CI files of a saved run, beside it or to a given path', () => {
    expect(fullhouse('report', 'thousand', '--format', 'junit')).toMatchObject({
      code: 0,
      stdout: `${join(folder, 'runs', 'thousand.xml')}\n`,
    });
    expect(XMLValidator.validate(readFileSync(join(folder, 'runs', 'thousand.xml'), 'utf8'))).toBe(true);
    expect(fullhouse('report', 'thousand', '--format', 'markdown', '--out', 'sum.md').code).toBe(0);
    expect(read('sum.md')).toMatch(/^# Pull 1000 on the local lab: FAIL\n/);
  });

  it('mask secrets in addresses recorded by older versions', () => {
    for (const format of ['html', 'junit', 'markdown', 'csv']) {
      expect(fullhouse('report', run, '--format', format, '--out', `out.${format}`).code).toBe(0);
      expect(read(`out.${format}`)).not.toContain('tok3n-value-9');
    }
    expect(readFileSync(join(folder, 'out.html'), 'utf8')).toContain('token=•••');
  });

  it('remove identifying data, all of it or by kind', () => {
    for (const format of ['html', 'junit', 'markdown', 'csv']) {
      expect(fullhouse('report', run, '--format', format, '--redact', 'all', '--out', `out.${format}`).code).toBe(0);
      expect(leftIn(read(`out.${format}`))).toEqual([]);
    }
    const { code, stdout, stderr } = fullhouse('snapshot', run, '--redact', 'addresses,users');
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${join(folder, 'snapshot.fullhouse')}\n` });
    expect(stderr).toMatch(/\d+ values are replaced; the samples are unchanged\. Check the file before you send it\./);
    const left = leftIn(read('snapshot.fullhouse'));
    expect(left).toContain('final-match');
    for (const gone of ['10.20.30.40', 'media.acmetv.com', 'jane.doe', 'tok3n-value-9', 'hunter2-pass', 'APIxyz123key'])
      expect(left).not.toContain(gone);
  });

  it('only list on request, and never overwrite the run itself', () => {
    const { code, stdout } = fullhouse('snapshot', run, '--list');
    expect(code).toBe(0);
    expect(stdout).toMatch(/address +10\.20\.30\.40 +-> host-\d/);
    expect(stdout).not.toContain('tok3n-value-9');
    expect(existsSync(join(folder, 'snapshot.fullhouse'))).toBe(false);
    expect(fullhouse('snapshot', run, '--out', join('runs', `${run}.fullhouse`))).toMatchObject({
      code: 2,
      stderr: 'The snapshot would overwrite the run itself; use another --out.\n',
    });
    expect(fullhouse('snapshot', run, '--redact', 'hosts').code).toBe(2);
  });
});
