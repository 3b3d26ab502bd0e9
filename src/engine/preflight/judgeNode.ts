import type { PreflightFinding } from '../../domain/preflight/report';
import { UnreadError, type Facts } from './reading/facts';
import { unread, type Judged, type Look, type PreflightRule } from './rule';

/** What each rule says of a node. A rule of the catalogue sees what it has named and no more. */
export function judgeNode(rules: readonly PreflightRule[], facts: Facts, look: Look): PreflightFinding[] {
  return rules.map((rule) => {
    const { result, sentence, fix } = judged(rule, facts, look);
    return {
      rule: rule.id,
      title: rule.title,
      node: look.node,
      result,
      sentence,
      why: rule.why,
      ...(fix === undefined ? {} : { fix }),
      source: rule.source,
    };
  });
}

function judged(rule: PreflightRule, facts: Facts, look: Look): Judged {
  try {
    return rule.judge(facts.only(rule.needs), look);
  } catch (error) {
    if (error instanceof UnreadError) return unread(error.message);
    throw error;
  }
}
