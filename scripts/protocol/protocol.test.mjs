import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inRoot } from '../setup/paths.mjs';
import { protocolSource } from './source.mjs';

it("the agent's types are those of the schemas; if not: npm run protocol", () => {
  const path = inRoot('agent', 'internal', 'protocol', 'protocol_gen.go');
  expect(readFileSync(path, 'utf8')).toBe(protocolSource());
});
