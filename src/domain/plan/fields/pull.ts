import { profileOptions } from '../../model/options';
import type { Audience } from '../../model/plan';
import { pullProtocols, testersOfProtocols } from '../../model/protocols';
import { withDerived } from '../../stages/derived';
import { protocolFaults } from '../optionRules';
import type { PlanField } from '../planField';
import { nodeName } from '../planNames';
import { readTime } from '../planQuantities';
import { layersFault, roomsFault, streamsFault, tracksFault } from '../pullRules';
import { longestDays, untilStopped } from '../quantity';
import { flow, list, scalar } from '../yamlText';
import { jsonOf, mapOf, only, readFields, writeFields, type FieldsOf } from './fields';
import { choice, duration, factor, node, rate, stream, viewers, type Kind, type ReadKind } from './kind';
import { optionFields } from './options';

export const maxAudiences = 21;

/** Testers by name, or with a weight. */
type Testers = Pick<Audience, 'by' | 'weights'>;

const nameTesters = 'Name the testers, e.g. [audience].';
const weighted = {
  tester: { key: 'tester', kind: node, help: 'Name of the tester' },
  weight: { key: 'weight', kind: factor, help: 'Its relative share of the viewers; 1 for testers without' },
} satisfies FieldsOf<{ readonly tester: string; readonly weight: number }>;

const testers: Kind<Testers> = {
  read: (field) => {
    const items = field.list(nameTesters);
    if (items.length === 0) field.fail(`No tester is named. ${nameTesters}`);
    const weights: Record<string, number> = {};
    const by = items.map((item) => {
      if (!item.isMap) return nodeName(item, nameTesters);
      const write = 'Write it like { tester: tester-1, weight: 2 }.';
      const { tester, weight } = readFields(item, mapOf(item, weighted), weighted, write);
      weights[tester] = weight;
      return tester;
    });
    return { by, ...(Object.keys(weights).length > 0 ? { weights } : {}) };
  },
  write: ({ by, weights = {} }) =>
    list(
      by.map((name) =>
        Object.hasOwn(weights, name)
          ? flow(writeFields(weighted, { tester: name, weight: weights[name] }))
          : scalar(name),
      ),
    ),
  json: { type: 'array', minItems: 1, items: { anyOf: [node.json, jsonOf(weighted)] } },
  words: 'list',
  bounds: { is: 'list', of: node.bounds, min: 1 },
};

/** A hold time in ms; 0: until stopped. */
export const hold: Kind<number> = {
  ...duration(),
  read: (field, write) =>
    field.text(write) === untilStopped ? 0 : readTime(field, write, 'The hold must be longer than 0.'),
  write: (ms) => (ms === 0 ? untilStopped : duration().write(ms)),
  json: { anyOf: [{ const: untilStopped }, duration().json] },
  words: `duration, \`${untilStopped}\``,
  bounds: { is: 'number', unit: 'ms', isWhole: true, min: 0 },
};

const byStages = 'required, unless `stages` define it';
const byProfile = 'required, unless `stages` or `search` define it';

/** The fields of an audience. */
export const pullFields: FieldsOf<Omit<Audience, 'by' | 'weights'> & { readonly testers: Testers }> = {
  stream: {
    key: 'stream',
    kind: stream,
    help: 'The stream to pull; see [Names of streams](plans.md#names-of-streams)',
    write: 'Name the stream to pull.',
  },
  from: { key: 'from', kind: node, help: 'The origin to pull from', write: 'Name the origin to pull from.' },
  testers: {
    key: 'by',
    kind: testers,
    help: 'The testers; the viewers are split evenly, or by weight: `[a, { tester: b, weight: 2 }]` gives b twice as many as a',
    write: nameTesters,
  },
  protocol: {
    key: 'protocol',
    kind: choice(pullProtocols),
    help: testersOfProtocols(),
    write: 'Name the protocol.',
    default: 'whep',
  },
  viewers: {
    key: 'viewers',
    kind: viewers,
    label: 'Viewers',
    help: 'Peak viewers',
    write: 'Write the number of viewers, e.g. 1000.',
    absent: byProfile,
  },
  ratePerSecond: {
    key: 'rate',
    kind: rate,
    label: 'Arrival rate',
    help: 'Arrival rate, `200/s` or `10/min`',
    write: 'Write the arrival rate, e.g. 200/s.',
    absent: byStages,
  },
  holdMs: {
    key: 'hold',
    kind: hold,
    label: 'Hold',
    help: `Time at full audience size, from the last arrival: \`60s\`, \`2m\`, \`500ms\`, \`1h30m\`; max ${longestDays} days`,
    write: `Write it with its unit, e.g. 60s, 2m, 500ms or 1h30m, or ${untilStopped}.`,
    missing: `Write the hold time, e.g. 60s, or ${untilStopped}.`,
    absent: byProfile,
  },
  ...optionFields,
};

