import { networkText } from '../plan/networkText';
import { optionWords } from '../plan/optionTexts';
import { formatDuration } from '../text/timeFormat';
import { audiencesOf } from '../model/distribution';
import { optionNames, optionRows, type OptionName } from '../model/options';
import type { PlanStage } from '../model/audienceValues';
import { externalSource, sampleSource, type Plan, type PlanPublish, type Audience } from '../model/plan';
import { writeFields } from '../plan/fields/fields';
import { publishFields } from '../plan/fields/publish';

/** Saved with runs and compared as text, so the order of these stays; other options follow. */
const worded: readonly OptionName[] = [
  ...(['tracks', 'transport', 'participant', 'videos', 'adaptiveStream', 'turn', 'withoutMedia', 'watchFor'] as const),
];
const written: readonly OptionName[] = [
  ...(['tokens', 'headers', 'stages', 'search', 'reconnect', 'cmcd', 'browserViewers', 'streams', 'rooms'] as const),
  'network',
];
const later = optionNames.filter(
  (name) => !optionRows[name].isSameLoad && name !== 'fidelity' && ![...worded, ...written].includes(name),
);

/**
 * The load that a plan puts on an origin, in one line: two runs of the same shape on the same origin are comparable.
 * Names, testers and expectations are not included.
 */
export function planShape(plan: Plan): string {
  return [...audiencesOf(plan).map(pullShape), ...plan.publish.flatMap(publishShape)].join(' + ');
}

/** What of a published stream is not the default. */
function publishShape(publish: PlanPublish): readonly string[] {
  const { stream: _, node: __, by: ___, source, ...others } = publish;
  const isUsual = source === sampleSource || source === externalSource;
  const texts = Object.entries(writeFields(publishFields, { ...others, ...(isUsual ? {} : { source }) }));
  return texts.length > 0 ? [`publish ${texts.map(([key, text]) => `${key} ${text}`).join(', ')}`] : [];
}

function pullShape(pull: Audience): string {
  const { protocol, fidelity = 'media-only', network, viewers, ratePerSecond, holdMs, stages, search } = pull;
  const viewer = protocol === 'whep' && fidelity !== 'media-only' ? `${protocol} ${fidelity}` : protocol;
  const over = networkText(network);
  const weights = weightsText(pull);
  const wordsOf = (names: readonly OptionName[]): readonly string[] =>
    names.filter((name) => !isInWords(name, pull)).flatMap((name) => optionWords(name, pull) ?? []);
  const parts = [
    over === undefined ? viewer : `${viewer} over ${over}`,
    ...wordsOf(worded),
    ...(weights === undefined ? [] : [`weights ${weights}`]),
    ...wordsOf([...written, ...later]),
  ];
  const how = parts.join(', ');
  if (search)
    return `${how}, limit from ${search.fromViewers} to ${search.maxViewers} by ${search.repeats} at ${ratePerSecond}/s`;
  if (stages) return `${how}, ${stages.map(stageShape).join(', ')}`;
  const hold = holdMs === 0 ? 'until stopped' : `hold ${formatDuration(holdMs)}`;
  return `${how}, ${viewers} at ${ratePerSecond}/s, ${hold}`;
}

/** Relative shares of several testers, as `2:1`; undefined for equal ones. */
export const weightsText = ({ by, weights }: Audience): string | undefined =>
  by.length > 1 && weights ? by.map((name) => weights[name] ?? 1).join(':') : undefined;

/** Whether the words of the shape contain all of a network, or of stages. */
const isInWords = (name: OptionName, { network, stages }: Audience): boolean =>
  (name === 'network' && (network?.steps ?? []).length === 0) ||
  (name === 'stages' && stages?.every((stage) => !('ratePerSecond' in stage)) === true);

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
