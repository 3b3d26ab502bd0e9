import { describe, expect, it } from 'vitest';
import { alertRules, defaultRules, type AlertRule } from '../../../domain/incidents/rules';
import { conditionText } from '../../../domain/incidents/ruleText';
import { draftOf, newDraft, parseTime, readRule, writeTime, type RuleDraft } from './ruleForm';

const level: AlertRule = {
  ...{ name: 'cpu-low', kind: 'level', series: 'cpuPercent', below: 5, clearAbove: 7.5, forMs: 90_000 },
  ...{ severity: 'info', nodes: { node: 'origin' }, isOff: true, notifies: true },
  ...{ webhook: 'https://example.org/$secret:HOOK', command: ['notify', '-t', 'a b', ''] },
};
const draft = (over: Partial<RuleDraft> = {}): RuleDraft => ({ ...draftOf(level), isOff: false, ...over });
const faultsOf = (over: Partial<RuleDraft>, others: readonly string[] = []) => readRule(draft(over), others).faults;

it('every rule is the same after it was shown in the form', () => {
  const memory: AlertRule = {
    ...{ name: 'm', kind: 'memory', abovePercent: 90, clearBelowPercent: 80.5, forMs: 1234 },
    ...{ severity: 'critical', nodes: { role: 'tester' } },
  };
  const lines: AlertRule = { ...memory, name: 'lines', command: ['sh', '-c', 'one\ntwo'] };
  const all = [...defaultRules, memory, level, lines];
  expect(all.map((rule) => readRule(draftOf(rule), []).rule)).toEqual(all);
  expect(alertRules.safeParse(all).success).toBe(true);
});

describe('each wrong field has its own sentence', () => {
  it.each<[string, Partial<RuleDraft>, string, RegExp]>([
    ['a name', { name: 'CPU high' }, 'name', /small letters, digits and hyphens/],
    ['an empty limit', { limit: ' ' }, 'limit', /Enter a number/],
    ['a limit that is no number', { limit: '5 %' }, 'limit', /Enter a number/],
    ['a time without unit', { time: '60' }, 'time', /Enter a time from 0 s to 30 days/],
    ['a time that is too long', { time: '31 d' }, 'time', /Enter a time from 0 s to 30 days/],
    ['an end beyond the limit', { clear: '4' }, 'clear', /^Enter the limit or more\.$/],
    ['an end above an upper limit', { side: 'above', clear: '6' }, 'clear', /^Enter the limit or less\.$/],
    ['an end above a share', { kind: 'memory', limit: '90', clear: '95' }, 'clear', /^Enter the limit or less\.$/],
    ['a series', { series: 'nothing' }, 'series', /does not exist/],
    ['an address', { webhook: 'example.org/hook' }, 'webhook', /is not an address/],
    ['an address with a password', { webhook: 'https://a:b@example.org/' }, 'webhook', /Secrets must not be written/],
    ['a command without a program', { command: '\nx' }, 'command', /^The first line is empty\./],
    ['a command of blanks', { command: ' ' }, 'command', /^Write the program on the first line/],
    ['a command on one line', { command: 'logger -t fullhouse' }, 'command', /^Write each argument on a line/],
    ['a path with its arguments', { command: '/usr/bin/logger -t fullhouse' }, 'command', /^Write each argument/],
    ['a share above 100', { kind: 'memory', limit: '101', clear: '' }, 'limit', /from 0 to 100/],
    ['a node without a name', { nodes: 'node ' }, 'nodes', /./],
  ])('%s', (_what, over, field, sentence) => {
    const faults = faultsOf(over);
    expect(Object.keys(faults)).toEqual([field]);
    expect(Object.values(faults)[0]).toMatch(sentence);
  });

  it.each([
    'logger\n-t\nfull house',
    'C:\\Program Files\\notify\\notify.exe\ndone',
    '/opt/my tools/notify -done/run',
    './a b',
  ])('a program by its path may have blanks, and arguments: %j', (command) => {
    expect(readRule(draft({ command }), []).rule?.command).toEqual(command.split('\n'));
  });

  it('a program that a file gives stays as it is', () => {
    const given: AlertRule = { ...level, command: ['my notify', 'x'] };
    expect(readRule(draftOf(given), []).rule).toEqual(given);
    expect(readRule({ ...draftOf(given), command: 'my notify\ny' }, []).faults).toHaveProperty('command');
  });

  it('several at once', () => {
    expect(Object.keys(faultsOf({ name: '', time: '', limit: 'x', webhook: 'x' })).sort()).toEqual(
      ['limit', 'name', 'time', 'webhook'].sort(),
    );
  });

  it('the name of another rule', () => {
    expect(faultsOf({}, ['cpu-low'])).toEqual({ name: 'Two rules have the same name; each needs its own.' });
  });
});

it('a new rule has a name of its own, and lacks its limit', () => {
  const made = newDraft(['rule-1']);
  expect(made.name).toBe('rule-2');
  expect(Object.keys(readRule(made, ['rule-1']).faults)).toEqual(['limit']);
  const { rule } = readRule({ ...made, limit: '80' }, []);
  expect(rule && conditionText(rule)).toBe('CPU above 80 % for 1 min');
});

it.each([
  [0, '0 s'],
  [500, '0.5 s'],
  [90_000, '1 min 30 s'],
  [14 * 86_400_000, '14 d'],
  [1_234_567, '20m34s567ms'],
])('a time of %i ms is written %s, and read as it was', (ms, text) => {
  expect(writeTime(ms)).toBe(text);
  expect(parseTime(text)).toBe(ms);
});
it.each(['', '5', 'soon', '-5 s', '5 s 3 min'])('"%s" is no time', (text) => {
  expect(parseTime(text)).toBeNaN();
});
