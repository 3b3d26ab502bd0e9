import { percentile } from '../series/percentile';
import type { ExpectationId } from '../model/plan';
import type { ReasonCause, RunView } from '../model/run';
import { delayBy, runDelayMethods, type RunDelayMethod } from '../run/runDelay';
import type { DistributionId } from '../series/distributions';
import type { SeriesId } from '../series/series';
import { nodeFigures, type NodeFigures } from '../node/nodeFigures';
import type { Values } from '../series/windows';
import { firstReason } from '../evidence/cause';
import { audienceGrid, curveGrid, curveIds, type CurveId } from './curves';
import { originOf } from './describeRun';
import { clientsOf } from '../model/publisherGroup';
import { comparedTime, mostOf, sortedValues, testerGrid, valueAt, type Grid, type MeasuredRun } from './measuredRun';

/** What failed first, and at how many viewers. */
export interface FirstLimit {
  readonly what: ExpectationId | SeriesId | Exclude<ReasonCause, 'origin' | 'unmeasured'>;
  readonly timeMs: number;
  readonly viewers?: number;
}

/** The figures of a run for a comparison. */
export interface RunMeasure {
  readonly view: RunView;
  readonly origin: string;
  readonly audience: Grid | undefined;
  readonly curves: Readonly<Partial<Record<CurveId, Grid>>>;
  /** Peak of viewers connected, or of publishers alone. */
  readonly connected: number;
  readonly clients: 'viewers' | 'publishers';
  /** Peak of what publishers alone sent. */
  readonly sentMbps?: number;
  readonly firstLimit?: FirstLimit;
  /** Over the complete run, as everywhere else. */
  readonly nodes: readonly NodeFigures[];
  /** Ascending, ms. */
  readonly connectMs: Float64Array;
}

export function measureRun(run: MeasuredRun): RunMeasure {
  const { view } = run;
  const time = comparedTime(view);
  const audience = audienceGrid(run, time);
  const curves: Partial<Record<CurveId, Grid>> = {};
  for (const id of curveIds) {
    const grid = curveGrid(run, time, audience, id);
    if (grid) curves[id] = grid;
  }
  const firstLimit = firstLimitOf(view, audience);
  const clients = clientsOf(view.plan);
  const sent = clients === 'publishers' ? testerGrid(run, time, 'publishMbps', 'sum') : undefined;
  const sentMbps = sent && mostOf(sent);
  return {
    view,
    origin: originOf(view)?.name ?? '',
    audience,
    curves,
    connected: view.figures.connectedPeak,
    clients,
    ...(sentMbps === undefined ? {} : { sentMbps }),
    ...(firstLimit ? { firstLimit } : {}),
    nodes: nodeFigures(view, (node, series) => maxOf(run.values(node, series))),
    connectMs: Float64Array.from(run.connectMs).sort(),
  };
}

function maxOf({ value }: Values): number | undefined {
  return value.length > 0 ? value.reduce((most, reading) => Math.max(most, reading), -Infinity) : undefined;
}

/** The first reason of the run's verdict; undefined if the run shows no limit: it passed, or was not measured. */
function firstLimitOf(view: RunView, audience: Grid | undefined): FirstLimit | undefined {
  const reason = firstReason(view);
  if (!reason || reason.causedBy === 'unmeasured') return undefined;
  const { causedBy, expectation, series, timeMs } = reason;
  const what = causedBy === 'origin' ? (expectation ?? series) : causedBy;
  if (what === undefined) return undefined;
  const viewers = audience && valueAt(audience, timeMs);
  return { what, timeMs, ...(viewers === undefined ? {} : { viewers: Math.round(viewers) }) };
}

/** Tolerance around an audience size, in percent: the nearest size with enough samples counts. */
const nearPercent = [2.5, 5, 10, 20];
const enoughSamples = 3;

/** Median of a curve while about so many viewers were connected; undefined if there never were. */
export function atAudience(measure: RunMeasure, id: CurveId, viewers: number): number | undefined {
  const grid = measure.curves[id];
  const { audience } = measure;
  if (!grid || !audience) return undefined;
  let nearValues: number[] = [];
  for (const percent of nearPercent) {
    const reach = Math.max(1, (viewers * percent) / 100);
    nearValues = [...grid.values].filter((value, slot) => {
      const there = audience.values[slot] ?? NaN;
      return value === value && Math.abs(there - viewers) <= reach;
    });
    if (nearValues.length >= enoughSamples) break;
  }
  return percentile(
    nearValues.sort((a, b) => a - b),
    50,
  );
}

/** A round audience size that all of the runs had: 260 gives 250, 996 gives 900. */
export function commonAudience(measures: readonly RunMeasure[]): number | undefined {
  const least = Math.min(...measures.map(({ connected }) => connected));
  if (!Number.isFinite(least) || least < 1) return undefined;
  const power = 10 ** Math.floor(Math.log10(least));
  const digit = [10, 9, 8, 7, 6, 5, 4, 3, 2.5, 2, 1.5, 1].find((factor) => factor * power <= least + 1e-9) ?? 1;
  return Math.max(1, Math.floor(digit * power));
}

/** Percentile of a curve over the compared time. */
export function overRun(measure: RunMeasure, id: CurveId, percent: number): number | undefined {
  return percentile(sortedValues(measure.curves[id]), percent);
}

/**
 * A percentile of all viewers over all seconds, where each of the compared runs has its distributions. Else the
 * percentile over the compared time of what each second had: the two differ, so one comparison never mixes them.
 */
export function percentileOf(
  compared: readonly RunMeasure[],
  distribution: DistributionId,
  percent: 50 | 95 | 99,
  otherwise: (measure: RunMeasure) => number | undefined,
): (measure: RunMeasure) => number | undefined {
  const exact = ({ view }: RunMeasure): number | undefined =>
    view.figures.distributions?.find((each) => each.distribution === distribution && each.audience === undefined)?.[
      `p${percent}`
    ];
  return compared.every((measure) => exact(measure) !== undefined) ? exact : otherwise;
}

/**
 * The delay of a run over all of its seconds, by one method for all of the compared runs: the best one that each of them
 * has, else the best one of any.
 */
export function delayOf(compared: readonly RunMeasure[]):
  | (Pick<RunDelayMethod, 'by' | 'distribution'> & {
      readonly of: (percent: 50 | 95 | 99) => (measure: RunMeasure) => number | undefined;
    })
  | undefined {
  const isMeasured =
    ({ distribution }: RunDelayMethod) =>
    ({ view }: RunMeasure): boolean =>
      delayBy(view.figures, distribution) !== undefined;
  const method =
    runDelayMethods.find((each) => compared.every(isMeasured(each))) ??
    runDelayMethods.find((each) => compared.some(isMeasured(each)));
  return (
    method && {
      by: method.by,
      distribution: method.distribution,
      of:
        (percent) =>
        ({ view }) =>
          delayBy(view.figures, method.distribution)?.[`p${percent}`],
    }
  );
}

export function most(measure: RunMeasure, id: CurveId): number | undefined {
  return mostOf(measure.curves[id]);
}

/** Whether a tester was ever at its own limit: then viewer metrics say little about the origin. */
export function isTesterLimited({ view }: RunMeasure): boolean {
  return view.verdict?.verdict !== 'pass' && (view.testerLimits ?? []).length > 0;
}
