import { type BreakEvidence, LimitLevels } from './limitLevels';
import type { LimitResult } from '../model/limitFound';
import { bottleneckRules } from './bottleneckRules';

/**
 * Names the bottleneck, from the measurements at the largest sizes that held and at the smallest that did not. The
 * first rule with sufficient evidence decides; otherwise it is `unknown`, with what is known. Undefined without a
 * bottleneck.
 */
export function findBottleneck(evidence: BreakEvidence): LimitResult['bottleneck'] {
  const { found } = evidence;
  if (found.state === 'tester-limited') return testerBottleneck(evidence);
  if (found.state !== 'found' || found.minMissed === undefined) return undefined;
  const levels = new LimitLevels(evidence);
  for (const rule of bottleneckRules) {
    const result = rule(levels);
    if (result) return result;
  }
  return undefined;
}

function testerBottleneck({ found, nodes }: BreakEvidence): LimitResult['bottleneck'] {
  const trial = found.trials.find(({ result }) => result === 'tester-limited');
  if (!trial) return undefined;
  const tester = nodes.find(({ role, name }) => role === 'tester' && trial.sentence.startsWith(`${name} `));
  return {
    what: 'tester',
    sentence: trial.sentence,
    ...(tester ? { node: tester.id } : {}),
    timeMs: trial.fromMs,
  };
}
