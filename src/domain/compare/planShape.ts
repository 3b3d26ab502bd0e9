import { networkText } from '../plan/networkText';
import { writeWatchTime } from '../plan/fields/watchFor';
import { turnText } from '../plan/turnRules';
import { formatDuration } from '../text/timeFormat';
import { audiencesOf } from '../model/distribution';
import {
  externalSource,
  sampleSource,
  type Plan,
  type PlanPublish,
  type Audience,
  type PlanStage,
} from '../model/plan';
import { writeFields } from '../plan/fields/fields';
import { publishFields } from '../plan/fields/publish';
import { pullFields } from '../plan/fields/pull';

/**
 * Which fields of an audience change the load: `described` ones in words, `written` ones as in the plan, `named` ones
 * without their values, which may be secret; `none`: two runs that differ in it put the same load on the origin.
 */
export const loadFields = {
  stream: 'none',
  from: 'none',
  testers: 'described',
  protocol: 'described',
  viewers: 'described',
  ratePerSecond: 'described',
  holdMs: 'described',
  stages: 'written',
  search: 'written',
  fidelity: 'described',
  transport: 'described',
  tracks: 'described',
  participant: 'described',
  videos: 'described',
  adaptiveStream: 'described',
  reconnect: 'written',
  watchFor: 'described',
  withoutMedia: 'described',
  cmcd: 'written',
  browserViewers: 'written',
  streams: 'written',
  rooms: 'written',
  network: 'written',
  turn: 'described',
  tokens: 'named',
  headers: 'named',
  label: 'none',
} as const satisfies Record<keyof typeof pullFields, 'described' | 'written' | 'named' | 'none'>;

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
    ...Object.entries(furtherLoad(pull)).map(([key, text]) => `${key} ${text}`),
  ];
  const how = shown.filter((part) => part !== undefined).join(', ');
  if (search)
    return `${how}, limit from ${search.fromViewers} to ${search.maxViewers} by ${search.repeats} at ${ratePerSecond}/s`;
  if (stages) return `${how}, ${stages.map(stageShape).join(', ')}`;
  const hold = holdMs === 0 ? 'until stopped' : `hold ${formatDuration(holdMs)}`;
  return `${how}, ${viewers} at ${ratePerSecond}/s, ${hold}`;
}

/** What changes the load of an audience beside what its shape has in words; a text by the name of each field. */
export function furtherLoad(pull: Audience): Readonly<Record<string, string>> {
  const { by, weights, tokens, headers } = pull;
  return {
    ...(by.length > 1 && weights ? { weights: by.map((name) => weights[name] ?? 1).join(':') } : {}),
    ...(tokens ? { tokens: `by ${Object.keys(tokens).join(' and ')}` } : {}),
    ...(headers ? { headers: Object.keys(headers).sort().join(' and ') } : {}),
    ...writeFields(pullFields, writtenOf(pull)),
  };
}

/** Fields that the words of the shape do not contain, or not completely. */
function writtenOf(pull: Audience): Partial<Audience> {
  const { network, stages } = pull;
  const names = Object.entries(loadFields).flatMap(([name, role]) =>
    role === 'written' ? [name as keyof Audience] : [],
  );
  const isExact = (name: keyof Audience): boolean =>
    (name === 'network' && (network?.steps ?? []).length === 0) ||
    (name === 'stages' && stages?.every((stage) => !('ratePerSecond' in stage)) === true);
  return Object.fromEntries(names.filter((name) => !isExact(name)).map((name) => [name, pull[name]]));
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
