import { networkText } from '../plan/networkText';
import { writeWatchTime } from '../plan/fields/watchFor';
import { turnText } from '../plan/turnRules';
import { formatDuration } from '../text/timeFormat';
import type { Plan, PlanPull, PlanStage } from '../model/plan';

/**
 * The load that a plan puts on an origin, in one line: two runs of the same shape on the same origin are comparable.
 * Names, testers and expectations are not included.
 */
export function planShape(plan: Plan): string {
  return [plan.pull, ...(plan.also ?? [])].map(pullShape).join(' + ');
}

function pullShape(pull: PlanPull): string {
  const {
    protocol,
    fidelity = 'media-only',
    network,
    tracks,
    participant,
    videos,
    adaptiveStream,
    transport,
    turn,
    watchFor,
    withoutMedia,
    viewers,
    ratePerSecond,
    holdMs,
    stages,
    search,
  } = pull;
  const viewer = protocol === 'whep' && fidelity !== 'media-only' ? `${protocol} ${fidelity}` : protocol;
  const over = networkText(network);
  const shown = [
    over === undefined ? viewer : `${viewer} over ${over}`,
    tracks === 'audio' ? 'audio only' : undefined,
    transport === 'tcp' ? 'ICE over TCP' : undefined,
    participant === undefined ? undefined : `participant ${participant}`,
    videos === undefined ? undefined : `${videos} videos each`,
    adaptiveStream === undefined ? undefined : `adaptive stream ${adaptiveStream}`,
    turnText(turn),
    withoutMedia ? 'without media' : undefined,
    watchFor ? `each for ${writeWatchTime(watchFor)}` : undefined,
  ];
  const how = shown.filter((part) => part !== undefined).join(', ');
  if (search)
    return `${how}, limit from ${search.fromViewers} to ${search.maxViewers} by ${search.repeats} at ${ratePerSecond}/s`;
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
