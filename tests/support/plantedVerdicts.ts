import type { JudgedRun } from '../../src/domain/evidence/evidence';
import { audienceId } from '../../src/domain/model/audience';
import { thisMachine } from '../../src/domain/model/host';
import { defaultExpectations } from '../../src/domain/model/plan';
import type { NodeView } from '../../src/domain/model/node';
import type { FailureGroup, FailureStage, RunView } from '../../src/domain/model/run';
import type { SeriesId } from '../../src/domain/series/series';
import type { Values } from '../../src/domain/series/windows';
import { seeded } from './searchSimulation';

/** Runs whose truth is known because it was planted: which viewers failed, when and why, and who was busy. */

export type Blame = 'server' | 'machine' | 'tester';

interface Loss {
  readonly second: number;
  readonly blame: Blame;
  readonly stage: FailureStage;
  readonly cause: string;
}

export interface PlantedViewer {
  readonly audience: number;
  readonly tester: number;
  readonly arrival: number;
  loss?: Loss;
}

interface Interval {
  readonly from: number;
  readonly to: number;
}

export interface Plant {
  readonly seed: number;
  /** Hosts by origin and by tester. */
  readonly originHosts: readonly string[];
  readonly testerHosts: readonly string[];
  readonly audiences: ReadonlyArray<{
    readonly from: number;
    readonly by: readonly number[];
    readonly viewers: number;
  }>;
  readonly viewers: readonly PlantedViewer[];
  readonly busy: ReadonlyMap<string, Interval>;
  /** Testers whose reading thread waited. */
  readonly waiting: ReadonlyMap<number, Interval>;
  readonly degraded?: Interval & { readonly blame: Blame; readonly byTester: ReadonlyMap<number, number> };
  /** An origin that used its CPU itself. */
  readonly overloaded?: Interval & { readonly origin: number };
  readonly event?: 'origin-lost' | 'tester-lost' | 'stopped';
  readonly connectedPercent: number;
}

export const degradedLimit = 5;
const rampTo = 10;
export const endSecond = 200;
/** Server faults that only time tells from starvation are planted long after anything else, or before it. */
const quietFrom = 175;
export const startMs = Date.UTC(2026, 10, 27, 6, 0, 0);
export const holdEnd = (audience: number): number => endSecond - 2 * audience;

interface Draw {
  (): number;
}
const below = (draw: Draw, n: number): number => Math.floor(draw() * n);
const pick = <T>(draw: Draw, of: readonly T[]): T => of[below(draw, of.length)] as T;
const within = (draw: Draw, { from, to }: Interval): number => from + below(draw, to - from + 1);

/** Whose hosts may have affected a viewer. */
export function hostsOf({ originHosts, testerHosts, audiences }: Plant, viewer: PlantedViewer): readonly string[] {
  return [originHosts[audiences[viewer.audience]?.from ?? 0] ?? '', testerHosts[viewer.tester] ?? ''];
}

export function plantRun(seed: number): Plant {
  const draw = seeded(seed);
  const testers = 1 + below(draw, 4);
  const audienceCount = draw() < 0.5 ? 1 : 2 + below(draw, 2);
  const origins = audienceCount > 1 && draw() < 0.5 ? 2 : 1;
  const originHosts = Array.from({ length: origins }, (_, i) => (i === 0 && draw() < 0.5 ? thisMachine : `host o${i}`));
  const testerHosts = Array.from({ length: testers }, (_, i) =>
    i === 0 && draw() < 0.4 ? (originHosts[0] ?? '') : `host t${i}`,
  );
  const audiences = Array.from({ length: audienceCount }, (_, i) => {
    const all = Array.from({ length: testers }, (__, t) => t);
    const by = audienceCount === 1 ? all : all.filter((t) => t === i % testers || draw() < 0.5);
    return { from: i % origins, by, viewers: 20 + below(draw, 180) };
  });
  const viewers = audiences.flatMap(({ by, viewers: size }, audience) =>
    Array.from({ length: size }, (_, i): PlantedViewer => {
      const arrival = 1 + Math.floor(((rampTo - 2) * i) / size);
      return { audience, tester: by[i % by.length] ?? 0, arrival };
    }),
  );
  // On half of the runs no other program has any effect.
  const isDisturbed = draw() < 0.5;
  const busy = new Map<string, Interval>();
  for (const host of new Set([...originHosts, ...testerHosts])) {
    const from = 5 + below(draw, 40);
    if (isDisturbed && draw() < 0.4) busy.set(host, { from, to: from + 10 + below(draw, 8) });
  }
  const waiting = new Map<number, Interval>();
  const limited = new Map<number, 'files' | 'waiting'>();
  for (let t = 0; t < testers; t += 1) {
    if (draw() > 0.35) continue;
    const kind = draw() < 0.5 ? 'files' : 'waiting';
    limited.set(t, kind);
    if (kind === 'waiting') waiting.set(t, { from: 110, to: 122 });
  }
  const plant: Plant = {
    ...{ seed, originHosts, testerHosts, audiences, viewers, busy, waiting },
    connectedPercent: pick(draw, [99, 95, 90, 60]),
    ...(draw() < 0.08 ? { event: pick(draw, ['origin-lost', 'tester-lost', 'stopped'] as const) } : {}),
    ...(draw() < 0.12 ? { overloaded: { origin: below(draw, origins), from: 178, to: 190 } } : {}),
  };
  plantLosses(plant, draw, limited);
  const degraded = plantDegraded(plant, draw);
  return degraded ? { ...plant, degraded } : plant;
}

