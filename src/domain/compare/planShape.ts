import { formatDuration } from '../timeFormat';
import type { Plan, PlanPull, PlanStage } from '../plan/plan';

/**
 * What a plan does to an origin, in one line: two runs of the same shape at the same origin ask the same of it. Names, testers and
 * expectations are no part of it.
 */
export function planShape(plan: Plan): string {
  return [plan.pull, ...(plan.also ?? [])].map(pullShape).join(' + ');
}

function pullShape(pull: PlanPull): string {
  const { protocol, realism = 'lean', viewers, ratePerSecond, holdMs, stages, search } = pull;
  const how = protocol === 'whep' && realism !== 'lean' ? `${protocol} ${realism}` : protocol;
  if (search)
    return `${how}, limit from ${search.fromViewers} to ${search.mostViewers} by ${search.repeats} at ${ratePerSecond}/s`;
  if (stages) return `${how}, ${stages.map(stageShape).join(', ')}`;
  const hold = holdMs === 0 ? 'until stopped' : `hold ${formatDuration(holdMs)}`;
  return `${how}, ${viewers} at ${ratePerSecond}/s, ${hold}`;
}

function stageShape(stage: PlanStage): string {
  switch (stage.kind) {
    case 'ramp':
      return `ramp to ${stage.viewers} in ${formatDuration(stage.overMs)}`;
    case 'hold':
    case 'soak':
      return `${stage.kind} ${formatDuration(stage.forMs)}`;
    case 'step':
      return `step to ${stage.viewers} by ${stage.by} each ${formatDuration(stage.holdMs)}`;
    case 'spike':
      return `spike to ${stage.viewers} for ${formatDuration(stage.forMs)}`;
    case 'churn':
      return `churn ${stage.replacePercent} % each ${formatDuration(stage.everyMs)} for ${formatDuration(stage.forMs)}`;
  }
}
