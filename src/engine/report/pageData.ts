import { withAudienceLabels } from '../../domain/charts/audienceLabels';
import { audienceLines } from '../../domain/plan/audiences';
import { lineOfSlot, type ChartSpec, type TraceSpec } from '../../domain/charts/charts';
import { slotDashes } from '../../domain/charts/drawing/strokes';
import { laneMarks } from '../../domain/charts/drawing/marks';
import { phaseSpans } from '../../domain/charts/drawing/frame';
import { fixedColumn, FixedSamples, type SampleColumn } from '../../domain/charts/drawing/samples';
import { defaultLayout } from '../../domain/model/chartLayout';
import { hasSource, runCharts } from '../../domain/charts/layout/runCharts';
import type { NodeView } from '../../domain/model/node';
import type { RunEvent, RunView } from '../../domain/model/run';
import type { SeriesId } from '../../domain/series/series';
import { allTestersId } from '../../domain/series/aggregate';
import { limitedAreas } from '../../domain/tester/limitedAreas';
import { observedOnly } from '../../domain/node/observedNodes';
import { isWithoutLoad, stepOf } from '../../domain/model/withoutLoad';
import { encodeColumn } from '../store/block';
import type { Overview, RunReader } from '../store';
import type { ReportChart, ReportMark, ReportScene, ReportTrace } from './page/scene';

/** With more samples than these a report has an overview. */
const maxSamples = 2_500_000;
/** Approximate number of points of an overview, over all series; a chart needs no fewer steps than it has pixels. */
const overviewPoints = 600_000;
const minColumns = 480;

/** The samples of a run by node and series, or their overview; times since the start of the run. */
export class RunColumns {
  /** Each step of this length has its lowest and its highest sample; 0: every sample. */
  readonly coarseMs: number;
  private readonly columns = new Map<string, RunColumn>();

  /** `most`: up to this many samples a report contains every one. */
  constructor(reader: RunReader, startMs: number, most = maxSamples) {
    this.coarseMs = reader.count() > most ? this.readOverview(reader, startMs, most) : 0;
    if (this.coarseMs === 0) this.readSamples(reader, startMs);
  }

  private readSamples(reader: RunReader, startMs: number): void {
    for (const { keys, key, timeMs, value } of reader.minutes()) {
      const found = keys.map(({ node, series }) => this.column(node, series));
      key.forEach((place, i) => {
        found[place]?.t.push((timeMs[i] ?? 0) - startMs);
        found[place]?.v.push(value[i] ?? 0);
      });
    }
  }

  private readOverview(reader: RunReader, startMs: number, most: number): number {
    const { startedMs, endedMs, figures } = reader.view();
    const toMs = (endedMs ?? figures.timeMs) + 1;
    const series = new Set(reader.keys().map((key) => `${key.node} ${key.series}`)).size;
    const columns = Math.max(minColumns, Math.round(Math.min(most, overviewPoints) / 2 / Math.max(1, series)));
    let coarseMs = 0;
    for (let from: number | null = startedMs; from !== null && from < toMs;) {
      const share = (toMs - from) / (toMs - startedMs);
      const part: Overview = reader.overview(from, toMs, Math.max(1, Math.round(columns * share)));
      coarseMs = part.stepMs;
      if (coarseMs === 0) return 0;
      for (const { node, series: name, timeMs, value, breaks } of part.columns) {
        const column = this.column(node, name);
        column.breaks ??= [];
        for (const place of breaks) column.breaks.push(column.t.length + place);
        for (const time of timeMs) column.t.push(time - startMs);
        for (const reading of value) column.v.push(reading);
      }
      from = part.nextMs;
    }
    return coarseMs;
  }

  get = (node: string, series: string): RunColumn | undefined => this.columns.get(`${node}\n${series}`);

  /** The columns to draw from; `stepMs`: between two samples of a series. */
  source(stepMs?: number): FixedSamples {
    const drawn = new Map<RunColumn, SampleColumn>();
    return new FixedSamples((node, series) => {
      const column = this.get(node, series);
      if (!column) return undefined;
      const { t, v, breaks } = column;
      const made = drawn.get(column) ?? fixedColumn(t, v, breaks && { breaks, coarseMs: this.coarseMs });
      drawn.set(column, made);
      return made;
    }, stepMs);
  }

  get all(): readonly RunColumn[] {
    return [...this.columns.values()];
  }

  private column(node: string, series: SeriesId): RunColumn {
    const key = `${node}\n${series}`;
    const column = this.columns.get(key) ?? { node, series, t: [], v: [] };
    this.columns.set(key, column);
    return column;
  }
}