/** One kind of server fault per run: failures carry no time of their own, so mixed kinds could not be told apart. */
function plantLosses(plant: Plant, draw: Draw, limited: ReadonlyMap<number, 'files' | 'waiting'>): void {
  const kind = pick(draw, ['refused', 'timeout', 'closed'] as const);
  const refusal = pick(draw, ['http-503', 'http-404', 'http-429', 'rejected', 'no-codec']);
  const rates = [0, 0, 0.004, 0.03, 0.12, 0.35];
  const [server, machine] = [pick(draw, rates), pick(draw, rates)];
  const tester = pick(draw, [0, 0.03, 0.2, 0.5]);
  const isEarly = draw() < 0.4 && [...plant.busy.values()].every(({ from }) => from > 20);
  const quiet = isEarly ? { from: 12, to: 16 } : { from: quietFrom, to: 190 };
  for (const viewer of plant.viewers) {
    const starved = hostsOf(plant, viewer).flatMap((host) => plant.busy.get(host) ?? []);
    const limit = limited.get(viewer.tester);
    const [hits, byLimit] = [draw(), draw()];
    if (starved[0] && draw() < machine) viewer.loss = starvedLoss(draw, starved[0]);
    else if (limit !== undefined && byLimit < tester) viewer.loss = limitLoss(draw, limit);
    else if (hits < server && kind === 'refused')
      viewer.loss = { second: viewer.arrival, blame: 'server', stage: 'signalling', cause: refusal };
    else if (hits < server)
      viewer.loss = {
        ...{ second: within(draw, quiet), blame: 'server' },
        ...(kind === 'timeout' ? { stage: 'ice', cause: 'timeout' } : { stage: 'media', cause: 'closed' }),
      };
  }
}

/** A handshake that timed out, or a session that the server gave up for lack of checks, up to 35 s later. */
function starvedLoss(draw: Draw, { from, to }: Interval): Loss {
  const blame = 'machine';
  if (draw() < 0.4)
    return { second: within(draw, { from: from + 1, to: to + 7 }), blame, stage: 'ice', cause: 'timeout' };
  const [stage, cause] = pick(draw, [
    ['media', 'alert'],
    ['media', 'consent-lost'],
    ['media', 'closed'],
  ] as const);
  return { second: within(draw, { from: from + 4, to: to + 35 }), blame, stage, cause };
}

function limitLoss(draw: Draw, kind: 'files' | 'waiting'): Loss {
  const blame = 'tester';
  if (kind === 'files')
    return { second: within(draw, { from: 112, to: 116 }), blame, stage: 'ice', cause: 'tester-open-files' };
  return draw() < 0.5
    ? { second: within(draw, { from: 114, to: 126 }), blame, stage: 'dtls', cause: 'timeout' }
    : { second: within(draw, { from: 116, to: 150 }), blame, stage: 'media', cause: 'alert' };
}

