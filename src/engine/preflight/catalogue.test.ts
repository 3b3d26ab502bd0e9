import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { serverFamilies } from '../../domain/model/serverFamilies';
import { catalogue } from './catalogue';
import { catalogueTable } from './catalogueTable';
import { judgeNode } from './judgeNode';
import { Facts, needKey, type Answer } from './reading/facts';
import type { Need } from './reading/need';
import { testRole } from '../../../tests/support/preflightRole';

it('has unique ids, and a reason and source for each rule', () => {
  expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length);
  for (const rule of catalogue) {
    expect(rule.id).toMatch(/^(wcs|srs|nginx|livekit|kernel|host|tester|kubernetes)\.[a-z-]+$/);
    for (const text of [rule.title, rule.checks, rule.why, rule.good, rule.source])
      expect(text.length, rule.id).toBeGreaterThan(2);
    expect(rule.why, rule.id).toMatch(/\.$/);
  }
});

it('is part of docs/preflight.md; if not: npx vitest run --project unit src/engine/preflight -u', async () => {
  const page = join(__dirname, '..', '..', '..', 'docs', 'preflight.md');
  const [before, written, after] = readFileSync(page, 'utf8').split(
    /(?<=<!-- catalogue.*-->\n)|(?=<!-- end of catalogue -->)/,
  );
  expect(written).toContain('| rule |');
  await expect(`${before ?? ''}\n${catalogueTable()}\n\n${after ?? ''}`).toMatchFileSnapshot(page);
});

/** Texts that no rule expects: empty, noise, and almost valid ones. */
const strange = ['', 'x', '\0\0', '-1', '{', '}}}', 'a = = b', 'nan', 'processor : 0', '９９', '\n\n\n'];

it.each(strange)('has a result for %j in every rule, and reads nothing undeclared', (text) => {
  const answer = (need: Need): Answer => {
    if ('files' in need) return { texts: [{ path: '/sys/class/net/eth0/x', text }] };
    if ('config' in need) return { config: { path: '/conf', text } };
    if ('process' in need) return { processes: [{ pid: 1, words: [text], limits: text }] };
    return { text };
  };
  const needs = catalogue.flatMap((rule) => rule.needs);
  const facts = new Facts('origin', new Map(needs.map((need) => [needKey(need), answer(need)])));
  const looks = [
    ...serverFamilies.map((server) => testRole({ server, protocols: ['whep', 'rtmp'] })),
    testRole({ role: 'tester', server: undefined, tester: 'wcs', origin: { node: 'origin' } }),
    testRole({ role: 'tester', server: undefined, tester: 'ssh', viewers: 0, mbps: 0 }),
    testRole({ role: 'tester', server: undefined, tester: 'kubernetes', pods: { replicas: 4 } }),
  ];
  for (const context of looks) {
    const rules = catalogue.filter(({ applies }) => applies(context));
    for (const finding of judgeNode(rules, facts, context)) {
      expect(finding.sentence, finding.rule).toMatch(/[.!]$/);
      expect(finding.sentence, finding.rule).not.toMatch(/undefined|NaN|Infinity|–/);
      if (finding.result === 'pass') expect(finding.fix).toBeUndefined();
    }
  }
});

it('reports unread values, rule by rule', () => {
  const context = testRole();
  const rules = catalogue.filter(({ applies }) => applies(context));
  const findings = judgeNode(rules, new Facts('origin', new Map()), context);
  expect(findings.filter(({ result }) => result !== 'unread').map(({ rule }) => rule)).toEqual([]);
});
