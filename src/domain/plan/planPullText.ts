import type { Audience } from '../model/plan';
import { writeFields } from './fields/fields';
import { pullFields } from './fields/pull';
import { writeStage } from './fields/stages';
import { block, flow } from './yamlText';

/** The lines of `pull`: one line for a plain ramp and hold; else one field a line. */
export function pullLines(pulls: readonly Audience[]): string[] {
  const [only, ...others] = pulls;
  if (!only) return [];
  if (others.length > 0) return ['pull:', ...pulls.flatMap((pull) => linesOf(pull, '  - '))];
  const isShort = !only.stages && !only.search;
  return isShort ? [`pull: ${flow(fieldsOf(only))}`] : ['pull:', ...linesOf(only, '  ')];
}

function linesOf(pull: Audience, lead: string): string[] {
  if (!pull.stages && !pull.search) return [`${lead}${flow(fieldsOf(pull))}`];
  const fields = fieldsOf(pull);
  return block({ ...fields, ...(pull.stages ? { stages: pull.stages.map(writeStage) } : {}) }, lead);
}

/** Without those that stages or a search derive. */
function fieldsOf({ by, weights, viewers, ratePerSecond, holdMs, ...others }: Audience): Record<string, string> {
  const isDerived = others.stages !== undefined || others.search !== undefined;
  return writeFields(pullFields, {
    ...others,
    testers: { by, weights },
    ...(isDerived ? {} : { viewers, holdMs }),
    ...(others.stages ? {} : { ratePerSecond }),
  });
}
