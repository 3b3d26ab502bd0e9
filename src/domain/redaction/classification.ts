import { streamAddresses, streamAddressKeys } from '../model/addressKeys';
import { optionNames, optionRows, type StructuredOption } from '../model/options';
import type { FieldRule } from '../model/fieldRule';
import { perSecretKind } from '../model/nodeSettings';

/** The fields of an object, or of each object in a list; fields that are not here are left out of a copy. */
export interface ObjectShape {
  readonly fields: Readonly<Record<string, Shape>>;
}
/** An object whose keys are data too. */
export interface RecordShape {
  readonly keys: FieldRule;
  readonly values: Shape;
}
/** A text that depends on the object that contains it. */
export interface VariantShape {
  readonly of: (parent: Readonly<Record<string, unknown>>) => FieldRule;
  /** All that it may be. */
  readonly rules: readonly FieldRule[];
}
export type Shape = FieldRule | ObjectShape | RecordShape | VariantShape;

/** `{ 'a b': rule }` is the same rule for several fields. */
function object(...groups: ReadonlyArray<Readonly<Record<string, Shape>>>): ObjectShape {
  const fields = groups.flatMap((group) =>
    Object.entries(group).flatMap(([names, shape]) => names.split(' ').map((name) => [name, shape] as const)),
  );
  return { fields: Object.fromEntries(fields) };
}
const record = (keys: FieldRule, values: Shape): RecordShape => ({ keys, values });

const period = { 'fromMs toMs': 'figure' } as const;

const settings = object({
  'server tester weights pullPolicy': 'fixed',
  'url ws metrics control nodeExporter prometheus proxy': 'address',
  ...Object.fromEntries(streamAddressKeys.map((key) => [key, streamAddresses[key].redaction])),
  user: 'user',
  apiKey: 'secret',
  ...perSecretKind(() => 'reference'),
  'ssh jump hosts': 'login',
  'instance context namespace image': 'host',
  'keyFile gcLog config inventory kubeconfig familyFile': 'file',
  process: 'program',
  queries: record('series', 'foreign'),
  'selfSigned allowCrossOrigin replicas atLeast hostNetwork': 'figure',
  resources: object({ 'cpu memory cpuLimit': 'composed' }),
  nodeSelector: record('label', 'host'),
  tolerations: object({ key: 'label', value: 'host', 'operator effect': 'fixed' }),
});

const network = {
  preset: 'fixed',
  'downKbps upKbps rttMs jitterMs lossPercent queueMs queuePackets': 'figure',
  burst: object({ 'p r h k': 'figure' }),
} as const;

/** The options of an audience with one value each. */
const simpleOptions = Object.fromEntries(
  optionNames.flatMap((name) => {
    const { redaction } = optionRows[name];
    return redaction === undefined ? [] : [[name, redaction]];
  }),
);
const search = object({ 'fromViewers maxViewers settleMs measureMs repeats precisionPercent': 'figure' });
const structuredOptions = {
  stages: object({
    kind: 'fixed',
    'viewers overMs forMs by holdMs ratePerSecond replacePercent everyMs': 'figure',
  }),
  search,
  watchFor: object({ 'minMs maxMs': 'figure' }),
  rooms: object({ size: 'figure', source: 'source' }),
  network: object(network, { sharedBy: 'figure', steps: object(network, { atMs: 'figure' }) }),
  turn: object({
    'share bitrateKbps selfSigned': 'figure',
    url: 'address',
    username: 'secret',
    'password secret': 'reference',
  }),
  tokens: object({ file: 'file', template: 'secret', claims: 'claims', command: 'argument', secret: 'reference' }),
  headers: record('label', 'secret'),
} satisfies Readonly<Record<StructuredOption, Shape>>;

const pull = object({
  stream: 'stream',
  'from by': 'node',
  weights: record('node', 'figure'),
  protocol: 'fixed',
  'viewers ratePerSecond holdMs': 'figure',
  ...simpleOptions,
  ...structuredOptions,
});