const profileFields = only(pullFields, ['viewers', 'ratePerSecond', 'holdMs', ...profileOptions]);
const profileKeys = new Set(Object.keys(profileFields));
const otherFields = Object.fromEntries(Object.entries(pullFields).filter(([name]) => !profileKeys.has(name))) as Omit<
  typeof pullFields,
  keyof typeof profileFields
>;

type LoadProfile = Pick<Audience, keyof typeof profileFields>;

function readPull(item: PlanField): Audience {
  const given = mapOf(item, pullFields);
  const { testers: by, ...others } = readFields(item, given, otherFields, '');
  for (const { field, sentence } of protocolFaults(others)) given.get(field)?.fail(sentence);
  const ofTracks = tracksFault(others);
  if (ofTracks !== undefined) given.get('tracks')?.fail(ofTracks);
  const ofLayers = layersFault(others);
  if (ofLayers) given.get(ofLayers.field)?.fail(ofLayers.sentence);
  const pull = { ...others, ...by, ...readLoadProfile(item, given) };
  const ofStreams = streamsFault(pull);
  if (ofStreams !== undefined) (given.get('streams') ?? item).fail(ofStreams);
  const inRooms = roomsFault(pull);
  if (inRooms) (given.get(inRooms.field) ?? given.get('rooms') ?? item).fail(inRooms.sentence);
  return pull;
}

/** Stages and a search define the figures of the single ramp. */
function readLoadProfile(item: PlanField, given: ReadonlyMap<string, PlanField>): LoadProfile {
  const [stages, search] = [given.get('stages'), given.get('search')];
  if (stages && search) search.fail('An audience has either stages or a limit search. Remove one of them.');
  const refuse = (keys: readonly string[], sentence: string): void => {
    for (const key of keys) given.get(key)?.fail(sentence.replaceAll('#', key));
  };
  if (stages) refuse(['viewers', 'rate', 'hold'], 'The stages define it. Remove "#".');
  if (search) refuse(['viewers', 'hold'], 'A search sets the number of viewers and the duration itself. Remove "#".');
  const derived = { viewers: 0, ratePerSecond: 0, holdMs: 0 };
  if (stages) return withDerived({ ...derived, ...readFields(item, given, only(profileFields, ['stages']), '') });
  if (search)
    return withDerived({
      ...derived,
      ...readFields(item, given, only(profileFields, ['ratePerSecond', 'search']), ''),
    });
  return readFields(item, given, only(profileFields, ['viewers', 'ratePerSecond', 'holdMs']), '');
}

/** The audiences of a plan. */
export interface Audiences {
  readonly pull: Audience;
  readonly also?: readonly Audience[];
}

function readPulls(field: PlanField): Audiences {
  if (!field.isList) return { pull: readPull(field) };
  const items = field.list('', maxAudiences);
  const [pull, ...also] = items.map(readPull);
  if (!pull) return field.fail('The plan has no audience. Add one, e.g. { stream: cam, from: origin, ... }.');
  const searching = [pull, ...also].flatMap(({ search }, place) => (search ? (items[place] ?? field) : []));
  searching[1]
    ?.map()
    .get('search')
    ?.fail('Another audience already searches, and two searches at once would affect each other. Remove one.');
  return { pull, ...(also.length > 0 ? { also } : {}) };
}

const pullJson = jsonOf(pullFields);

/** One audience, or a list of them. */
export const pullsKind: ReadKind<Audiences> = {
  read: readPulls,
  json: { anyOf: [pullJson, { type: 'array', minItems: 1, maxItems: maxAudiences, items: pullJson }] },
  words: `map, or a list of max ${maxAudiences}`,
};
