import type { AlertRule } from '../../src/domain/incidents/rules';
import type { NodeFacts, StreamFacts } from '../../src/domain/incidents/nodeFacts';
import type { Sample } from '../../src/domain/series/series';

/** A simulated day of ten nodes, with noise and planted incidents. */

export const startMs = Date.UTC(2027, 0, 11);
const minuteMs = 60_000;
export const dayMs = 24 * 60 * minuteMs;
const memoryBytes = 16 * 2 ** 30;

/** `edge-1` and `edge-2` are on one machine. */
const hosts = {
  ...{ 'origin-1': 'a', 'origin-2': 'b', 'origin-3': 'c', wcs: 'd', 'tester-1': 'e', 'tester-2': 'f' },
  ...{ 'edge-1': 'g', 'edge-2': 'g', 'relay-1': 'h', 'relay-2': 'i' },
} as const;
type Name = keyof typeof hosts;
export const names = Object.keys(hosts) as readonly Name[];

export const extraRules: readonly AlertRule[] = [
  {
    ...{ name: 'no-media', kind: 'level', series: 'originOutMbps', below: 5, forMs: 30_000, severity: 'critical' },
    nodes: { node: 'relay-1' },
  },
];

/** The console's machine slept. */
export const sleeps = [
  { fromMs: startMs + 85 * minuteMs, toMs: startMs + 100 * minuteMs },
  // During a planted incident, see `plantsOf`.
  { fromMs: startMs + 581 * minuteMs, toMs: startMs + 583 * minuteMs },
] as const;

type What =
  | 'silent'
  | 'refused'
  | 'host lost'
  | 'cpu'
  | 'cpu flaps'
  | 'memory'
  | 'leak'
  | 'gc'
  | 'restart'
  | 'reboot'
  | 'publisher'
  | 'stream'
  | 'three publishers'
  | 'clock'
  | 'certificate'
  | 'version'
  | 'no media';

export interface Plant {
  readonly what: What;
  readonly kind: string;
  readonly nodes: readonly string[];
  readonly fromMs: number;
  /** `fromMs` for what has no length. */
  readonly toMs: number;
  readonly reason: RegExp;
  readonly end?: RegExp;
  readonly count?: number;
  readonly toleranceMs?: number;
}

interface Form extends Omit<Plant, 'fromMs' | 'toMs'> {
  readonly lengthMs: number;
}

const at = (node: Name): { readonly nodes: readonly Name[] } => ({ nodes: [node] });

/** By turns, so that each kind has another time of day, noise and neighbours. */
const forms: readonly Form[] = [
  {
    what: 'silent',
    kind: 'node-lost',
    ...at('origin-1'),
    lengthMs: 100_000,
    reason: /^origin-1 stopped responding: no response\.$/,
  },
  {
    what: 'cpu',
    kind: 'level',
    ...at('origin-2'),
    lengthMs: 180_000,
    reason: /^CPU of origin-2 is above 90 % for 1 min: 9\d/,
    end: /for 3 min.*peak 9\d/,
  },
  {
    what: 'gc',
    kind: 'gc-pause',
    ...at('wcs'),
    lengthMs: 0,
    reason: /^wcs paused for 8\d\d ms of garbage collection\.$/,
  },
  {
    what: 'publisher',
    kind: 'publisher-gone',
    ...at('origin-3'),
    lengthMs: 300_000,
    reason: /^The stream news of origin-3 has no publisher\.$/,
  },
  {
    what: 'restart',
    kind: 'process-restarted',
    ...at('relay-2'),
    lengthMs: 0,
    reason: /^The server of relay-2 was restarted: process \d+ is now \d+\.$/,
  },
  {
    what: 'host lost',
    kind: 'node-lost',
    nodes: ['edge-1', 'edge-2'],
    lengthMs: 240_000,
    reason: /^edge-1 and edge-2 stopped responding: no response\.$/,
  },
  {
    what: 'memory',
    kind: 'memory',
    ...at('tester-1'),
    lengthMs: 240_000,
    reason: /^Memory of tester-1 is above 95 % for 1 min: 9\d/,
  },
  {
    what: 'stream',
    kind: 'stream-appeared',
    ...at('origin-3'),
    lengthMs: 0,
    reason: /^A new stream on origin-3: extra-\d+\.$/,
  },
  {
    what: 'clock',
    kind: 'clock-stepped',
    ...at('tester-2'),
    lengthMs: 0,
    reason: /^The clock of tester-2 was set forward by 40 s\.$/,
  },
  {
    what: 'leak',
    kind: 'memory-running-out',
    ...at('relay-2'),
    lengthMs: 900_000,
    toleranceMs: 600_000,
    reason: /^Memory of relay-2 is used up in \d+ min/,
  },
  {
    what: 'version',
    kind: 'version-changed',
    ...at('origin-1'),
    lengthMs: 0,
    reason: /^The version of origin-1 changed from SRS 7\.0\.\d+ to SRS 7\.0\.\d+\.$/,
  },
  {
    what: 'no media',
    kind: 'level',
    ...at('relay-1'),
    lengthMs: 120_000,
    reason: /^Media out of relay-1 is below 5 Mbit\/s for 30 s: 0 /,
  },
  {
    what: 'refused',
    kind: 'node-lost',
    ...at('origin-2'),
    lengthMs: 20_000,
    reason: /^origin-2 stopped responding: nothing listens at 10\.0\.0\.2:1985\.$/,
  },
  {
    what: 'cpu flaps',
    kind: 'level',
    ...at('tester-1'),
    lengthMs: 420_000,
    count: 3,
    reason: /^CPU of tester-1 is above 90 %/,
    end: /3 times within 7 min/,
  },
  {
    what: 'certificate',
    kind: 'certificate-expiring',
    ...at('origin-3'),
    lengthMs: 600_000,
    reason: /^The certificate of origin-3 expires in 13 days\.$/,
    end: /renewed/,
  },
  {
    what: 'reboot',
    kind: 'node-lost',
    ...at('relay-1'),
    lengthMs: 90_000,
    reason: /^relay-1 stopped responding: no response\. The host of relay-1 was rebooted\.$/,
  },
  {
    what: 'three publishers',
    kind: 'publisher-gone',
    ...at('origin-1'),
    lengthMs: 60_000,
    reason: /^3 streams of origin-1 have no publisher: live-1, live-2 and 1 more\.$/,
  },
];