const expectation = object({ comparison: 'fixed', 'value ifMeasured': 'figure' });

const plan = object({
  name: 'name',
  nodes: record('node', settings),
  publish: object({
    stream: 'stream',
    'node by': 'node',
    'source simulcast': 'source',
    protocol: 'fixed',
    'dynacast publishers oneRoom ratePerSecond holdMs': 'figure',
    search,
  }),
  pull,
  also: pull,
  expect: object({ 'connected outages degraded cpu gcPause': expectation }),
  thresholds: object({
    series: 'series',
    node: 'node',
    comparison: 'fixed',
    'value tolerancePercent graceMs': 'figure',
  }),
  delay: object({ stat: 'fixed', valueMs: 'figure' }),
  stopWhen: object({ what: 'series', node: 'node', comparison: 'fixed', 'value forMs': 'figure' }),
  schedule: object({ 'atMs repeat everyMs': 'figure' }),
  hooks: object({ at: 'fixed', run: 'argument', post: 'address' }),
});

const programs = object({ name: 'program', 'percent memoryBytes': 'figure' });

const node = object({
  'id name': 'node',
  'role server state fix secrets': 'fixed',
  'colourSlot lastSampleMs streamCount viewerLimit builtIn responseMs isSlow': 'figure',
  'problem note gcSource gcProblem': 'composed',
  software: 'hardware',
  reach: 'reach',
  host: 'machine',
  streams: object({
    stream: 'stream',
    'source videoCodec audioCodec': 'composed',
    'viewers degraded width height fps bitrateKbps packetsPerSecond ageMs bFrames nacksPerSecond lostPerSecond':
      'figure',
    viewersBy: record('fixed', 'figure'),
  }),
  machine: object({
    'system kernel cpuModel': 'hardware',
    'cores memoryBytes openFilesLimit': 'figure',
    unmeasured: 'fixed',
    versions: record('fixed', 'hardware'),
  }),
  group: object({
    'size ready': 'figure',
    members: 'host',
    missing: object({ 'index isFinal': 'figure', name: 'host', reason: 'composed' }),
  }),
  measured: object({
    costs: object({ protocol: 'fixed', 'corePercent kbps viewers measuredMs': 'figure' }),
    selfTest: object({ 'packets cpuMs measuredMs': 'figure' }),
  }),
  settings: settings,
  links: object({ 'kind state': 'fixed', 'label problem': 'composed', selfSigned: 'figure' }),
  can: object({ 'publish pull play serves measure': 'fixed', 'terminate capture': 'figure' }),
  clock: object({ 'offsetMs uncertaintyMs': 'figure' }),
  figureSources: object({ of: 'fixed', 'figures source others': 'composed' }),
  hostKey: object({
    'state keyType': 'fixed',
    host: 'login',
    fingerprint: 'secret',
    known: object({ fingerprint: 'secret', where: 'composed' }),
  }),
  capacity: object({ 'mbps measuredMs': 'figure', 'protocol direction': 'fixed', between: 'node' }),
  load: object({ state: 'fixed', sentence: 'composed', takenPercent: 'figure' }),
});

const distributionFigures = {
  distribution: 'fixed',
  'audience count seconds min p1 p5 p50 p95 p99 max': 'figure',
} as const;

const limit = object({
  'state clients': 'fixed',
  'viewers plusMinus maxMet minMissed roomSize repeats': 'figure',
  trials: object(period, {
    'viewers repeat': 'figure',
    result: 'fixed',
    sentence: 'composed',
    busyNode: 'node',
  }),
  now: object({ kind: 'fixed', viewers: 'figure' }),
  bottleneck: object({ what: 'fixed', sentence: 'composed', node: 'node', timeMs: 'figure' }),
  sentence: 'composed',
});

const amounts = { 'count sumMs longestMs': 'figure' } as const;

