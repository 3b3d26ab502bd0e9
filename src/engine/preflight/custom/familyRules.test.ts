import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { builtInFamilyNames } from '../../../domain/model/serverFamilies';
import type { CheckContext } from '../rule';
import { familyRules } from './familyRules';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const contextOf = (node: string): CheckContext => ({ node, role: 'origin', server: 'file' }) as CheckContext;

it('applies the rules of a family to its servers only', () => {
  const rule =
    '{ id: files, title: Open files, why: One each, read: { sysctl: fs.nr_open }, expect: ">= 1024", source: Its docs }';
  writeFileSync(
    join(folder, 'edge.yaml'),
    `title: Edge\nports: { api: 1 }\nrecognise: [{ get: "http://{api}/" }]\npreflight: [${rule}]\n`,
  );
  const nodes = new Map([
    ['edge', { settings: { server: 'file', familyFile: 'edge' } as const }],
    ['other', { settings: { server: 'generic' } as const }],
    ['here', { settings: { tester: 'local' } as const }],
  ]);
  const { rules, problems } = familyRules(nodes, folder);
  expect(problems).toEqual([]);
  expect(rules.map(({ id }) => id)).toEqual(['edge.files']);
  expect(rules[0]?.applies(contextOf('edge'))).toBe(true);
  expect(rules[0]?.applies(contextOf('other'))).toBe(false);
});

it('reports a rule that can not be used', () => {
  writeFileSync(
    join(folder, 'edge.yaml'),
    'title: Edge\nports: { api: 1 }\nrecognise: [{ get: "http://{api}/" }]\npreflight: [{ id: x, run: rm }]\n',
  );
  const nodes = new Map([['edge', { settings: { server: 'file', familyFile: 'edge' } as const }]]);
  const { rules, problems } = familyRules(nodes, folder);
  expect(rules).toEqual([]);
  expect(problems[0]?.sentence).toMatch(/^the family Edge: .*"run"|^the family Edge: it has a key/);
});

it.each(builtInFamilyNames)('the rules of %s are valid', (server) => {
  expect(familyRules(new Map([['node', { settings: { server } }]])).problems).toEqual([]);
});
