import { expect, it } from 'vitest';
import { plain } from '../../../tests/support/plans';
import { asNodeName, nodeNameFault, nodeNameJson } from './planNames';
import { parsePlan, planToYaml } from './planYaml';

it.each(['origin', 'Zürich-1', '東京_2', 'سرور', 'कि', '7', '한국'])(
  'a node can be called %j, also in a plan',
  (name) => {
    expect(nodeNameFault(name)).toBeUndefined();
    expect(new RegExp(nodeNameJson.pattern).test(name)).toBe(true);
    const { plan } = parsePlan(plain.replaceAll('origin', name));
    expect(Object.keys(plan.nodes)).toContain(name);
    expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
  },
);

it.each([
  ['a b', 'U+0020, its character 2'],
  ['a\u202eb', 'U+202E, its character 2'],
  ['東\u200b京', 'U+200B, its character 2'],
  ['a\u3164', 'U+3164, its character 2'],
  ['a/b', 'U+002F, its character 2'],
  ['a@b', 'U+0040, its character 2'],
  ['🎬', 'U+1F3AC, its character 1'],
  ['x\ue000', 'U+E000, its character 2'],
])('but not %j', (name, why) => expect(nodeNameFault(name)).toContain(`is not a valid node name because of ${why}`));

it.each(['', '-a', '\u0301a', 'x'.repeat(65)])('nor %j', (name) =>
  expect(nodeNameFault(name)).toMatch(/is not a valid node name\.$/),
);

it('takes separate accents for the composed letters, in keys and references', () => {
  const written = plain.replaceAll('origin', 'Zu\u0308rich').replace('from: Zu\u0308rich', 'from: Z\u00fcrich');
  expect(Object.keys(parsePlan(written).plan.nodes)).toContain('Z\u00fcrich');
});

it('makes a name of what a server or host is called', () => {
  expect(asNodeName('Köln 1 (neu)')).toBe('Köln-1-neu-');
  expect(asNodeName('\u202e\u200b--')).toBe('node');
  expect(nodeNameFault(asNodeName('\u0301 ñ\u0000/東'))).toBeUndefined();
});

it.each(['name: pull \u202e1000', 'name: a\u200bb', 'name: "a\\nb"'])('a plan can not have the name %j', (name) => {
  expect(() => parsePlan(plain.replace(/name: .*/, name))).toThrow(/A plan name can't contain U\+/);
});

it('an audience can not have such a label', () => {
  expect(() => parsePlan(plain.replace('viewers: 10', 'viewers: 10, label: "a\u2066b"'))).toThrow(
    /A label can't contain U\+2066 \(it changes the direction of text\); it is character 2/,
  );
});

it('refuses nodes whose secrets would be read from the same variables', () => {
  const nodes = '  a-b: { tester: qa@a.example }\n  a_b: { tester: qa@b.example }\n';
  expect(() => parsePlan(plain.replace('nodes:\n', `nodes:\n${nodes}`))).toThrow(
    /"a_b" and "a-b" would read their secrets from the same variables \(FULLHOUSE_A_B_SSH_PASSWORD\)/,
  );
});
