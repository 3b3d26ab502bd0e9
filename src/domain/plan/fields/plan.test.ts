import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { plain, staged } from '../../../../tests/support/plans';
import { planFieldsPage, planJsonSchema } from './plan';

const root = join(__dirname, '..', '..', '..', '..');
const schema = z.fromJSONSchema(planJsonSchema);
const isValid = (yaml: string): boolean => schema.safeParse(parse(yaml, { merge: true })).success;

it('docs/plan-fields.md is the page of the fields; if not: npx vitest run --project unit src/domain/plan -u', async () => {
  await expect(planFieldsPage()).toMatchFileSnapshot(join(root, 'docs', 'plan-fields.md'));
});

const presets = join(root, 'assets', 'presets');
it.each(readdirSync(presets).filter((file) => file.endsWith('.yaml')))('the schema for editors accepts %s', (file) => {
  const yaml = readFileSync(join(presets, file), 'utf8');
  expect(schema.safeParse(parse(yaml, { merge: true })).error?.message).toBeUndefined();
  expect(yaml).toContain('# yaml-language-server: $schema=plan.schema.json');
});

it.each([
  ['a misspelt field', 'hold:', 'hodl:'],
  ['a duration without unit', 'hold: 10s', 'hold: "10"'],
  ['no viewers at all', 'viewers: 10', 'viewers: 0'],
  ['a rate without unit', 'rate: 5/s', 'rate: 5'],
  ['an unknown protocol', 'viewers: 10', 'viewers: 10, protocol: quic'],
])('the schema for editors refuses %s', (_, from, to) => {
  expect(isValid(plain)).toBe(true);
  expect(plain).toContain(from);
  expect(isValid(plain.replace(from, to))).toBe(false);
});

it('the schema for editors knows stages and deprecated names', () => {
  expect(isValid(staged('{ ramp: 5, over: 1s }'))).toBe(true);
  expect(isValid(staged('{ ramp: 5, over: 1s, hold: 1s }'))).toBe(false);
  expect(isValid(plain.replace('hold: 10s', 'hold: until-stopped, realism: full'))).toBe(true);
});
