import {
  chartsOfReason,
  lineOfSlot,
  type ChartSpec,
  type PanelSpec,
  type TraceSpec,
} from '../../domain/charts';
import { defaultLayout } from '../../domain/layout/chartLayout';
import { runCharts } from '../../domain/layout/runCharts';
import type { NodeView } from '../../domain/node';
import type { RunEvent, RunView } from '../../domain/run';
import type { SeriesId } from '../../domain/series';
import { everyTester } from '../../domain/summed';
import { limitedAreas } from '../../domain/tester/limitedAreas';
import { watchedOnly } from '../../domain/watched';
import { encodeColumn } from '../store/block';
import type { Overview, RunReader } from '../store';
import type { Line } from './page/lines.mjs';

/** A trace with its looks, since the page knows no nodes. */
export interface ReportTrace extends TraceSpec {
  /** 1 to 8, one of the series colours. */
  readonly colour: number;
  /** 0 solid, 1 dashed, 2 dotted. */
  readonly dash: number;
  /** Drawn last, on top. */
  readonly isMain: boolean;
}

export interface ReportMark {
  readonly kind: 'limit' | 'degraded' | 'lost' | 'back' | 'note' | 'reason';
  /** Since the start of the run, as all times in a page. */
  readonly timeMs: number;
  readonly colour?: number;
  readonly number?: number;
  readonly text: string;
}

export interface ReportPanel extends PanelSpec {
  readonly traces: readonly ReportTrace[];
}

export interface ReportChart extends ChartSpec {
  readonly panels: readonly ReportPanel[];
  readonly marks: readonly ReportMark[];
}

/** What the page knows of the run; it becomes the JSON within it. */
export interface ReportScene {
  readonly startMs: number;
  /** The time that the charts show. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Between two samples of a series; absent: a second. */
  readonly stepMs?: number;
  readonly phases: readonly { readonly name: string; readonly fromMs: number; readonly toMs: number }[];
  /** Stretches in which a tester was at its own limit, put together where they meet. */
  /** Of each step of this length the lowest and the highest sample are in the page; absent: every sample is. */
  readonly coarseMs?: number;
  readonly limited: readonly { readonly fromMs: number; readonly toMs: number }[];
  readonly charts: readonly ReportChart[];
  readonly series: readonly {
    readonly node: string;
    readonly series: SeriesId;
    readonly count: number;
    /** Of an overview: places of points before which the series was silent. */
    readonly breaks?: readonly number[];
    /** The column as `store/block.ts` encodes it, in base64. */
    readonly data: string;
  }[];
}

/** Of more samples than these a report has an overview. */
const mostSamples = 2_500_000;
/** Points that an overview has about, all series together; a chart needs no fewer steps than it has pixels. */
const overviewPoints = 600_000;
const leastColumns = 480;

/** The samples of a run by node and series, or their overview; times since the start of the run. */
export class RunColumns {
  /** Of each step of this length there are the lowest and the highest sample; 0: every sample is here. */
  readonly coarseMs: number;
  private readonly columns = new Map<string, RunColumn>();

  /** `most`: samples that a report has every one of. */
  constructor(reader: RunReader, startMs: number, most = mostSamples) {
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
    const columns = Math.max(
      leastColumns,
      Math.round(Math.min(most, overviewPoints) / 2 / Math.max(1, series)),
    );
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
        for (const each of value) column.v.push(each);
      }
      from = part.nextMs;
    }
    return coarseMs;
  }

  get = (node: string, series: string): Line | undefined => this.columns.get(`${node}\n${series}`);

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

interface RunColumn extends Line {
  readonly t: number[];
  readonly v: number[];
  readonly node: string;
  readonly series: SeriesId;
  breaks?: number[];
}

export function reportScene(view: RunView, events: readonly RunEvent[], columns: RunColumns): ReportScene {
  const { startedMs } = view;
  const lastMs = columns.all.reduce((last, { t }) => Math.max(last, t.at(-1) ?? 0), 0);
  const endMs = Math.max(1000, lastMs, (view.endedMs ?? startedMs) - startedMs);
  return {
    startMs: startedMs,
    fromMs: 0,
    toMs: endMs,
    stepMs: view.imported?.stepMs,
    ...(columns.coarseMs > 0 && { coarseMs: columns.coarseMs }),
    phases: view.phases.map(({ name, startMs, endMs: phaseEndMs }) => ({
      name,
      fromMs: startMs - startedMs,
      toMs: phaseEndMs === undefined ? endMs : phaseEndMs - startedMs,
    })),
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

function reportCharts(view: RunView, events: readonly RunEvent[], columns: RunColumns): ReportChart[] {
  const context = {
    nodes: view.nodes,
    expect: view.plan.expect,
    requested: view.figures.requested,
    watched: watchedOnly(view.plan, view.nodes),
  };
  const measured = columns.all
    .filter(({ node }) => node !== everyTester)
    .map(({ node, series, v }) => ({ node, series, max: highestOf(v) }));
  const { shown } = runCharts({
    ...context,
    measured,
    imported: view.imported !== undefined,
    layout: view.layout?.layout ?? defaultLayout,
  });
  return shown.map((chart) => ({
    ...chart,
    panels: chart.panels.map((panel) => ({
      ...panel,
      traces: panel.traces
        .filter(
          (trace) =>
            !trace.onlyWhenMeasured || trace.inputs.some(({ node, series }) => columns.get(node, series)),
        )
        .map(withLooks),
    })),
    marks: marksOf(chart, view, events),
  }));
}

function highestOf(values: readonly number[]): number {
  return values.reduce((highest, value) => Math.max(highest, value), -Infinity);
}

function withLooks(trace: TraceSpec): ReportTrace {
  const slot = trace.owner.kind === 'node' ? trace.owner.colourSlot : 0;
  return { ...trace, ...slotLooks(slot), isMain: slot === 1 };
}

/** Colour and dash of a node, as the page's style names them. */
export function slotLooks(slot: number): { colour: number; dash: number } {
  const { colour, dash } = lineOfSlot(slot);
  return { colour, dash: dash.length === 0 ? 0 : dash[0] === 5 ? 1 : 2 };
}

function marksOf(chart: ChartSpec, view: RunView, events: readonly RunEvent[]): ReportMark[] {
  const fromEvents = events.flatMap(({ mark, timeMs, node, sentence }): ReportMark[] => {
    if (mark === 'none' || mark === 'phase' || mark === 'freeze') return [];
    const colour = nodeNamed(view.nodes, node)?.colourSlot;
    return [
      {
        kind: mark,
        timeMs: timeMs - view.startedMs,
        text: sentence,
        colour: colour && slotLooks(colour).colour,
      },
    ];
  });
  const fromReasons = (view.verdict?.reasons ?? [])
    .filter((reason) => chartsOfReason(reason).includes(chart.id))
    .map(({ number, timeMs, sentence }): ReportMark => ({
      kind: 'reason',
      timeMs: timeMs - view.startedMs,
      number,
      text: sentence,
    }));
  return [...fromEvents, ...fromReasons].sort((a, b) => a.timeMs - b.timeMs);
}

/** A node by its id, or by the name that people know it by. */
export function nodeNamed(nodes: readonly NodeView[], name: string | undefined): NodeView | undefined {
  return nodes.find((node) => node.id === name) ?? nodes.find((node) => node.name === name);
}
