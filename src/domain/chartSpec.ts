/** The words in which charts are defined: a chart has panels, a panel has traces and lines of reference. `charts.ts` says which. */
import type { FigureStyle } from './numberFormat';
import type { SeriesId, Unit } from './series';

/** Charts that every run has by default. */
export const builtInChartIds = [
  'viewers',
  'cpu',
  'bandwidth',
  'gc',
  'memory',
  'load',
  'frameRate',
  'jitter',
  'connect',
] as const;
export type BuiltInChartId = (typeof builtInChartIds)[number];
/** A chart that a person put together; see `layout/chartLayout.ts`. */
export type CustomChartId = `custom:${string}`;
/** A chart that appears by itself because a run has something for it; see `layout/autoCharts.ts`. */
export type AutoChartId = `auto:${string}`;
export type ChartId = BuiltInChartId | CustomChartId | AutoChartId;

export interface SeriesRef {
  readonly node: string;
  readonly series: SeriesId;
}

/** How a line looks: `stack` is a filled area on top of those before it, `asked` thin and dashed, `dots` one dot per sample. */
export type TraceLook = 'line' | 'noisy' | 'stack' | 'area' | 'asked' | 'dots';

/** A node's colour. */
export interface NodeOwner {
  readonly kind: 'node';
  readonly node: string;
  readonly colourSlot: number;
  /** Other nodes that the line is about as well: those on the same machine. */
  readonly alsoOf?: readonly string[];
}

/** Whose colour: a node's, or one that belongs to no node. */
export type TraceOwner = NodeOwner | { readonly kind: 'neutral' } | { readonly kind: 'degraded' };

/** Whether a line is about one of these nodes; one that belongs to no node is not. */
export function isAbout(owner: TraceOwner, nodes: ReadonlySet<string>): boolean {
  if (owner.kind !== 'node') return false;
  return nodes.has(owner.node) || owner.alsoOf?.some((id) => nodes.has(id)) === true;
}

export interface TraceSpec {
  /** Unique within the chart. */
  readonly key: string;
  /** Name beside the figure: the node's, or what it is, e.g. `p95`. */
  readonly label: string;
  readonly owner: TraceOwner;
  readonly look: TraceLook;
  /** Samples it is made of; empty when it cannot be measured, then its figure is an en dash. */
  readonly inputs: readonly SeriesRef[];
  /**
   * How several inputs become one value per second. `firstMeasured` takes the first input that has samples at all.
   * A `sum` is unknown while one of its inputs is: silent between two samples, or ended at another value than 0.
   */
  readonly combine: 'firstMeasured' | 'sum' | 'highest';
  /** Value shown = sample × factor. */
  readonly factor: number;
  /** For sparse series: where this one has a sample and the input has none, nothing happened, and that is a measured 0. */
  readonly zeroWhere?: SeriesRef;
  /** Listed only once it has samples; otherwise it is listed with an en dash until then. */
  readonly onlyWhenMeasured: boolean;
  /** Its figure stands in the card's head (or in the head of its lower panel). */
  readonly showFigure: boolean;
  /** Its label stands beside its figure: in a chart of several series a colour alone names no line. */
  readonly showLabel?: boolean;
  /** The most telling value of a whole run. */
  readonly extreme: 'highest' | 'lowest';
}

/** A named line across a panel: a limit that a verdict watches, or a fact to compare with. */
export interface ReferenceLine {
  readonly kind: 'limit' | 'fact';
  readonly value: number;
  readonly label: string;
  /** Where a narrow plot would cut the label. */
  readonly shortLabel?: string;
  /** Side of the line that its label stands on: the one away from where the data is wanted. */
  readonly labelled: 'above' | 'below';
}

export interface ScaleSpec {
  readonly low: number;
  readonly high: number;
  readonly fixed: boolean;
  /**
   * A value that belongs into view once the data has come to `from`, and not before: a line of reference far above the
   * data would press it flat.
   */
  readonly reach?: { readonly from: number; readonly to: number };
}

export interface PanelSpec {
  /** Written on the ground of a lower panel; the upper one is named by the chart's title. */
  readonly label: string;
  /** Where the label would run into the figures beside it. */
  readonly shortLabel?: string;
  readonly unit: Unit | 'GiB' | 'MiB';
  /** Share of the chart's height. */
  readonly weight: number;
  /** In the order of the figures; the origin is drawn last, on top. */
  readonly traces: readonly TraceSpec[];
  readonly lines: readonly ReferenceLine[];
  /** The scale shows at least this range and grows in round steps; a `fixed` one never does. */
  readonly scale: ScaleSpec;
  /** Figures in the head are shorter than those in the tooltip. */
  readonly headStyle: FigureStyle;
  readonly tooltipStyle: FigureStyle;
}

export interface ChartSpec {
  readonly id: ChartId;
  readonly title: string;
  /** Unit and what is counted, in the quiet colour after the title; the short form where there is little room. */
  readonly subtitle: string;
  readonly shortSubtitle: string;
  /** One or two, the upper first, on one time axis. */
  readonly panels: readonly PanelSpec[];
  /** Missing samples mean that a node did not answer, so the ends of a gap are marked with rings. */
  readonly gapRings: boolean;
  /** Made by viewers: doubtful once a tester is at its own limit. */
  readonly madeByViewers: boolean;
  /** What to add where none of its series is measured, e.g. `No source: add SSH`. */
  readonly noSource?: string;
  /** One sentence in place of the plot where the protocol of the pull has no such figures. */
  readonly absent?: string;
}
