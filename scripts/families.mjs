import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The families of families/*.yaml by their names. */
async function readFamilies() {
  const folder = join(root, 'families');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort();
  return Object.fromEntries(
    await Promise.all(
      files.map(async (name) => [name.replace(/\.yaml$/, ''), parse(await readFile(join(folder, name), 'utf8'))]),
    ),
  );
}

/** What the window needs of a family too; its rules are the engine's only. */
const traitsOf = ({ process, runtime, isSingleThreaded, play = {} }) => ({
  ...(process === undefined ? {} : { process }),
  ...(runtime === undefined ? {} : { runtime }),
  ...(isSingleThreaded === undefined ? {} : { isSingleThreaded }),
  play: Object.keys(play),
});

async function write(file, comment, name, value) {
  const filepath = join(root, file);
  const text = `// Made by scripts/families.mjs from families/*.yaml; do not edit.

/** ${comment} */
export const ${name} = ${JSON.stringify(value, null, 2)} as const;
`;
  await writeFile(filepath, await format(text, { ...(await resolveConfig(filepath)), filepath }));
}

const families = await readFamilies();
const traits = Object.fromEntries(Object.entries(families).map(([name, rules]) => [name, traitsOf(rules)]));
await write(
  'src/engine/servers/builtInFamilies.gen.ts',
  'The built-in families that are files, by their names.',
  'builtInFamilies',
  families,
);
await write(
  'src/domain/model/builtInTraits.gen.ts',
  'What all processes know of the built-in families that are files, by their names.',
  'builtInTraits',
  traits,
);
