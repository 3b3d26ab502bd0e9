import { z } from 'zod';
import { verdictNames, type RunId } from '../model/run';
import { count, immutable, runId } from '../model/schema';
import { binStep, curveIds, curves, lineOverTime, lineOverViewers, curveLine } from './curves';
import { originOf } from './describeRun';
import { differences } from './differences';
import { figureDefinitions, type FigureDefinition } from './figures';
import { comparisonSentence } from './headline';
import { commonAudience, isTesterLimited, type RunMeasure } from './measureRun';
import { exceedsNoise, noiseOf } from './noise';

export const minCompared = 2;
export const maxCompared = 5;
export const letters = ['A', 'B', 'C', 'D', 'E'] as const;

/** One of the compared runs. */
const comparedRunOf = immutable(
  z.object({
    id: runId,
    letter: z.string(),
    name: z.string(),
    startedMs: count,
    origin: z.string(),
    originSlot: count,
    verdict: z.enum(verdictNames).optional(),
    isBaseline: z.boolean(),
    isTesterLimited: z.boolean(),
    /** Where it reached its first limit: viewers connected, and ms since the first arrival. */
    limitViewers: count.optional(),
    limitMs: z.number().optional(),
    /** Runs of the same test in the library, including itself. */
    repeats: count,
  }),
);
export type ComparedRun = z.infer<typeof comparedRunOf>;

const cell = immutable(
  z.object({
    value: z.number().optional(),
    /** From the reference; absent in its own column, and if either is missing. */
    difference: z.number().optional(),
    /** Absent while the noise is unknown. */
    isBeyondNoise: z.boolean().optional(),
  }),
);
export type ComparedCell = z.infer<typeof cell>;

const figure = immutable(
  z.object({
    id: z.string(),
    title: z.string(),
    unit: z.string(),
    better: z.enum(['more', 'less', 'neither']),
    group: z.enum(['main', 'percentiles']),
    decimals: z.union([z.literal(0), z.literal(1)]),
    /** What two runs of the same test differ by at most, 19 times in 20; absent: unknown. */
    noise: z.number().optional(),
    /** One per run. */
    cells: z.array(cell),
  }),
);
export type ComparedFigure = z.infer<typeof figure>;

const chart = immutable(
  z.object({
    id: z.enum(curveIds),
    title: z.string(),
    about: z.string(),
    unit: z.string(),
    /** The limit that the runs' plans share. */
    limit: z.number().optional(),
    /** One line per run. */
    overTime: z.array(curveLine),
    overViewers: z.array(curveLine),
  }),
);
export type ComparedChart = z.infer<typeof chart>;

/** The comparison of two to five runs. */
export const comparison = immutable(
  z.object({
    runs: z.array(comparedRunOf),
    /** Index of the reference run: the baseline among them, else the oldest. */
    reference: count,
    sentence: z.string(),
    /** Other differences: plans, nodes, versions; one short phrase each. */
    differs: z.array(z.string()),
    /** How the noise was estimated, or that it is unknown; one sentence. */
    noise: z.string(),
    /** Caveats, e.g. that a tester was at its own limit; complete sentences. */
    remarks: z.array(z.string()),
    figures: z.array(figure),
    charts: z.array(chart),
  }),
);
export type Comparison = z.infer<typeof comparison>;

/** A run to compare, with the other known runs of the same test. */
export interface Candidate {
  readonly id: RunId;
  readonly name: string;
  readonly isBaseline: boolean;
  readonly measure: RunMeasure;
  /** Groups the candidates that repeat each other. */
  readonly repeatKey: string;
  /** Repeats that are not among the candidates. */
  readonly others: readonly RunMeasure[];
}

/** Compares runs in order of time: the oldest is A. */
export function compareRuns(candidates: readonly Candidate[]): Comparison {
  const sorted = [...candidates].sort((a, b) => a.measure.view.startedMs - b.measure.view.startedMs);
  const reference = Math.max(
    0,
    sorted.findIndex(({ isBaseline }) => isBaseline),
  );
  const measures = sorted.map(({ measure }) => measure);
  const groups = repeatGroups(sorted);
  const named = sorted.map(({ measure }, i) => ({ letter: letters[i] ?? '?', measure }));
  const figures = figureDefinitions(commonAudience(measures), [
    ...new Set([...measures, ...[...groups.values()].flat()]),
  ])
    .map((definition) => comparedFigure(definition, measures, reference, groups))
    .filter(({ cells }) => cells.some(({ value }) => value !== undefined));
  return {
    runs: sorted.map((candidate, i) => comparedRun(candidate, named[i]?.letter ?? '?', groups)),
    reference,
    sentence: comparisonSentence(named),
    differs: differences(measures.map(({ view }) => view)),
    noise: noiseSentence(figures, [...groups.values()]),
    remarks: named
      .filter(({ measure }) => isTesterLimited(measure))
      .map(
        ({ letter }) => `${letter} is tester-limited: its viewer metrics are not conclusive for ${letter}'s origin.`,
      ),
    figures,
    charts: chartsOf(measures),
  };
}

