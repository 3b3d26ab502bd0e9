import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inRoot } from '../setup/paths.mjs';
import { generatedSources } from './source.mjs';

it.each(Object.entries(generatedSources()))(
  "the agent's %s is that of the schemas and lists; if not: npm run protocol",
  (file, source) => {
    expect(readFileSync(inRoot('agent', 'internal', 'protocol', file), 'utf8')).toBe(source);
  },
);

it('a type of the protocol has one name in Go and in TypeScript', async () => {
  const folder = inRoot('src', 'contract');
  const names = [];
  for (const file of readdirSync(folder).filter((name) => /^[a-z]\w*\.ts$/i.test(name) && !name.endsWith('.test.ts'))) {
    const types = [
      ...readFileSync(join(folder, file), 'utf8').matchAll(/^export type (\w+) = z\.infer<typeof (\w+)>;/gm),
    ];
    if (types.length === 0) continue;
    const module = await import(join(folder, file));
    for (const [, name, schema] of types) {
      const id = module[schema]?.meta()?.id;
      if (id !== undefined) names.push([name, id]);
    }
  }
  expect(names.length).toBeGreaterThan(10);
  // Go writes initialisms in capitals.
  expect(names.filter(([name, id]) => name.toLowerCase() !== id.toLowerCase())).toEqual([]);
});