interface RunColumn {
  readonly t: number[];
  readonly v: number[];
  readonly node: string;
  readonly series: SeriesId;
  breaks?: number[];
}

const isDrawn = (chart: ChartSpec, columns: RunColumns): boolean =>
  hasSource(chart, (node, series) => columns.get(node, series) !== undefined);

/** Titles of the charts that a report leaves out, because the run has no sample of any of their series. */
export function chartsWithoutData(view: RunView, columns: RunColumns): readonly string[] {
  return shownCharts(view, columns).flatMap((chart) => (isDrawn(chart, columns) ? [] : [chart.title]));
}

export function reportScene(view: RunView, events: readonly RunEvent[], columns: RunColumns): ReportScene {
  const { startedMs } = view;
  const lastMs = columns.all.reduce((last, { t }) => Math.max(last, t.at(-1) ?? 0), 0);
  const endMs = Math.max(1000, lastMs, (view.endedMs ?? startedMs) - startedMs);
  return {
    startMs: startedMs,
    fromMs: 0,
    toMs: endMs,
    stepMs: stepOf(view),
    ...(columns.coarseMs > 0 && { coarseMs: columns.coarseMs }),
    phases: phaseSpans(view.phases, startedMs, endMs),
    limited: limitedAreas(view).map(({ fromMs, toMs }) => ({
      fromMs: fromMs - startedMs,
      toMs: toMs === undefined ? endMs : toMs - startedMs,
    })),
    charts: reportCharts(view, events, columns),
    series: columns.all.map(({ node, series, t, v, breaks }) => ({
      node,
      series,
      count: t.length,
      ...(breaks && { breaks }),
      data: Buffer.from(encodeColumn({ timeMs: t, value: v }, 0)).toString('base64'),
    })),
  };
}

function shownCharts(view: RunView, columns: RunColumns): readonly ChartSpec[] {
  const context = {
    nodes: withAudienceLabels(view.nodes, view.plan),
    expect: view.plan.expect,
    requested: view.figures.requested,
    observed: observedOnly(view.plan, view.nodes),
    audiences: audienceLines(view.nodes, view.plan),
  };
  const measured = columns.all
    .filter(({ node }) => node !== allTestersId)
    .map(({ node, series, v }) => ({ node, series, max: highestOf(v) }));
  return runCharts({
    ...context,
    measured,
    isWithoutLoad: isWithoutLoad(view),
    layout: view.layout?.layout ?? defaultLayout,
  }).shown;
}

function reportCharts(view: RunView, events: readonly RunEvent[], columns: RunColumns): ReportChart[] {
  const shown = shownCharts(view, columns).filter((chart) => isDrawn(chart, columns));
  return shown.map((chart) => ({
    ...chart,
    panels: chart.panels.map((panel) => ({
      ...panel,
      traces: panel.traces
        .filter(
          (trace) => !trace.onlyWhenMeasured || trace.inputs.some(({ node, series }) => columns.get(node, series)),
        )
        .map(withStyle),
    })),
    ...(view.layout?.layout.banded?.includes(chart.id) && { isBanded: true }),
    marks: marksOf(chart, view, events),
  }));
}

function highestOf(values: readonly number[]): number {
  return values.reduce((highest, value) => Math.max(highest, value), -Infinity);
}

function withStyle(trace: TraceSpec): ReportTrace {
  const slot = trace.owner.kind === 'node' ? trace.owner.colourSlot : 0;
  return { ...trace, ...slotStyle(slot), isMain: slot === 1 };
}

/** Colour and dash of a node, as named in the page's style. */
export function slotStyle(slot: number): { colour: number; dash: number } {
  const { colour, dash } = lineOfSlot(slot);
  return { colour, dash: slotDashes.indexOf(dash) };
}

function marksOf(chart: ChartSpec, view: RunView, events: readonly RunEvent[]): ReportMark[] {
  return laneMarks(chart.id, events, view.verdict?.reasons ?? [], view.startedMs).map((mark) => {
    const slot = mark.kind === 'reason' ? undefined : nodeNamed(view.nodes, mark.node)?.colourSlot;
    const { kind, timeMs, number, text } = mark;
    return { kind, timeMs, number, text, colour: slot && slotStyle(slot).colour };
  });
}

/** A node by its id or display name. */
export function nodeNamed(nodes: readonly NodeView[], name: string | undefined): NodeView | undefined {
  return nodes.find((node) => node.id === name) ?? nodes.find((node) => node.name === name);
}
