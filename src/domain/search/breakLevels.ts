import type { NodeView } from '../node';
import { hostValuesOf } from '../hostValues';
import { formatFigure } from '../numberFormat';
import { seriesDefinition, type SeriesId } from '../series';
import { formatRunTime } from '../timeFormat';
import type { Values } from '../windows';
import type { Trial } from './found';
import type { BreakEvidence } from './gaveOut';
import { meanOf, originOf, testersOf } from './trialSeen';

/** Trials so near the break, as a share of its size, speak of it. */
const nearShare = 0.1;
/** Trials so far below the break show what is there without the crowd. */
const farShare = 0.7;
/** Such a part of what it was at the break, at most. */
const drivenShare = 0.9;
/** And so many of them at most on either side: the nearest. */
const mostTrials = 4;

/** A figure at the sizes that held just below the break, and at those just above that did not. */
export interface Level {
  readonly held: number | undefined;
  readonly broke: number;
}

/** What was measured on both sides of the break. */
export class BreakLevels {
  readonly origin: NodeView | undefined;
  readonly testers: readonly NodeView[];
  private readonly below: readonly Trial[];
  private readonly above: readonly Trial[];
  private readonly farBelow: readonly Trial[];

  constructor(readonly evidence: BreakEvidence) {
    this.origin = originOf(evidence);
    this.testers = testersOf(evidence);
    const { trials, broke = 0 } = evidence.found;
    const nearest = (result: Trial['result']): Trial[] => {
      const all = trials
        .filter((trial) => trial.result === result)
        .sort((a, b) => Math.abs(a.viewers - broke) - Math.abs(b.viewers - broke));
      const near = all.filter(({ viewers }) => Math.abs(viewers - broke) <= nearShare * broke);
      return (near.length > 0 ? near : all.slice(0, 1)).slice(0, mostTrials);
    };
    this.below = nearest('met');
    this.above = nearest('missed');
    this.farBelow = trials.filter(({ result, viewers }) => result === 'met' && viewers <= farShare * broke);
  }

  /** The moment of the break: when the first of the sizes above it was watched. */
  get brokeMs(): number {
    return Math.min(...this.above.map(({ fromMs }) => fromMs));
  }

  /** The smallest of the sizes above it that were watched. */
  get brokeViewers(): number {
    return Math.min(...this.above.map(({ viewers }) => viewers));
  }

  /** The run's time of the break, for sentences. */
  get at(): string {
    return formatRunTime(this.brokeMs - this.evidence.startedMs);
  }

  /** `263 viewers`. */
  get size(): string {
    const { brokeViewers } = this;
    return `${formatFigure(brokeViewers, 'integer')} viewer${brokeViewers === 1 ? '' : 's'}`;
  }

  /** Of a node or its host; undefined where nothing was measured above the break. */
  level(node: NodeView | undefined, series: SeriesId, of: 'mean' | 'most' = 'mean'): Level | undefined {
    const broke = this.over(this.above, node, series, of);
    return broke === undefined ? undefined : { held: this.over(this.below, node, series, of), broke };
  }

  /**
   * Whether a figure grows with the viewers. What was as high when far fewer watched, and watched well, did not break them: some other
   * work on the machine makes it high.
   */
  isDriven(node: NodeView | undefined, series: SeriesId, broke: number): boolean {
    const far = this.over(this.farBelow, node, series, 'mean') ?? this.over(this.below, node, series, 'mean');
    return far === undefined || far <= drivenShare * broke;
  }

  /** The same per viewer that was wanted. */
  perViewer(node: NodeView | undefined, series: SeriesId): Level | undefined {
    const level = this.level(node, series);
    const size = (trials: readonly Trial[]): number =>
      meanOf({ timeMs: [], value: trials.map(({ viewers }) => viewers) }) ?? 1;
    if (!level) return undefined;
    return {
      held: level.held === undefined ? undefined : level.held / size(this.below),
      broke: level.broke / size(this.above),
    };
  }

  /** Sums over all testers; undefined where one of them says nothing. */
  audience(series: SeriesId): Level | undefined {
    const levels = this.testers.map((tester) => this.level(tester, series));
    let [held, broke]: [number | undefined, number] = [0, 0];
    for (const level of levels) {
      if (!level) return undefined;
      held = held === undefined || level.held === undefined ? undefined : held + level.held;
      broke += level.broke;
    }
    return levels.length > 0 ? { held, broke } : undefined;
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
      const values = (id: string, each: SeriesId): Values => read(id, each, fromMs, toMs);
      const found = isOfHost(series)
        ? hostValuesOf({ nodes, values }, node, series)
        : values(node.id, series);
      if (of === 'mean') return meanOf(found) ?? [];
      return found.value.length > 0 ? Math.max(...found.value) : [];
    });
    return meanOf({ timeMs: [], value: figures });
  }
}

/** Such a figure may be known by another node of the same host. */
function isOfHost(series: SeriesId): boolean {
  return seriesDefinition(series)?.source === 'host';
}
