import {
  fidelities,
  iceTransports,
  maxBrowserViewers,
  maxPublishers,
  maxVideos,
  receivedTracks,
  type Fidelity,
  type Audience,
} from '../../model/plan';
import { pullProtocols } from '../../model/protocols';
import { withDerived } from '../../stages/derived';
import type { PlanField } from '../planField';
import { nodeName } from '../planNames';
import { readTime } from '../planQuantities';
import { fidelityFault, layersFault, roomsFault, streamsFault, tracksFault, transportFault } from '../pullRules';
import { longestDays, untilStopped } from '../quantity';
import { flow, list, scalar } from '../yamlText';
import { jsonOf, mapOf, only, readFields, writeFields, type FieldsOf } from './fields';
import {
  choice,
  duration,
  factor,
  flag,
  humanName,
  node,
  pixelSize,
  rate,
  stream,
  viewers,
  wholeNumber,
  type Kind,
  type ReadKind,
} from './kind';
import { networkKind } from './network';
import { roomsKind } from './rooms';
import { searchKind } from './search';
import { stagesKind } from './stages';
import { headersKind } from './headers';
import { tokensKind } from './tokens';
import { turnKind } from './turn';
import { watchForKind } from './watchFor';

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

const hold: Kind<number> = {
  ...duration(),
  read: (field, write) =>
    field.text(write) === untilStopped ? 0 : readTime(field, write, 'The hold must be longer than 0.'),
  write: (ms) => (ms === 0 ? untilStopped : duration().write(ms)),
  json: { anyOf: [{ const: untilStopped }, duration().json] },
  words: `duration, \`${untilStopped}\``,
  bounds: { is: 'number', unit: 'ms', isWhole: true, min: 0 },
};

