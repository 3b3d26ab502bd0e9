import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SetupProblem } from '../setup/problem.mjs';

const licenceFile = /^(licen[cs]e|copying|copyright|notice|unlicense|patents)([.-].*)?$/i;

/** The licence texts in a component's folder, each file in full, ordered by name. */
export function textsIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && licenceFile.test(entry.name))
    .map((entry) => entry.name)
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
}

/** The same for a component that must not be shipped without them. */
export function requiredTexts(folder, name) {
  const texts = textsIn(folder);
  if (texts.length > 0) return texts;
  throw new SetupProblem(
    `${name} has no licence file in ${folder}, so it cannot be shipped. ` +
      'Determine its licence and add it to scripts/notices/withoutFile.mjs, or use another component.',
  );
}