/** A third of the connected viewers of some testers. */
function plantDegraded(plant: Plant, draw: Draw): Plant['degraded'] {
  if (draw() > 0.25) return undefined;
  const affected = plant.testerHosts.flatMap((_, tester) => {
    const ownViewers = plant.viewers.filter((viewer) => viewer.tester === tester);
    const busy =
      ownViewers[0] && ownViewers.every((viewer) => hostsOf(plant, viewer).some((host) => plant.busy.has(host)));
    return busy && ownViewers[0] ? [{ tester, hosts: hostsOf(plant, ownViewers[0]) }] : [];
  });
  const [first] = affected;
  const window = first?.hosts.flatMap((host) => plant.busy.get(host) ?? [])[0];
  const isByMachine = window !== undefined && draw() < 0.5;
  const interval = isByMachine ? { from: Math.max(window.from, rampTo) + 1, to: window.to } : { from: 178, to: 187 };
  const testers = isByMachine && first ? [first.tester] : plant.testerHosts.map((_, tester) => tester);
  const at = interval.from + 3;
  const byTester = new Map(
    testers.map((tester) => [tester, Math.ceil(connectedAt(plant, (viewer) => viewer.tester === tester, at) / 3)]),
  );
  const all = connectedAt(plant, () => true, at);
  const share = (100 * [...byTester.values()].reduce((sum, each) => sum + each, 0)) / Math.max(1, all);
  if (all < 10 || interval.to - interval.from < 7 || share < 2 * degradedLimit) return undefined;
  return { ...interval, blame: isByMachine ? 'machine' : 'server', byTester };
}

const isConnecting = ({ stage }: Loss): boolean => stage !== 'media';

export function connectedAt({ viewers }: Plant, of: (viewer: PlantedViewer) => boolean, second: number): number {
  return viewers.filter((viewer) => {
    const { loss, arrival } = viewer;
    if (!of(viewer) || arrival > second) return false;
    return loss === undefined || (!isConnecting(loss) && loss.second > second);
  }).length;
}

const originName = (place: number): string => `origin${place}`;
const testerName = (place: number): string => `tester${place}`;
export const audienceName = (place: number): string => `audience ${place}`;

/** The planted run as it would be recorded. */
export function recordedRun(plant: Plant): JudgedRun {
  const { audiences, viewers, event } = plant;
  const isSeveral = audiences.length > 1;
  const node = (id: string, role: NodeView['role'], host: string): NodeView => ({
    ...{ id, name: id, role, colourSlot: 1, state: 'live', reach: '', host, streams: [] },
    ...(role === 'origin' ? { server: 'generic' as const } : {}),
    machine: { system: 'linux', kernel: '', cpuModel: '', cores: 4, memoryBytes: 8e9, versions: {} },
  });
  const nodes = [
    ...plant.originHosts.map((host, i) => node(originName(i), 'origin', host)),
    ...plant.testerHosts.map((host, i) => node(testerName(i), 'tester', host)),
  ];
  const pulls = audiences.map(({ from, by, viewers: size }, i) => ({
    ...{ stream: `cam${i}`, from: originName(from), by: by.map(testerName), protocol: 'whep' as const },
    ...{ viewers: size, ratePerSecond: 50, holdMs: 190_000 },
    ...(isSeveral ? { label: audienceName(i) } : {}),
  }));
  const [pull, ...also] = pulls;
  if (!pull) throw new Error('A run has at least one audience.');
  const ms = (second: number): number => startMs + second * 1000;
  const stoppedMs = event === 'stopped' ? ms(endSecond) : undefined;
  const connected = connectedAt(plant, () => true, rampTo);
  const view: RunView = {
    ...{ id: 'run', name: 'Planted', state: 'stopping', nodes, startedMs: startMs, readOnly: false },
    plan: {
      ...{ name: 'Planted', publish: [], nodes: {}, pull, ...(also.length > 0 ? { also } : {}) },
      expect: {
        connected: { comparison: '>=', value: plant.connectedPercent },
        outages: defaultExpectations.outages,
        degraded: { comparison: '<=', value: degradedLimit },
        cpu: { comparison: '<=', value: 80 },
      },
    },
    phases: [
      { name: 'prepare', startMs, endMs: startMs },
      { name: 'ramp', startMs, endMs: ms(rampTo) },
      { name: 'hold', startMs: ms(rampTo), endMs: ms(endSecond) },
    ],
    figures: {
      ...{ timeMs: ms(endSecond), requested: viewers.length, connecting: 0, connected, connectedPeak: connected },
      ...{ failed: 0, degraded: 0, degradedPeak: 0, degradedPercentPeak: 0, present: 0, mediaInMbps: 1 },
      ...{ rateTarget: 50, rateAchieved: 50, timeToAllMs: 10_000, packetsPerSecond: 40 },
    },
    failures: failureGroups(plant),
  };
  return {
    view,
    values: cached((id, series) => sampled(plant, nodes, id, series)),
    ...(stoppedMs === undefined ? {} : { stoppedMs }),
    ...(isSeveral
      ? { audienceEnds: Object.fromEntries(audiences.map((_, i) => [audienceId(i), ms(holdEnd(i))])) }
      : {}),
    runEvents: {
      ...(event === 'origin-lost'
        ? {
            lostOrigins: [
              { node: originName(0), timeMs: ms(150), sentence: 'origin0 stopped responding at 00:02:30.' },
            ],
          }
        : {}),
      ...(event === 'tester-lost'
        ? { lostTesters: [{ node: testerName(0), timeMs: ms(150), sentence: 'tester0 stopped at 00:02:30.' }] }
        : {}),
    },
  };
}

