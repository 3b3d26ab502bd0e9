/**
 * Types that define charts: a chart has panels, a panel has traces and reference lines. `charts.ts` has the
 * definitions.
 */
import type { FigureStyle } from '../text/numberFormat';
import type { ChartId } from '../model/chartIds';
import { percentileSeriesOf, type DistributionId } from '../series/distributions';
import type { SeriesId, Unit } from '../series/series';

export interface SeriesRef {
  readonly node: string;
  readonly series: SeriesId;
}

/**
 * Line style: `stack` is a filled area on top of those before it, `asked` thin and dashed, `dots` one dot per sample,
 * `band` an area without a line.
 */
export type LineStyle = 'line' | 'noisy' | 'stack' | 'area' | 'band' | 'asked' | 'dots';

/** A node's colour. */
export interface NodeOwner {
  readonly kind: 'node';
  readonly node: string;
  readonly colourSlot: number;
  /** Other nodes that the line represents too: those on the same machine. */
  readonly alsoOf?: readonly string[];
}

/** Whose colour: a node's, or a neutral one. */
export type TraceOwner = NodeOwner | { readonly kind: 'neutral' } | { readonly kind: 'degraded' };

/** Whether a line represents one of these nodes; a neutral one does not. */
export function isAbout(owner: TraceOwner, nodes: ReadonlySet<string>): boolean {
  if (owner.kind !== 'node') return false;
  return nodes.has(owner.node) || owner.alsoOf?.some((id) => nodes.has(id)) === true;
}

/** Whether a line is shown: it is of an isolated node or of none, or no node is isolated. */
export function isShownWith({ owner }: Pick<TraceSpec, 'owner'>, isolated: ReadonlySet<string>): boolean {
  return owner.kind !== 'node' || isolated.size === 0 || isAbout(owner, isolated);
}

export interface TraceSpec {
  /** Unique within the chart. */
  readonly key: string;
  /** Label of the figure: the node's name, or the statistic, e.g. `p95`. */
  readonly label: string;
  readonly owner: TraceOwner;
  readonly look: LineStyle;
  /** Its input samples; if empty, it cannot be measured and its figure is an en dash. */
  readonly inputs: readonly SeriesRef[];
  /**
   * How several inputs become one value per second. `firstMeasured` takes the first input that has samples. A `sum` is
   * unknown while one of its inputs has a gap, or ended at a value other than 0.
   */
  readonly combine: 'firstMeasured' | 'sum' | 'highest';
  /** Displayed value = sample × factor. */
  readonly factor: number;
  /** For sparse series: where this one has a sample and the input has none, nothing happened: a measured 0. */
  readonly zeroWhere?: SeriesRef;
  /** Listed only once it has samples; otherwise it is listed with an en dash until then. */
  readonly onlyWhenMeasured: boolean;
  /** Its figure is in the header of the card (or of its lower panel). */
  readonly showFigure: boolean;
  /** Its label is next to its figure: in a chart of several series, colour alone does not identify a line. */
  readonly showLabel?: boolean;
  /** The summary value of a complete run. */
  readonly extreme: 'highest' | 'lowest';
}

/** The distribution that the first panel has percentiles of; undefined for a chart of other series. */
export function distributionOfChart({ panels }: Pick<ChartSpec, 'panels'>): DistributionId | undefined {
  for (const { inputs } of panels[0]?.traces ?? [])
    for (const { series } of inputs) {
      const found = percentileSeriesOf(series);
      if (found) return found.distribution;
    }
  return undefined;
}

/** A labelled line across a panel: a limit of a verdict, or a reference value. */
export interface ReferenceLine {
  readonly kind: 'limit' | 'fact';
  readonly value: number;
  readonly label: string;
  /** Where a narrow plot would clip the label. */
  readonly shortLabel?: string;
  /** Side of the line with its label: the one away from the data. */
  readonly labelled: 'above' | 'below';
}

export interface ScaleSpec {
  readonly low: number;
  readonly high: number;
  readonly fixed: boolean;
  /** The scale never ends above it: a share has no more than 100 %. */
  readonly most?: number;
  /**
   * A value that comes into view once the data has reached `from`, and not before: a reference line far above the data
   * would flatten it.
   */
  readonly reach?: { readonly from: number; readonly to: number };
}

export interface PanelSpec {
  /** At the bottom of a lower panel; the upper one is named by the chart's title. */
  readonly label: string;
  /** Where the label would overlap the figures next to it. */
  readonly shortLabel?: string;
  readonly unit: Unit | 'GiB' | 'MiB';
  /** Share of the chart's height. */
  readonly weight: number;
  /** In the order of the figures; the origin is drawn last, on top. */
  readonly traces: readonly TraceSpec[];
  readonly lines: readonly ReferenceLine[];
  /** The scale shows at least this range and grows in round steps; a `fixed` one never grows. */
  readonly scale: ScaleSpec;
  /** Figures in the header are shorter than those in the tooltip. */
  readonly headStyle: FigureStyle;
  readonly tooltipStyle: FigureStyle;
}

export interface ChartSpec {
  readonly id: ChartId;
  readonly title: string;
  /** Unit and quantity, in the muted colour after the title; the short form in narrow cards. */
  readonly subtitle: string;
  readonly shortSubtitle: string;
  /** One or two, the upper first, on one time axis. */
  readonly panels: readonly PanelSpec[];
  /** Missing samples mean that a node did not respond, so the ends of a gap are marked with rings. */
  readonly gapRings: boolean;
  /** Viewer metrics: unreliable once a tester is at its own limit. */
  readonly isOfViewers: boolean;
  /** What to add if none of its series is measured, e.g. `No source: add SSH`. */
  readonly noSource?: string;
  /** One sentence instead of the plot if the protocol of the pull has no such figures. */
  readonly absent?: string;
}
