import { catalogue } from '../../src/engine/preflight/catalogue';
import type { Facts } from '../../src/engine/preflight/reading/facts';
import type { CheckContext, RuleResult, PreflightRule } from '../../src/engine/preflight/rule';
import { testFacts, type TestFacts } from './preflightFacts';
import { testRole } from './preflightRole';

function ruleOf(id: string): PreflightRule {
  const rule = catalogue.find((known) => known.id === id);
  if (!rule) throw new Error(`The catalogue has no rule ${id}.`);
  return rule;
}

export const applies = (id: string, context: CheckContext): boolean => ruleOf(id).applies(context);

/** The result of a rule for these facts, of which it sees only what it has declared. */
export function judgeFacts(id: string, facts: Facts, context: CheckContext): RuleResult {
  const rule = ruleOf(id);
  return rule.judge(facts.only(rule.needs), context);
}

/** The same for a fake node. */
export const judge = (id: string, given: TestFacts, context: Partial<CheckContext> = {}): RuleResult =>
  judgeFacts(id, testFacts(given), testRole(context));
export const resultOf = (...given: Parameters<typeof judge>): RuleResult['result'] => judge(...given).result;
