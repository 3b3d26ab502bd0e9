import type { RunSummary } from '../../src/domain/model/run';

const minute = 60_000;
const newest = Date.UTC(2026, 10, 24, 16, 39, 47);

interface Short {
  readonly verdict: RunSummary['verdict'];
  readonly name: string;
  readonly origin: string;
  readonly agoMinutes: number;
  readonly got: number;
  readonly of: number;
  readonly cpu?: number;
  readonly degraded: number;
  readonly gc?: number;
  readonly seconds: number;
  readonly tags?: readonly string[];
  readonly note?: string;
  readonly isBaseline?: boolean;
}

const shorts: readonly Short[] = [
  {
    verdict: 'fail',
    name: 'Pull 1000',
    origin: 'atom-c2550',
    agoMinutes: 0,
    got: 996,
    of: 1000,
    cpu: 93,
    degraded: 4.8,
    gc: 14.2,
    seconds: 303,
    tags: ['zgc', 'tuned'],
  },
  {
    verdict: 'pass',
    name: 'Pull 700, after tuning',
    origin: 'atom-c2550',
    agoMinutes: 41,
    got: 700,
    of: 700,
    cpu: 79,
    degraded: 0.3,
    gc: 7.9,
    seconds: 250,
    tags: ['zgc', 'tuned'],
  },
  {
    verdict: 'pass',
    name: 'Pull 1000, two testers',
    origin: 'xeon-48',
    agoMinutes: 1808,
    got: 1000,
    of: 1000,
    cpu: 31,
    degraded: 0,
    gc: 2.5,
    seconds: 312,
    tags: ['baseline'],
    isBaseline: true,
  },
  {
    verdict: 'inconclusive',
    name: 'Pull 1000',
    origin: 'xeon-48',
    agoMinutes: 1835,
    got: 1000,
    of: 1000,
    cpu: 33,
    degraded: 6.1,
    gc: 3.3,
    seconds: 240,
    tags: ['tester-limited'],
  },
  {
    verdict: 'fail',
    name: 'Pull 1000, before tuning',
    origin: 'atom-c2550',
    agoMinutes: 2959,
    got: 260,
    of: 1000,
    cpu: 98,
    degraded: 14.6,
    gc: 48.2,
    seconds: 624,
    tags: ['g1'],
    note: 'Heap still at its default',
  },
  {
    verdict: 'interrupted',
    name: 'Soak 1 h, 200 viewers',
    origin: 'atom-c2550',
    agoMinutes: 3157,
    got: 200,
    of: 200,
    cpu: 38,
    degraded: 0.5,
    gc: 9.1,
    seconds: 2358,
    tags: ['soak'],
  },
  {
    verdict: 'pass',
    name: 'Smoke 10',
    origin: 'atom-c2550',
    agoMinutes: 3164,
    got: 10,
    of: 10,
    cpu: 13,
    degraded: 0,
    gc: 1.1,
    seconds: 40,
  },
  {
    verdict: 'stopped',
    name: 'Find my limit',
    origin: 'srs-7',
    agoMinutes: 4255,
    got: 840,
    of: 870,
    cpu: 88,
    degraded: 0.9,
    seconds: 847,
    tags: ['limit'],
  },
  {
    verdict: 'pass',
    name: 'Pull 1000 on the local lab, with a name that is much longer than any column has room for',
    origin: 'lab',
    agoMinutes: 4297,
    got: 1000,
    of: 1000,
    cpu: 61,
    degraded: 0.1,
    gc: 0.4,
    seconds: 72,
  },
];

/** Colours assigned to the origins when they were added. */
const slots: Readonly<Record<string, number>> = {
  'atom-c2550': 1,
  'xeon-48': 5,
  lab: 4,
  'srs-7': 7,
};

function trace({ got, of }: Short): number[] {
  return Array.from({ length: 40 }, (_, index) => Math.round(Math.min(got, (of * index) / 18)));
}

/** A library after a week of use. */
export const savedRuns: readonly RunSummary[] = [
  ...shorts.map((short, index): RunSummary => ({
    id: `run-${index + 1}`,
    name: short.name,
    verdict: short.verdict,
    startedMs: newest - short.agoMinutes * minute,
    endedMs: newest - short.agoMinutes * minute + short.seconds * 1000,
    origin: short.origin,
    requested: short.of,
    connectedPeak: short.got,
    cpuMaxPercent: short.cpu,
    degradedPercentPeak: short.degraded,
    gcMaxMs: short.gc,
    viewersTrace: trace(short),
    bytes: 4_600_000,
    originSlot: slots[short.origin],
    testers: ['tester-1'],
    tags: short.tags && [...short.tags],
    note: short.note,
    isBaseline: short.isBaseline,
  })),
  {
    id: 'damaged-1',
    name: 'pull-100-lab.fullhouse',
    verdict: 'damaged',
    startedMs: newest - 5000 * minute,
    origin: '',
    requested: 0,
    connectedPeak: 0,
    degradedPercentPeak: 0,
    viewersTrace: [],
    bytes: 12_000,
    problem: 'The file ends in the middle of a page: it was not copied to its end. Copy it again.',
  },
];

/** Two runs that took place while a fleet was watched. */
export const runsWhile = ({ startedMs, lengthMs }: { startedMs: number; lengthMs: number }): readonly RunSummary[] =>
  savedRuns.slice(0, 2).map((run, index) => {
    const beganMs = startedMs + lengthMs * (0.3 + 0.35 * index);
    return { ...run, startedMs: beganMs, endedMs: beganMs + lengthMs * 0.15 };
  });
