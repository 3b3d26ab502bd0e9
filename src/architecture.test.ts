import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(__dirname, '..');
const document = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');

/** The files of a numbered list below a heading, in order. */
function wayUnder(heading: string): string[] {
  const section = document.split(/^## /m).find((each) => each.startsWith(heading)) ?? '';
  return [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = '']) => file);
}

/** The files of this repository that a file imports. */
function importsOf(file: string): string[] {
  if (!existsSync(join(root, file))) return [];
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/from '(\.[^']+)'/g)].flatMap(([, path = '']) => {
    const target = relative(root, join(root, dirname(file), path)).replaceAll('\\', '/');
    const found = [target, `${target}.ts`, `${target}/index.ts`].find(
      (each) => /\.\w+$/.test(each) && existsSync(join(root, each)),
    );
    return found === undefined ? [] : [found];
  });
}

/** Whether one imports the other, or both import the same file: the interface or the data between them. */
function areConnected(one: string, other: string): boolean {
  const [ofOne, ofOther] = [importsOf(one), importsOf(other)];
  return ofOne.includes(other) || ofOther.includes(one) || ofOne.some((each) => ofOther.includes(each));
}

describe.each([
  ['Data flow of a sample', 25],
  ['Control flow of a click on Pull', 18],
])('%s', (heading, most) => {
  const way = wayUnder(heading);

  it(`is described in max ${most} files that exist`, () => {
    expect(way.length).toBeGreaterThan(10);
    expect(way.length).toBeLessThanOrEqual(most);
    expect(way.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('leads from each file to the next', () => {
    // The port is between these two; no code connects them.
    const border = new Set(['src/engine/utility.ts', 'src/renderer/client/connection.ts']);
    const broken = way.flatMap((file, place) => {
      const next = way[place + 1];
      if (next === undefined || (border.has(file) && border.has(next)) || areConnected(file, next)) return [];
      return [`${file} -> ${next}`];
    });
    expect(broken).toEqual([]);
  });
});

describe('exports', () => {
  const sources = ['src', 'tests', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => ['.ts', '.mts', '.mjs', '.svelte'].includes(extname(file)))
      .map((file) => ({ file: join(folder, file), text: readFileSync(join(root, folder, file), 'utf8') })),
  );
  const filesByWord = new Map<string, number>();
  for (const { text } of sources)
    for (const word of new Set(text.match(/[\w$]+/g))) filesByWord.set(word, (filesByWord.get(word) ?? 0) + 1);

  it('of values are used by other files', () => {
    const declared = /^export (?:async )?(?:const|function\*?|class|let) (\w+)/gm;
    const unused = sources
      // The schemas of the contract are a set: the agent's types are generated from it.
      .filter(({ file }) => /^src[\\/](?!contract)/.test(file))
      .flatMap(({ file, text }) =>
        [...text.matchAll(declared)]
          .filter(([, name = '']) => (filesByWord.get(name) ?? 0) < 2)
          .map(([, name]) => `${file}: ${name}`),
      );
    expect(unused).toEqual([]);
  });
});
