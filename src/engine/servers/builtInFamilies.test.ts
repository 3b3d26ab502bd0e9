import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { builtInFamilies } from '../../domain/model/builtInFamilies.gen';
import { builtInFamilyNames } from '../../domain/model/serverFamilies';
import { builtInRules } from './families';
import { readFamilyFile } from './fromFile/readFamily';

const folder = join(__dirname, '../../../families');

it('the module has the families of families/*.yaml; if not: npm run families', () => {
  const files = readdirSync(folder).sort();
  expect(files).toEqual(builtInFamilyNames.map((name) => `${name}.yaml`));
  for (const name of builtInFamilyNames)
    expect(builtInFamilies[name], name).toEqual(parse(readFileSync(join(folder, `${name}.yaml`), 'utf8')));
});

it.each(builtInFamilyNames)('%s is valid', (name) => {
  expect(readFamilyFile(join(folder, `${name}.yaml`))).toEqual(builtInRules(name));
});