function cached(read: JudgedRun['values']): JudgedRun['values'] {
  const known = new Map<string, Values>();
  return (id, series) => {
    const key = `${id} ${series}`;
    const values = known.get(key) ?? read(id, series);
    known.set(key, values);
    return values;
  };
}

function failureGroups({ viewers, audiences }: Plant): readonly FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const { audience, tester, loss } of viewers) {
    if (!loss) continue;
    const { stage, cause, second } = loss;
    const key = [audience, tester, stage, cause].join(' ');
    const known = groups.get(key);
    const timeMs = Math.min(known?.example.timeMs ?? Infinity, startMs + second * 1000 - 500);
    groups.set(key, {
      ...{ tester: testerName(tester), stage, cause, count: (known?.count ?? 0) + 1 },
      ...(audiences.length > 1 ? { audience: audienceName(audience) } : {}),
      example: { viewer: 1, timeMs, detail: '' },
    });
  }
  return [...groups.values()];
}

function sampled(plant: Plant, nodes: readonly NodeView[], id: string, series: SeriesId): Values {
  const seconds = Array.from({ length: endSecond + 1 }, (_, second) => second);
  const curve = curveOf(plant, nodes, id, series);
  const found = seconds.map((second) => ({ second, value: curve(second) }));
  const kept = found.filter(({ value }) => value !== undefined);
  return { timeMs: kept.map(({ second }) => startMs + second * 1000), value: kept.map(({ value }) => value ?? 0) };
}

function curveOf(
  plant: Plant,
  nodes: readonly NodeView[],
  id: string,
  series: SeriesId,
): (second: number) => number | undefined {
  const audience = plant.audiences.findIndex((_, i) => audienceId(i) === id);
  const tester = plant.testerHosts.findIndex((_, i) => testerName(i) === id);
  const isOwn = (viewer: PlantedViewer): boolean =>
    audience >= 0 ? viewer.audience === audience : viewer.tester === tester;
  const ownViewers = plant.viewers.filter(isOwn);
  const host = nodes.find((node) => node.id === id)?.host ?? '';
  const isIn = (interval: Interval | undefined, second: number): boolean =>
    interval !== undefined && second >= interval.from && second <= interval.to;
  const busy = plant.busy.get(host);
  const overloaded = plant.originHosts[plant.overloaded?.origin ?? -1] === host ? plant.overloaded : undefined;
  if (series === 'cpuPercent') return (second) => (isIn(busy, second) ? 100 : isIn(overloaded, second) ? 97 : 30);
  if (series === 'otherCpuPercent') return (second) => (isIn(busy, second) ? 70 : 3);
  if (series === 'processCpuPercent') return () => 20;
  if (tester < 0 && audience < 0) return () => undefined;
  if (series === 'viewersRequested') return () => ownViewers.length;
  if (series === 'viewersConnected') {
    const of = { ...plant, viewers: ownViewers };
    return (second) => connectedAt(of, () => true, second);
  }
  if (series === 'viewersFailed')
    return (second) => ownViewers.filter(({ loss }) => loss !== undefined && loss.second <= second).length;
  if (series === 'viewersFailedOnTester')
    return (second) =>
      ownViewers.filter(({ loss }) => loss?.cause.startsWith('tester-') === true && loss.second <= second).length;
  if (series === 'viewersDegraded')
    return (second) => (isIn(plant.degraded, second) ? (plant.degraded?.byTester.get(tester) ?? 0) : 0);
  if (series === 'testerReaderWaitPercent') return (second) => (isIn(plant.waiting.get(tester), second) ? 60 : 2);
  return () => undefined;
}
