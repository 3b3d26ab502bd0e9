import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { setLogTarget } from '../base/log';
import { families } from './families';

const made = mkdtempSync(join(tmpdir(), 'fullhouse-families-'));
afterEach(() => rmSync(made, { recursive: true, force: true }));

it('a folder that cannot be read leaves the other families, and is reported once until it can be', () => {
  const warnings: string[] = [];
  setLogTarget({ write: (sentence) => warnings.push(sentence), mask: (sentence) => sentence, limit: 'warn' });
  const folder = join(made, 'families');
  writeFileSync(folder, 'a file in its place');
  const known = families().map(({ family }) => family);
  expect(families(folder).map(({ family }) => family)).toEqual(known);
  expect(families(folder)).toHaveLength(known.length);
  expect(warnings).toEqual([`The families in ${folder} can't be read.`]);
  rmSync(folder);
  mkdirSync(folder);
  families(folder);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'a file again');
  families(folder);
  expect(warnings).toHaveLength(2);
});
