import { expect, it } from 'vitest';
import { countResults, countsText, groupsOf } from './arrange';
import type { PreflightFinding, PreflightResult } from '../model/preflightReport';

const finding = (node: string, rule: string, result: PreflightResult, sentence = 'x.'): PreflightFinding => ({
  node,
  rule,
  title: rule,
  result,
  sentence,
  why: 'y.',
  source: 'z',
});

it('groups by node in the order of the plan, failures first, otherwise in their order', () => {
  const groups = groupsOf([
    finding('origin', 'a', 'pass'),
    finding('tester', 'a', 'warn'),
    finding('origin', 'b', 'warn'),
    finding('origin', 'c', 'fail'),
    finding('origin', 'd', 'unread'),
    finding('origin', 'e', 'fail'),
  ]);
  expect(groups.map(({ node, rows }) => [node, ...rows.map((row) => row.finding.rule)])).toEqual([
    ['origin', 'c', 'e', 'b', 'd', 'a'],
    ['tester', 'a'],
  ]);
});

it('merges rules with the same reason, but only unread ones', () => {
  const [group] = groupsOf([
    finding('far', 'a', 'unread', 'No SSH.'),
    finding('far', 'b', 'pass', 'Fine.'),
    finding('far', 'c', 'unread', 'No SSH.'),
    finding('far', 'd', 'unread', 'No file.'),
    finding('far', 'e', 'pass', 'Fine.'),
  ]);
  expect(group?.rows.map((row) => [row.finding.rule, ...row.also])).toEqual([['a', 'c'], ['d'], ['b'], ['e']]);
});

it('counts', () => {
  const all = [finding('a', 'a', 'pass'), finding('a', 'b', 'fail'), finding('a', 'c', 'fail')];
  expect(countResults(all)).toEqual({ pass: 1, warn: 0, fail: 2, unread: 0 });
  expect(countsText(all)).toBe('2 fail, 1 pass');
  expect(countsText([])).toBe('nothing to check');
});
