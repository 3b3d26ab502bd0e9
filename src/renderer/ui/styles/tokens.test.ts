import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('has every token used by a style', () => {
  const root = join(__dirname, '..', '..');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(svelte|css)$/.test(name));
  const texts = files.map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));
  const known = new Set(texts.flatMap(({ text }) => [...text.matchAll(/--([\w-]+)[:=]/g)].map(([, name]) => name)));
  const unknown = texts.flatMap(({ name, text }) =>
    [...text.matchAll(/var\(--([\w-]+)[,)]/g)].flatMap(([, token]) =>
      known.has(token) ? [] : [`${name}: --${token}`],
    ),
  );
  expect(unknown).toEqual([]);
});