const outage = object(period, {
  audience: 'composed',
  'lowest lowestMs requested isUntilEnd': 'figure',
  causedBy: 'fixed',
});

const experience = object({ 'frameRate degradedPercent firstFrameP50Ms': 'figure' });

const view = object({
  id: 'runId',
  name: 'name',
  state: 'fixed',
  plan: plan,
  nodes: node,
  'startedMs endedMs endsMs readOnly': 'figure',
  phases: object({ name: 'fixed', 'startMs endMs': 'figure' }),
  figures: object({
    ['timeMs requested connecting connected connectedPeak failed degraded degradedPeak degradedPercentPeak present ' +
    'rateTarget rateAchieved fullInMs timeToAllMs originViewers originDegraded originOutMbps mediaInMbps mediaOutMbps packetsPerSecond']:
      'figure',
    distributions: object(distributionFigures),
  }),
  failures: object({
    tester: 'node',
    stage: 'fixed',
    'cause audience': 'composed',
    count: 'figure',
    example: object({ 'viewer timeMs': 'figure', detail: 'composed' }),
  }),
  testerLimits: object(period, {
    node: 'node',
    kind: 'fixed',
    viewers: 'figure',
    'sentence expected': 'composed',
  }),
  preflight: object({
    timeMs: 'figure',
    findings: object({
      rule: 'rule',
      node: 'node',
      result: 'fixed',
      'title sentence why fix source': 'composed',
    }),
  }),
  baseline: object({ nodes: 'node', values: record('series', 'figure'), programs }),
  otherLoad: object({ node: 'node', timeMs: 'figure', programs }),
  publisherOutages: object(period, {
    'node by': 'node',
    stream: 'stream',
    publishers: object({ 'lost of': 'figure' }),
    reason: 'composed',
    isOriginLost: 'figure',
  }),
  published: object({
    stream: 'stream',
    'node by': 'node',
    'requested live livePeak failed': 'figure',
    problems: object({ sentence: 'composed', count: 'figure' }),
  }),
  limit: limit,
  browserViewers: object({
    'planned playing watched failed freezes frozenMs agreementPercent': 'figure',
    by: 'node',
    problem: 'composed',
    'browsers audience': experience,
  }),
  verdict: object({
    verdict: 'fixed',
    'sentence headroom audiences': 'composed',
    reasons: object({
      'number timeMs': 'figure',
      'sentence expected': 'composed',
      'expectation causedBy': 'fixed',
      series: 'series',
      node: 'node',
    }),
    notes: object({ sentence: 'composed', expectation: 'fixed', node: 'node' }),
    outages: object(amounts, {
      'heldMs reconnections': 'figure',
      worst: outage,
      list: outage,
      gaps: object(amounts, { list: object(period, { audience: 'composed' }) }),
      audiences: object(amounts, { name: 'composed', reconnections: 'figure' }),
    }),
    findings: object({
      'result expectation': 'fixed',
      'sentence expected audience': 'composed',
      'timeMs measured': 'figure',
      series: 'series',
      node: 'node',
    }),
  }),
  earlyEnd: object({ kind: 'fixed', timeMs: 'figure', sentence: 'composed' }),
  imported: object(period, {
    prometheus: 'address',
    user: 'user',
    'selfSigned stepMs': 'figure',
    nodes: object({
      name: 'node',
      role: 'fixed',
      targets: object({ family: 'fixed', labels: record('label', 'host') }),
    }),
    queries: record('series', 'foreign'),
    missing: object(period),
  }),
  watched: object(period, { stepMs: 'figure' }),
  layout: object({
    name: 'name',
    layout: object({
      'order hidden folded banded': 'series',
      custom: object({ id: 'series', title: 'name', series: 'series', nodes: 'node' }),
    }),
  }),
  // Added by the reader of a file: not in it.
  integrity: object({ state: 'fixed', sentences: 'composed' }),
});