/** The first so many, 28 minutes apart. Number 21 lasts while the console sleeps. */
export function plantsOf(count: number): readonly Plant[] {
  return Array.from({ length: count }, (_, place) => {
    const { lengthMs, ...form } = forms[place % forms.length] as Form;
    const fromMs = startMs + (20 + place * 28) * minuteMs + 7000;
    return { ...form, fromMs, toMs: fromMs + lengthMs };
  });
}

/** The same figures at each run: a hash of node, figure and time, 0 to 1. */
function noise(key: string, timeMs: number): number {
  let hash = 2166136261 ^ Math.round(timeMs / 1000);
  for (const sign of key) hash = Math.imul(hash ^ sign.charCodeAt(0), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 2246822519);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

const ofNodes = new WeakMap<readonly Plant[], ReadonlyMap<Name, readonly Plant[]>>();

function plantsAt(plants: readonly Plant[], name: Name): readonly Plant[] {
  const known =
    ofNodes.get(plants) ?? new Map(names.map((each) => [each, plants.filter(({ nodes }) => nodes.includes(each))]));
  ofNodes.set(plants, known);
  return known.get(name) ?? [];
}

const isDuring = ({ fromMs, toMs }: Plant, timeMs: number): boolean => timeMs >= fromMs && timeMs < toMs;
const hasBegun = ({ fromMs }: Plant, timeMs: number): boolean => timeMs >= fromMs;

export function factsAt(name: Name, timeMs: number, plants: readonly Plant[]): NodeFacts {
  const mine = plantsAt(plants, name);
  const now = (what: What): boolean => mine.some((plant) => plant.what === what && isDuring(plant, timeMs));
  const past = (what: What): number => mine.filter((plant) => plant.what === what && hasBegun(plant, timeMs)).length;
  const lost = mine.find(
    (plant) => ['silent', 'refused', 'host lost', 'reboot'].includes(plant.what) && isDuring(plant, timeMs),
  );
  const role = name.startsWith('tester') ? 'tester' : 'origin';
  const steady = { id: name, role, host: `host ${hosts[name]}`, memoryBytes } as const;
  if (lost) {
    const silentMs = timeMs - lost.fromMs;
    if (lost.what === 'refused')
      return {
        ...steady,
        state: 'stale',
        lastSampleMs: lost.fromMs,
        problem: `${name}: nothing listens at 10.0.0.2:1985.`,
      };
    const isNoticed = silentMs > 3500;
    return {
      ...{ ...steady, state: isNoticed ? 'stale' : 'live', lastSampleMs: lost.fromMs },
      ...(isNoticed ? { problem: `${name} has not responded for ${Math.round(silentMs / 1000)} s.` } : {}),
    };
  }
  // Noise: the links are new after a sleep, and now and then a response is 4 s late.
  const isWaking = sleeps.some(({ toMs }) => timeMs >= toMs && timeMs < toMs + 15_000);
  const isLate = noise(`late ${name}`, Math.floor(timeMs / 4000) * 4000) < 0.002;
  if (isWaking || (isLate && timeMs % 4000 >= 3000))
    return { ...steady, state: 'stale', lastSampleMs: timeMs - 4000, problem: `${name} has not responded for 4 s.` };
  const restarts = past('restart') + past('reboot');
  return {
    ...{ ...steady, state: 'live', lastSampleMs: timeMs },
    software: `SRS 7.0.${18 + past('version')}`,
    boot: `boot ${past('reboot')}`,
    processes: [{ pid: 1000 + restarts, startedAt: restarts }],
    // A measured offset is never the same twice.
    clockOffsetMs: 40_000 * past('clock') + 20 * noise(`offset ${name}`, timeMs),
    certificateExpiresMs: timeMs + (now('certificate') ? 13.5 : 60) * dayMs,
    ...(role === 'origin' ? { streams: streamsAt(name, timeMs, mine) } : {}),
  };
}

function streamsAt(name: Name, timeMs: number, mine: readonly Plant[]): readonly StreamFacts[] {
  const all = ['news', 'live-1', 'live-2', 'live-3'];
  const gone = mine.filter((plant) => isDuring(plant, timeMs));
  const isGone = (stream: string): boolean =>
    gone.some(
      ({ what }) =>
        (what === 'publisher' && stream === 'news') || (what === 'three publishers' && stream.startsWith('live')),
    );
  // Noise: an encoder that reconnects within 6 s.
  const isReconnecting = (stream: string): boolean =>
    noise(`encoder ${name} ${stream}`, Math.floor(timeMs / 60_000) * 60_000) < 0.01 && timeMs % 60_000 < 6000;
  const extra = mine.filter((plant) => plant.what === 'stream' && hasBegun(plant, timeMs));
  return [
    // A server lists a stream without publisher, or does not list it.
    ...all.flatMap((stream) => {
      const hasPublisher = !isGone(stream) && !isReconnecting(stream);
      return !hasPublisher && stream === 'live-2' ? [] : [{ stream, hasPublisher }];
    }),
    ...extra.map((_, place) => ({ stream: `extra-${place + 1}`, hasPublisher: true })),
    // This console's own, which begins and ends.
    ...(timeMs % 3_600_000 < 600_000 ? [{ stream: 'test', hasPublisher: true, isOurs: true }] : []),
  ];
}

export function samplesFor(timeMs: number, plants: readonly Plant[]): readonly Sample[] {
  return names.flatMap((node): Sample[] => {
    const mine = plantsAt(plants, node);
    const plant = (what: What): Plant | undefined => mine.find((each) => each.what === what && isDuring(each, timeMs));
    const isLost = mine.some(({ what }) => ['silent', 'host lost', 'reboot'].includes(what) && plant(what));
    // One poll in 500 is missed, and relay-2 has a source that reports every 15 s.
    if (isLost || noise(`poll ${node}`, timeMs) < 0.002 || (node === 'relay-2' && timeMs % 15_000 !== 0)) return [];
    const sample = (series: Sample['series'], value: number): Sample => ({ timeMs, node, series, value });
    return [
      sample('cpuPercent', cpuAt(node, timeMs, plant)),
      sample('memoryUsedBytes', memoryBytes * memoryAt(node, timeMs, plant)),
      ...(node === 'relay-1'
        ? [sample('originOutMbps', plant('no media') ? 0 : 40 + 20 * noise('media', timeMs))]
        : []),
      ...(node === 'wcs' ? gcAt(timeMs, mine).map((value) => sample('gcPauseMs', value)) : []),
    ];
  });
}

function cpuAt(node: Name, timeMs: number, plant: (what: What) => Plant | undefined): number {
  const flaps = plant('cpu flaps');
  // Three times 100 s of 160 s.
  const isFlap = flaps !== undefined && (timeMs - flaps.fromMs) % 160_000 < 100_000;
  if (plant('cpu') || isFlap) return 91 + 8 * noise(`cpu ${node}`, timeMs);
  // Noise: a busy 50 s every now and then, which is no minute.
  const isBusy = noise(`busy ${node}`, Math.floor(timeMs / 300_000) * 300_000) < 0.1 && timeMs % 300_000 < 50_000;
  return isBusy ? 96 : 30 + 40 * noise(`cpu ${node}`, timeMs);
}

function memoryAt(node: Name, timeMs: number, plant: (what: What) => Plant | undefined): number {
  if (plant('memory')) return 0.96 + 0.02 * noise(`memory ${node}`, timeMs);
  const leak = plant('leak');
  if (leak)
    return 0.55 + 0.3 * ((timeMs - leak.fromMs) / (leak.toMs - leak.fromMs)) + 0.005 * noise(`memory ${node}`, timeMs);
  // Noise: the sawtooth of a garbage collector, 5 minutes long.
  return 0.55 + 0.08 * ((timeMs % 300_000) / 300_000) + 0.02 * noise(`memory ${node}`, timeMs);
}

function gcAt(timeMs: number, mine: readonly Plant[]): readonly number[] {
  const isPlanted = mine.some(({ what, fromMs }) => what === 'gc' && fromMs === timeMs);
  if (isPlanted) return [800 + 90 * noise('gc', timeMs)];
  return noise('pause', timeMs) < 0.1 ? [30 + 450 * noise('pause length', timeMs)] : [];
}
