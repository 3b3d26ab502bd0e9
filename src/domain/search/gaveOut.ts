import type { NodeView } from '../node';
import type { Plan } from '../plan/plan';
import type { FailureGroup } from '../run';
import type { SeriesId } from '../series';
import type { Values } from '../windows';
import { BreakLevels } from './breakLevels';
import type { LimitFound } from './found';
import { giverRules } from './giverRules';

/** What there is to tell from what gave out first. */
export interface BreakEvidence {
  readonly found: LimitFound;
  readonly plan: Plan;
  readonly nodes: readonly NodeView[];
  /** Of the run, Unix ms. */
  readonly startedMs: number;
  /** All of the run. */
  readonly failures: readonly FailureGroup[];
  /** Samples of a node and series between two moments, both included. */
  readonly values: (node: string, series: SeriesId, fromMs: number, toMs: number) => Values;
}

/**
 * Names what gave out first, from what was measured at the largest sizes that held and at the smallest that did not. The first rule whose
 * evidence suffices speaks; where none does, it is `unknown`, with what can be said. Undefined where nothing gave out.
 */
export function whatGaveOut(evidence: BreakEvidence): LimitFound['gaveOut'] {
  const { found } = evidence;
  if (found.state === 'tester-limited') return testerGaveOut(evidence);
  if (found.state !== 'found' || found.broke === undefined) return undefined;
  const levels = new BreakLevels(evidence);
  for (const rule of giverRules) {
    const giver = rule(levels);
    if (giver) return giver;
  }
  return undefined;
}

function testerGaveOut({ found, nodes }: BreakEvidence): LimitFound['gaveOut'] {
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