const summary = object({
  id: 'runId',
  'name planName tags': 'name',
  'verdict clients': 'fixed',
  ['startedMs endedMs requested connectedPeak cpuMaxPercent degradedPercentPeak gcMaxMs viewersTrace bytes isBaseline ' +
  'originSlot']: 'figure',
  'origin testers': 'node',
  'problem reason planShape': 'composed',
  setup: 'hardware',
  note: 'note',
  limit: limit,
});

/** JSON in the table `meta`, by key. What is not here is the writer's mark, which a copy does not need. */
export const metaShapes: Readonly<Record<string, Shape>> = {
  view,
  summary,
  kept: object({ tags: 'name', note: 'note', isBaseline: 'figure' }),
  engine: object({ version: 'hardware' }),
  identity: 'id',
  redacted: object({ keeps: 'fixed' }),
  manifest: object({
    isSettled: 'figure',
    tables: record('fixed', object({ 'rows sum': 'figure' })),
  }),
  lost: object({ minutes: 'figure', rows: record('fixed', 'figure') }),
};

const isNote = ({ kind }: Readonly<Record<string, unknown>>): boolean => kind === 'note';

export const eventShape = object({
  'id timeMs': 'figure',
  'kind mark': 'fixed',
  node: 'node',
  who: { of: (event) => (isNote(event) ? 'author' : 'node'), rules: ['author', 'node'] },
  sentence: { of: (event) => (isNote(event) ? 'note' : 'composed'), rules: ['note', 'composed'] },
  outcome: 'composed',
  spotCheck: object({ stream: 'stream', 'rating measured': 'fixed', 'seconds freezes frozenMs fps': 'figure' }),
  // A note as it is read: its row is in the table `annotation`.
  annotation: object({ 'uid writtenBy': 'id', 'writtenMs editedMs isOwn': 'figure' }),
});

export const annotationShape = object({
  'uid writtenBy': 'id',
  author: 'author',
  text: 'note',
  'timeMs writtenMs editedMs isRemoved': 'figure',
});

export const viewerShape = object({
  tester: 'node',
  'job state delayMethod degradedReason': 'fixed',
  ['viewer arrivedMs connectMs firstFrameMs packets bytes lost lossPercent jitterMs frames fps stalls stalledMs freezeCount ' +
  'freezeDurationMs roundTripMs delayMs degraded degradedMs']: 'figure',
  failure: object({ stage: 'fixed', 'cause detail': 'composed' }),
  detail: object({
    timeline: object({ 'atMs forMs': 'figure', 'name reason': 'fixed' }),
    missed: 'figure',
    route: object({ 'protocol localType remoteType': 'fixed', 'local remote relay': 'reach' }),
    streams: object({
      'kind codec': 'fixed',
      'width height switches payloadType clockRate ssrc packets bytes lost repaired late jitterMs': 'figure',
      layers: object({ 'width height ms': 'figure' }),
    }),
    counters: record('fixed', 'figure'),
  }),
});

export const stillShape = object({ 'id timeMs bytes': 'figure', cause: 'composed', mime: 'fixed' });

export const figuresShape = object({
  node: 'node',
  series: 'series',
  'firstMs lastMs maxMs count last min max mean p50 p95 p99': 'figure',
});

/** The texts in columns of their own, by table and column; a key of `meta` is the program's. */
export const columnRules: Readonly<Record<string, Readonly<Record<string, FieldRule>>>> = {
  meta: { key: 'fixed' },
  series: { node: 'node', series: 'series' },
  histogram: { distribution: 'fixed' },
  still: { cause: 'composed', mime: 'fixed' },
  viewer: { tester: 'node', job: 'fixed', state: 'fixed' },
  annotation: { uid: 'id' },
};

/** The shape of the JSON in the column `value`, by table. */
export const valueShapes: Readonly<Record<string, Shape>> = {
  event: eventShape,
  viewer: viewerShape,
  annotation: annotationShape,
  figures: figuresShape,
};

/** Parts of a view, for the preview and for tests of a part. */
export const viewShape: ObjectShape = view;
