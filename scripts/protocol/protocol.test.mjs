import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inRoot } from '../setup/paths.mjs';
import { generatedSources } from './source.mjs';

it.each(Object.entries(generatedSources()))(
  "the agent's %s is that of the schemas and lists; if not: npm run protocol",
  (file, source) => {
    expect(readFileSync(inRoot('agent', 'internal', 'protocol', file), 'utf8')).toBe(source);
  },
);
