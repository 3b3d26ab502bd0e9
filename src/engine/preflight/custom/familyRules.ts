import { isOriginSettings, type NodeSettings } from '../../../domain/model/nodeSettings';
import { familyOf } from '../../servers/families';
import type { PreflightRule } from '../rule';
import { ruleOf } from './customRule';
import type { RuleFileProblem } from './readCustomRules';
import { checkRules } from './ruleFile';

/** The preflight rules of the families of a plan's servers, each for these servers only. `nodes` by their plan's names. */
export function familyRules(
  nodes: ReadonlyMap<string, { readonly settings: NodeSettings }>,
  folder?: string,
): { readonly rules: readonly PreflightRule[]; readonly problems: readonly RuleFileProblem[] } {
  const rules: PreflightRule[] = [];
  const problems: RuleFileProblem[] = [];
  for (const [name, { settings }] of nodes) {
    if (!isOriginSettings(settings) || settings.server === 'lab') continue;
    const { rules: family } = familyOf(settings, folder);
    if (!family || family.preflight.length === 0) continue;
    try {
      for (const rule of checkRules(family.preflight, `the family ${family.title}`).map(ruleOf))
        rules.push({
          ...rule,
          id: `${family.family}.${rule.id.replace(/^own\./, '')}`,
          applies: (context) => context.node === name && rule.applies(context),
        });
    } catch (error) {
      problems.push({ file: family.title, sentence: (error as Error).message });
    }
  }
  return { rules, problems };
}
