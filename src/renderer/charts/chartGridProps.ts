import type { ChartId, ChartSpec } from '../../domain/charts';
import type { ChartLayout } from '../../domain/layout/chartLayout';
import type { NodeView } from '../../domain/node';
import type { Expectations, PullProtocol } from '../../domain/plan/plan';
import type { Phase, RunEvent, VerdictReason } from '../../domain/run';
import type { SeriesId } from '../../domain/series';
import type { TimeZoneChoice } from '../../domain/timeFormat';
import type { SampleStore } from './sampleStore';
import type { DoubtfulStretch, Extrapolation } from './scene';
import type { TimeAxis } from './timeAxis.svelte';

/** What charts show, for whoever has finer samples of it. Times are Unix ms UTC. */
export interface ChartsInView {
  readonly fromMs: number;
  readonly toMs: number;
  /** Pixel columns of a plot. */
  readonly columns: number;
  readonly cursorMs: number | undefined;
  readonly series: readonly SeriesId[];
}

/** Changes of the arrangement, as the grid asks for them. `shown` are the charts in their present order. */
export interface ChartArrangement {
  move(shown: readonly ChartId[], id: ChartId, to: number): void;
  fold(id: ChartId, isFolded: boolean): void;
  remove(id: ChartId): void;
  /** Changes a chart that a person put together, or begins one with the series of this one. */
  edit(chart: ChartSpec): void;
}

/** Times are Unix ms UTC. Every change redraws at once, but for samples, which wait for the charts' own clock. */
export interface ChartGridProps {
  store: SampleStore;
  axis: TimeAxis;
  /** In the rail's order. */
  nodes: readonly NodeView[];
  phases: readonly Phase[];
  events: readonly RunEvent[];
  reasons: readonly VerdictReason[];
  expectations: Expectations;
  /** Viewers asked for; 0 without a run. */
  requested: number;
  /** Ids of the nodes that the run only watches. */
  watched?: ReadonlySet<string>;
  /** By what the run's viewers pull. */
  protocol?: PullProtocol;
  /** Where the axis begins. */
  startedMs: number;
  endedMs?: number;
  /** Samples keep coming: the axis follows the clock. */
  live: boolean;
  timeZone: TimeZoneChoice;
  /** Nodes shown alone; none means all. */
  isolated: ReadonlySet<string>;
  /** Dims the others. */
  hoveredNode?: string;
  /** Figures while there is no crosshair: of now, or the highest of the run (frame rate: lowest). */
  readouts?: 'now' | 'highest';
  /** Times in which figures made by viewers are doubtful. */
  doubtful?: readonly DoubtfulStretch[] | undefined;
  /** Expected course of the viewers. */
  extrapolation?: Extrapolation;
  /** Shows this chart alone. */
  full?: ChartId;
  /** Other charts than those of a run. */
  charts?: readonly ChartSpec[];
  /** How the charts are arranged; the default when absent. */
  layout?: ChartLayout;
  /** The run was imported from a Prometheus. */
  imported?: boolean;
  /** Changes the arrangement; absent where it can't be changed. */
  onArrange?: ChartArrangement;
  /** The clock of a live run; the computer's when absent. */
  clockMs?: () => number;
  /** What is in view changed: whoever can gives the store more detail of it. */
  onView?: (view: ChartsInView) => void;
  /** The chart pointed at, for keys that mean one chart. */
  onHover?: (chart: ChartId | undefined) => void;
  /** Events of the mark that was clicked; the crosshair already stands on it. */
  onMarkClick: (events: readonly number[]) => void;
  onExportPng: (chart: ChartId, png: Uint8Array) => void;
  onExportCsv: (chart: ChartId) => void;
  /** `undefined`: back to all charts. */
  onFull: (chart: ChartId | undefined) => void;
}