const renamedFidelities = new Map<string, Fidelity>([
  ['lean', 'media-only'],
  ['full', 'browser'],
]);

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
    help:
      '`whep`: agents; `rtmp`: agents and a WCS as tester, `rtmps://` addresses too; `wcs`: the WebRTC signalling of WCS, ' +
      'agents and a WCS as tester; `livekit`: agents, the stream is the room, viewers receive its H.264 video, and the origin needs its API secret; ' +
      '`hls`, `dash`, `http-flv`, `ws-flv`, `mjpeg`: agents; `rtsp`, `srt`: agents by ffmpeg, see [RTSP and SRT](plans.md#rtsp-and-srt); `turn`: agents, a TURN server alone, see [TURN](plans.md#turn)',
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
  stages: {
    key: 'stages',
    kind: stagesKind,
    help: 'A load profile; see [Stages](plans.md#stages)',
    isOptional: true,
    absent: 'the audience ramps up once, holds and tears down',
  },
  search: {
    key: 'search',
    kind: searchKind,
    help: 'Finds the largest audience that meets `expect`; see [Limit search](plans.md#limit-search)',
    isOptional: true,
    absent: 'no search',
  },
  fidelity: {
    key: 'fidelity',
    oldKeys: ['realism'],
    kind: choice(fidelities, renamedFidelities),
    label: 'Full browser behaviour',
    help:
      'For WHEP with agents: `media-only` viewers decrypt their first packets and a sample, and send what a server ' +
      'requires; `browser` ones decrypt everything and send everything that a browser sends, at several times the CPU',
    write: 'Set the fidelity of the viewers.',
    isOptional: true,
    absent: '`media-only`',
  },
  transport: {
    key: 'transport',
    kind: choice(iceTransports),
    label: 'ICE over TCP',
    help:
      'For WebRTC with agents: `tcp` viewers connect to the TCP candidates of the server (RFC 6544), as browsers do ' +
      'where UDP is blocked; relayed viewers use their TURN server',
    write: 'Set the transport of the viewers.',
    isOptional: true,
    absent: '`udp`',
  },
  tracks: {
    key: 'tracks',
    kind: choice(receivedTracks),
    label: 'Audio only',
    help:
      'With agents: `audio` viewers request and judge audio only, as of a stream without video; ' +
      'the first audio counts as first frame, and there is no frame rate',
    write: 'Set what the viewers receive.',
    isOptional: true,
    absent: '`audio-video`',
  },
  participant: {
    key: 'participant',
    kind: humanName(256, 'The identity of a participant'),
    label: 'Participant',
    help: 'For LiveKit with agents: the identity of the participant to watch',
    write: 'Write the identity of a participant.',
    isOptional: true,
    absent: 'the first that publishes a video',
  },
  videos: {
    key: 'videos',
    kind: wholeNumber({
      min: 1,
      max: maxVideos,
      tooMany: (count) => `${count} videos are too many for one viewer; the maximum is ${maxVideos}.`,
    }),
    label: 'Videos',
    help: 'For LiveKit with agents: each viewer receives the videos of all participants of its room, at least so many; see [Several videos](plans.md#several-videos)',
    write: 'Write the number of videos, e.g. 3.',
    isOptional: true,
    absent: 'one video',
  },
  adaptiveStream: {
    key: 'adaptiveStream',
    kind: pixelSize,
    label: 'Adaptive stream',
    help:
      'For LiveKit with agents: size of the element that would show the video, `640x360`; ' +
      'the server sends the smallest layer that fills it, see [Layers](plans.md#layers)',
    write: 'Write the size of the element that would show the video, e.g. 640x360.',
    isOptional: true,
    absent: 'the largest layer',
  },
  reconnect: {
    key: 'reconnect',
    kind: flag,
    label: 'Reconnect',
    help: 'Viewers that lose their connection connect again after 1 s, doubled after each failed attempt up to 8 s, varied by half; else they have failed',
    write: 'Write true or false.',
    isOptional: true,
    absent: 'false',
  },
  watchFor: {
    key: 'watchFor',
    kind: watchForKind,
    label: 'Watch for',
    help: 'How long each viewer watches, drawn at random from a range such as `10s-60s`; then it disconnects and a new one takes its place, so the number of viewers stays. For agents',
    write: 'Write it like 10s-60s, or 30s for all.',
    isOptional: true,
    absent: 'until the audience ends',
  },
  withoutMedia: {
    key: 'withoutMedia',
    kind: flag,
    label: 'Without media',
    help: 'For WCS with agents: sessions without media, each with its WebSocket connection and pings only. The name of the stream is free',
    write: 'Write true or false.',
    isOptional: true,
    absent: 'false',
  },
  cmcd: {
    key: 'cmcd',
    kind: flag,
    label: 'Send CMCD',
    help: 'Viewers of HLS and MPEG-DASH send Common Media Client Data (CTA-5004) as a query argument of each request, as CDN logs expect it',
    write: 'Write true or false.',
    isOptional: true,
    absent: 'false',
  },
  browserViewers: {
    key: 'browserViewers',
    kind: wholeNumber({
      min: 0,
      max: maxBrowserViewers,
      tooMany: (count) => `${count} browsers are too many for one machine; the maximum is ${maxBrowserViewers}.`,
    }),
    label: 'Browser viewers',
    help:
      'So many real browsers watch beside the viewers, a new one each every 20 s, and their figures are compared; see ' +
      '[Browser viewers](player.md#browser-viewers)',
    write: 'Write the number of browser viewers, e.g. 4.',
    isOptional: true,
    absent: 'in the app 1 for each 50 viewers, max 4; on the command line none',
  },
  streams: {
    key: 'streams',
    kind: wholeNumber({
      min: 1,
      max: maxPublishers,
      tooMany: (count) => `${count} streams are too many; the maximum is ${maxPublishers}.`,
    }),
    label: 'Streams',
    help: 'So many streams, whose number is `{n}` in the name of the stream: each viewer takes the next one',
    write: 'Write the number of streams, e.g. 500.',
    isOptional: true,
    absent: 'one, of this name',
  },
  rooms: {
    key: 'rooms',
    kind: roomsKind,
    help:
      'For LiveKit with agents: rooms of this size, in which each participant publishes and receives all others. The ' +
      'stream names the rooms, `{n}` in it is the number of each; see [Rooms](plans.md#rooms)',
    write: 'Write it like { size: 7 }.',
    isOptional: true,
    absent: 'viewers of one stream',
  },
  network: {
    key: 'network',
    kind: networkKind,
    help:
      'A simulated network between the origin and the viewers, a preset or its values; for testers with an agent. See ' +
      '[Networks](networks.md)',
    write: 'Name a preset, e.g. 3g, or write it like { down: 1.5Mbit/s, rtt: 80ms, loss: 1% }.',
    isOptional: true,
    absent: 'the real network',
  },
  turn: {
    key: 'turn',
    kind: turnKind,
    help: 'A share of the viewers uses a TURN server, for WebRTC with agents; see [TURN](plans.md#turn)',
    write:
      'Write it like { share: 10%, url: "turn:turn.example:3478", username: viewer, password: $env:TURN_PASSWORD }.',
    isOptional: true,
    absent: 'all viewers are direct',
  },
  tokens: {
    key: 'tokens',
    kind: tokensKind,
    help: 'A token for each viewer; see [Tokens](plans.md#tokens)',
    write:
      'Write it like { file: tokens.txt }, { template: "viewer-{n}" }, { command: [make-tokens] } or { secret: $env:JWT_SECRET }.',
    isOptional: true,
    absent: 'none, or the one that the origin provides',
  },
  headers: {
    key: 'headers',
    kind: headersKind,
    help: 'Headers of the requests of each viewer by name; see [Headers](plans.md#headers)',
    write: 'Write it like { X-Viewer: "{n}", Authorization: "Bearer {token}" }.',
    isOptional: true,
    absent: 'none',
  },
  label: {
    key: 'label',
    kind: humanName(60, 'A label'),
    label: 'Label',
    help: 'Name of the audience, after the names of its testers in legends',
    write: 'Write a short text.',
    isOptional: true,
    absent: 'none',
  },
};

/** Settings of an audience that a form shows by their descriptions alone. */
export const pullOptions = only(pullFields, [
  'streams',
  'rooms',
  'fidelity',
  'transport',
  'tracks',
  'participant',
  'videos',
  'adaptiveStream',
  'reconnect',
  'browserViewers',
  'watchFor',
  'withoutMedia',
  'cmcd',
  'label',
]);
export type PullOptions = Pick<Audience, keyof typeof pullOptions>;

const profileFields = only(pullFields, ['viewers', 'ratePerSecond', 'holdMs', 'stages', 'search']);
const profileKeys = new Set(Object.keys(profileFields));
const otherFields = Object.fromEntries(Object.entries(pullFields).filter(([name]) => !profileKeys.has(name))) as Omit<
  typeof pullFields,
  keyof typeof profileFields
>;

type LoadProfile = Pick<Audience, keyof typeof profileFields>;

function readPull(item: PlanField): Audience {
  const given = mapOf(item, pullFields);
  const { testers: by, ...others } = readFields(item, given, otherFields, '');
  const fault = fidelityFault(others);
  if (fault !== undefined) given.get('fidelity')?.fail(fault);
  const ofTransport = transportFault(others);
  if (ofTransport !== undefined) given.get('transport')?.fail(ofTransport);
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
