import type { FailureGroup } from '../model/run';
import type { Plan } from '../model/plan';
import type { LimitResult, Trial } from '../model/limitFound';
import type { NodeView } from '../model/node';
import { hostValuesOf } from '../node/hostValues';
import { clientsOf, type PublisherProblem } from '../model/publisherGroup';
import { formatClients } from '../text/numberFormat';
import { seriesDefinition, type SeriesId } from '../series/series';
import { formatRunTime } from '../text/timeFormat';
import type { Values } from '../series/windows';
import { meanOf, originOf, testersOf } from './trialInput';

/** Trials this close to the break, as a share of its size, count. */
const nearShare = 0.1;
/** Trials this far below the break show the level without load. */
const farShare = 0.7;
/** At most this share of the level at the break. */
const drivenShare = 0.9;
/** And at most so many of them on either side: the closest. */
const maxTrials = 4;

/** A figure at the sizes that held just below the break, and at those just above that did not. */
export interface Level {
  readonly below: number | undefined;
  readonly above: number;
}

/** Measurements on both sides of the break. */
export class LimitLevels {
  readonly origin: NodeView | undefined;
  readonly testers: readonly NodeView[];
  private readonly below: readonly Trial[];
  private readonly above: readonly Trial[];
  private readonly farBelow: readonly Trial[];

  constructor(readonly evidence: BreakEvidence) {
    this.origin = originOf(evidence);
    this.testers = testersOf(evidence);
    const { trials, minMissed = 0 } = evidence.found;
    const nearest = (result: Trial['result']): Trial[] => {
      const all = trials
        .filter((trial) => trial.result === result)
        .sort((a, b) => Math.abs(a.viewers - minMissed) - Math.abs(b.viewers - minMissed));
      const near = all.filter(({ viewers }) => Math.abs(viewers - minMissed) <= nearShare * minMissed);
      return (near.length > 0 ? near : all.slice(0, 1)).slice(0, maxTrials);
    };
    this.below = nearest('met');
    this.above = nearest('missed');
    this.farBelow = trials.filter(({ result, viewers }) => result === 'met' && viewers <= farShare * minMissed);
  }

  /** The time of the break: when the first of the sizes above it was measured. */
  get missedMs(): number {
    return Math.min(...this.above.map(({ fromMs }) => fromMs));
  }

  /** The smallest measured size above it. */
  get missedViewers(): number {
    return Math.min(...this.above.map(({ viewers }) => viewers));
  }

  /** The run time of the break, for sentences. */
  get at(): string {
    return formatRunTime(this.missedMs - this.evidence.startedMs);
  }

  get clients(): 'viewers' | 'publishers' {
    return clientsOf(this.evidence.plan);
  }

  /** `263 viewers`, or `263 publishers`. */
  get size(): string {
    const { missedViewers } = this;
    return formatClients(missedViewers, this.clients);
  }

  /** Level of a node or its host; undefined if nothing was measured above the break. */
  level(node: NodeView | undefined, series: SeriesId, of: 'mean' | 'most' = 'mean'): Level | undefined {
    const above = this.over(this.above, node, series, of);
    return above === undefined ? undefined : { below: this.over(this.below, node, series, of), above };
  }

  /**
   * Whether a figure grows with the viewers. If it was as high with far fewer viewers, none of them degraded, it did
   * not cause the break: other work on the machine makes it high.
   */
  isDriven(node: NodeView | undefined, series: SeriesId, above: number): boolean {
    const far = this.over(this.farBelow, node, series, 'mean') ?? this.over(this.below, node, series, 'mean');
    return far === undefined || far <= drivenShare * above;
  }

  /** The level per target viewer. */
  perViewer(node: NodeView | undefined, series: SeriesId): Level | undefined {
    const level = this.level(node, series);
    const size = (trials: readonly Trial[]): number =>
      meanOf({ timeMs: [], value: trials.map(({ viewers }) => viewers) }) ?? 1;
    if (!level) return undefined;
    return {
      below: level.below === undefined ? undefined : level.below / size(this.below),
      above: level.above / size(this.above),
    };
  }

  /** Sums over all testers; undefined if one of them has no data. */
  audience(series: SeriesId): Level | undefined {
    const levels = this.testers.map((tester) => this.level(tester, series));
    let [below, above]: [number | undefined, number] = [0, 0];
    for (const level of levels) {
      if (!level) return undefined;
      below = below === undefined || level.below === undefined ? undefined : below + level.below;
      above += level.above;
    }
    return levels.length > 0 ? { below, above } : undefined;
  }

  private over(
    trials: readonly Trial[],
    node: NodeView | undefined,
    series: SeriesId,
    of: 'mean' | 'most',
  ): number | undefined {
    if (!node) return undefined;
    const { nodes, values: read } = this.evidence;
    const figures = trials.flatMap(({ fromMs, toMs }) => {
      const values = (id: string, series: SeriesId): Values => read(id, series, fromMs, toMs);
      const seriesValues = isOfHost(series) ? hostValuesOf({ nodes, values }, node, series) : values(node.id, series);
      if (of === 'mean') return meanOf(seriesValues) ?? [];
      return seriesValues.value.length > 0 ? Math.max(...seriesValues.value) : [];
    });
    return meanOf({ timeMs: [], value: figures });
  }
}

/** Such a figure may be recorded under another node of the same host. */
function isOfHost(series: SeriesId): boolean {
  return seriesDefinition(series)?.source === 'host';
}

/** The data for finding the bottleneck. */
export interface BreakEvidence {
  readonly found: LimitResult;
  readonly plan: Plan;
  readonly nodes: readonly NodeView[];
  /** Start of the run, Unix ms. */
  readonly startedMs: number;
  /** All of the run. */
  readonly failures: readonly FailureGroup[];
  /** Why publishers alone failed. */
  readonly problems?: readonly PublisherProblem[];
  /** Samples of a node and series between two times, both included. */
  readonly values: (node: string, series: SeriesId, fromMs: number, toMs: number) => Values;
}
