import { builtInFamilyNames } from '../../../domain/model/serverFamilies';
import { builtInRules } from '../../servers/families';
import type { PreflightRule } from '../rule';
import { ruleOf } from './customRule';
import { parseRules } from './ruleFile';

/** The rules of the built-in families that are files, each for servers of its family only. */
export const familyRules = (): readonly PreflightRule[] =>
  builtInFamilyNames.flatMap((family) => {
    const { preflight } = builtInRules(family);
    if (preflight.length === 0) return [];
    return parseRules(JSON.stringify(preflight), `families/${family}.yaml`).map((rule) => ({
      ...ruleOf({ ...rule, server: family }),
      id: `${family}.${rule.id}`,
    }));
  });
