import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SetupProblem } from '../setup/problem.mjs';

/** The fonts of the window, each with its licence file. */
export function fontComponents(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.woff2'))
    .map((file) => {
      const name = file.replace(/\.woff2$/, '');
      const licence = join(folder, `${name}-OFL.txt`);
      if (!existsSync(licence))
        throw new SetupProblem(`The font ${name} has no licence file: save its text as ${licence}.`);
      return { name: `${name} (font)`, licence: 'OFL-1.1', texts: [readFileSync(licence, 'utf8').trim()] };
    });
}
