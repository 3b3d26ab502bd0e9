import type { DistributionId } from '../../domain/series/distributions';
import type { LineSubject } from '../../domain/charts/chartTraces';
import type { ChartSpec } from '../../domain/charts/charts';
import type { ChartId } from '../../domain/model/chartIds';
import type { ChartLayout } from '../../domain/model/chartLayout';
import type { NodeView } from '../../domain/model/node';
import type { Expectations } from '../../domain/model/plan';
import type { PullProtocol } from '../../domain/model/protocols';
import type { Phase, RunEvent, VerdictReason } from '../../domain/model/run';
import type { SeriesId } from '../../domain/series/series';
import type { TimeZoneChoice } from '../../domain/text/timeFormat';
import type { SampleStore } from './sampleStore';
import type { TesterLimitedInterval, Extrapolation, WatchedRun } from './scene';
import type { TimeAxis } from './timeAxis.svelte';

/** What charts show, to load finer samples for it. Times are Unix ms UTC. */
export interface ChartsInView {
  readonly fromMs: number;
  readonly toMs: number;
  /** Pixel columns of a plot. */
  readonly columns: number;
  readonly cursorMs: number | undefined;
  readonly series: readonly SeriesId[];
}

/** Changes of the arrangement requested by the grid. `shown` are the charts in current order. */
export interface ChartArrangement {
  move(shown: readonly ChartId[], id: ChartId, to: number): void;
  fold(id: ChartId, isFolded: boolean): void;
  /** Draws charts of many lines as mean and band, or as all their lines. */
  band(ids: readonly ChartId[], isBanded: boolean): void;
  remove(id: ChartId): void;
  /** Edits a custom chart, or starts one with the series of this one. */
  edit(chart: ChartSpec): void;
}

/** Times are Unix ms UTC. Every change redraws immediately, except samples, which wait for the charts' clock. */
export interface ChartGridProps {
  store: SampleStore;
  axis: TimeAxis;
  /** In sidebar order. */
  nodes: readonly NodeView[];
  phases: readonly Phase[];
  events: readonly RunEvent[];
  reasons: readonly VerdictReason[];
  expectations: Expectations;
  /** Requested viewers; 0 without a run. */
  requested: number;
  /** Ids of observed nodes of the run. */
  observed?: ReadonlySet<string>;
  /** Lines of the audiences of a run with several. */
  audiences?: readonly LineSubject[];
  /** Protocol of the run's viewers. */
  protocol?: PullProtocol;
  /** Start of the axis; 0 for one of wall times. */
  startedMs: number;
  /** Runs that took place while a fleet was watched. */
  runs?: readonly WatchedRun[];
  /** Only charts that have data are shown. */
  onlyWithData?: boolean;
  endedMs?: number;
  /** Live: the axis follows the clock. */
  live: boolean;
  /** Live, but stands still at the time of the pause. */
  isPaused?: boolean;
  timeZone: TimeZoneChoice;
  /** Isolated nodes; empty means all. */
  isolated: ReadonlySet<string>;
  /** Dims the others. */
  hoveredNode?: string;
  /** Figures without a crosshair: current, or the peaks of the run (frame rate: minimum). */
  readouts?: 'now' | 'highest';
  /** Intervals in which figures of viewers are unreliable. */
  doubtful?: readonly TesterLimitedInterval[] | undefined;
  /** Expected viewers over time. */
  extrapolation?: Extrapolation;
  /** The chart shown in full size. */
  full?: ChartId;
  /** Charts in place of those of a run. */
  charts?: readonly ChartSpec[];
  /** How the charts are arranged; the default when absent. */
  layout?: ChartLayout;
  /** The run is of data alone, without load. */
  isWithoutLoad?: boolean;
  /** Changes the arrangement; absent where it can't be changed. */
  onArrange?: ChartArrangement;
  /** The clock of a live run; the computer's when absent. */
  clockMs?: () => number;
  /** The visible range changed: the owner may load more detail into the store. */
  onView?: (view: ChartsInView) => void;
  /** The hovered chart, for keys that apply to one chart. */
  onHover?: (chart: ChartId | undefined) => void;
  /** Events of the clicked mark; the crosshair is already on it. */
  onMarkClick: (events: readonly number[]) => void;
  /** Opens a run of `runs`. */
  onRunClick?: (run: string) => void;
  onExportPng: (chart: ChartId, png: Uint8Array) => void;
  onExportCsv: (chart: ChartId) => void;
  /** Shows the distribution that a chart has percentiles of; absent in runs without distributions. */
  onDistribution?: ((distribution: DistributionId) => void) | undefined;
  /** `undefined`: back to all charts. */
  onFull: (chart: ChartId | undefined) => void;
}
