import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { builtInTraits } from '../../domain/model/builtInTraits.gen';
import { builtInFamilyNames } from '../../domain/model/serverFamilies';
import { builtInFamilies } from './builtInFamilies.gen';
import { builtInRules } from './families';
import { readFamilyFile } from './fromFile/readFamily';

const folder = join(__dirname, '../../../families');

it('the modules have the families of families/*.yaml; if not: npm run families', () => {
  const files = readdirSync(folder).sort();
  expect(files).toEqual(builtInFamilyNames.map((name) => `${name}.yaml`));
  for (const name of builtInFamilyNames)
    expect(builtInFamilies[name], name).toEqual(parse(readFileSync(join(folder, `${name}.yaml`), 'utf8')));
});

it('what all processes know of them is what their files say', () => {
  for (const name of builtInFamilyNames) {
    const { process, runtime, isSingleThreaded, play } = builtInRules(name);
    expect(builtInTraits[name], name).toEqual({ process, runtime, isSingleThreaded, play: Object.keys(play) });
  }
});

it.each(builtInFamilyNames)('%s is valid', (name) => {
  expect(readFamilyFile(join(folder, `${name}.yaml`))).toEqual(builtInRules(name));
});
