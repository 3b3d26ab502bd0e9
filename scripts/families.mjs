import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'src/domain/model/builtInFamilies.gen.ts');

/** The families of families/*.yaml as a module, so that the window and the command line have them without files. */
export async function familiesModule() {
  const folder = join(root, 'families');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort();
  const all = Object.fromEntries(
    await Promise.all(
      files.map(async (name) => [name.replace(/\.yaml$/, ''), parse(await readFile(join(folder, name), 'utf8'))]),
    ),
  );
  const text = `// Made by scripts/families.mjs from families/*.yaml; do not edit.

/** The built-in families that are files, by their names. */
export const builtInFamilies = ${JSON.stringify(all, null, 2)} as const;
`;
  return format(text, { ...(await resolveConfig(target)), filepath: target });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(target, await familiesModule());