/** All known runs of each test among the candidates. */
function repeatGroups(candidates: readonly Candidate[]): ReadonlyMap<string, readonly RunMeasure[]> {
  const groups = new Map<string, Map<RunId, RunMeasure>>();
  for (const { repeatKey, measure, others } of candidates) {
    const group = groups.get(repeatKey) ?? new Map<RunId, RunMeasure>();
    for (const run of [measure, ...others]) group.set(run.view.id, run);
    groups.set(repeatKey, group);
  }
  return new Map([...groups].map(([key, group]) => [key, [...group.values()]]));
}

function comparedRun(
  { id, name, isBaseline, measure, repeatKey }: Candidate,
  letter: string,
  groups: ReadonlyMap<string, readonly RunMeasure[]>,
): ComparedRun {
  const { view, firstLimit, audience } = measure;
  const arrivedMs = audience?.fromMs ?? view.startedMs;
  return {
    id,
    letter,
    name,
    startedMs: view.startedMs,
    origin: measure.origin,
    originSlot: originOf(view)?.colourSlot ?? 1,
    ...(view.verdict ? { verdict: view.verdict.verdict } : {}),
    isBaseline,
    isTesterLimited: isTesterLimited(measure),
    ...(firstLimit?.viewers === undefined ? {} : { limitViewers: firstLimit.viewers }),
    ...(firstLimit ? { limitMs: Math.max(0, firstLimit.timeMs - arrivedMs) } : {}),
    repeats: groups.get(repeatKey)?.length ?? 1,
  };
}

function comparedFigure(
  definition: FigureDefinition,
  measures: readonly RunMeasure[],
  reference: number,
  groups: ReadonlyMap<string, readonly RunMeasure[]>,
): ComparedFigure {
  const { id, title, unit, better, group, decimals, resolution, of } = definition;
  const values = measures.map(of);
  const repeated = [...groups.values()].map((group) => group.map(of).filter((value) => value !== undefined));
  const noise = noiseOf(repeated, resolution);
  const base = values[reference];
  return {
    id,
    title,
    unit,
    better,
    group,
    decimals,
    ...(noise === undefined ? {} : { noise }),
    cells: values.map((value, i) => {
      if (value === undefined) return {};
      if (base === undefined || i === reference) return { value };
      const difference = value - base;
      const isBeyondNoise = exceedsNoise(difference, noise);
      return { value, difference, ...(isBeyondNoise === undefined ? {} : { isBeyondNoise }) };
    }),
  };
}

function noiseSentence(figures: readonly ComparedFigure[], groups: ReadonlyArray<readonly RunMeasure[]>): string {
  const repeats = Math.max(0, ...groups.map((group) => group.length));
  if (repeats < 2)
    return 'Noise unknown: no run was repeated. Repeat the same plan on the same origin to separate differences from noise.';
  const cpu = figures.find(({ id }) => id === 'cpuMost')?.noise;
  const connected = figures.find(({ id }) => id === 'connected')?.noise;
  const pieces = [
    ...(cpu === undefined ? [] : [`CPU ± ${cpu.toFixed(1)} %`]),
    ...(connected === undefined ? [] : [`viewers ± ${Math.round(connected)}`]),
  ];
  return `Noise of ${repeats} repeats: ${pieces.join(', ')}.`;
}

function chartsOf(measures: readonly RunMeasure[]): readonly ComparedChart[] {
  const step = binStep(Math.max(1, ...measures.map(({ connected }) => connected)));
  return curveIds.flatMap((id) => {
    const definition = curves[id];
    const grids = measures.map((measure) => measure.curves[id]);
    if (grids.every((grid) => grid === undefined)) return [];
    const limits = new Set(measures.map(({ view }) => definition.limit && view.plan.expect[definition.limit]?.value));
    const [limit] = limits;
    return [
      {
        id,
        title: definition.title,
        about: definition.about,
        unit: definition.unit,
        ...(limits.size === 1 && limit !== undefined ? { limit } : {}),
        overTime: grids.map((grid) => lineOverTime(grid, definition)),
        overViewers:
          id === 'viewers'
            ? []
            : grids.map((grid, i) => lineOverViewers(grid, measures[i]?.audience, step, definition)),
      },
    ];
  });
}
