import type { ChartSpec, PanelSpec, TraceSpec } from '../../../domain/charts/chartSpec';
import type { PhaseSpan, TimeRange } from '../../../domain/charts/drawing/frame';
import type { LaneMark } from '../../../domain/charts/drawing/marks';
import type { SeriesId } from '../../../domain/series/series';

/** A trace with its style, since the page has no nodes. */
export interface ReportTrace extends TraceSpec {
  /** 1 to 8, one of the series colours. */
  readonly colour: number;
  /** 0 solid, 1 dashed, 2 dotted. */
  readonly dash: number;
  /** Drawn last, on top. */
  readonly isMain: boolean;
}

export interface ReportMark extends LaneMark {
  readonly colour?: number;
}

export interface ReportPanel extends PanelSpec {
  readonly traces: readonly ReportTrace[];
}

export interface ReportChart extends ChartSpec {
  readonly panels: readonly ReportPanel[];
  /** Many lines are drawn as their mean and band. */
  readonly isBanded?: boolean;
  readonly marks: readonly ReportMark[];
}

/** The data of the run in the page; becomes its embedded JSON. Times are ms since the start of the run. */
export interface ReportScene extends TimeRange {
  readonly startMs: number;
  /** Between two samples of a series; absent: one second. */
  readonly stepMs?: number;
  /** The page contains the lowest and the highest sample of each step of this length; absent: every sample. */
  readonly coarseMs?: number;
  readonly phases: readonly PhaseSpan[];
  /** Intervals in which a tester was at its own limit, merged where adjacent. */
  readonly limited: readonly TimeRange[];
  readonly charts: readonly ReportChart[];
  readonly series: readonly {
    readonly node: string;
    readonly series: SeriesId;
    readonly count: number;
    /** Indexes of points that follow a gap, in an overview. */
    readonly breaks?: readonly number[];
    /** The column as encoded by `store/block.ts`, in base64. */
    readonly data: string;
  }[];
}
