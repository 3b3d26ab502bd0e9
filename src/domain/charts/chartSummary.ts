/** A chart in one sentence, for readers who do not see it. */
import type { ChartSpec, PanelSpec, TraceSpec } from './chartSpec';
import type { Points } from './drawing/decimate';
import { Combiner } from './drawing/line';
import { ReadoutReader } from './drawing/readouts';
import type { SampleSource } from './drawing/samples';
import { formatFigure } from '../text/numberFormat';
import { formatAxisTime } from '../text/timeFormat';

/** The figures of a line over a time range, in the displayed unit. */
export interface LineFigures {
  readonly label: string;
  /** Absent in an ended run, and while there is no current sample. */
  readonly now: number | undefined;
  /** The highest value, or the lowest where lower is worse. */
  readonly extreme: number;
  /** ms since the start of the run. */
  readonly extremeAtMs: number;
  readonly isLowest: boolean;
}

/** What a summary covers. Times are ms since the start of the run, except `startedMs` (Unix). */
export interface SummaryScope {
  readonly startedMs: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Absent in an ended run. */
  readonly nowMs: number | undefined;
  /** A part of the run: the sentence names it. */
  readonly isPart: boolean;
  /** How times are written; since the start when absent. */
  readonly timeText?: TimeText;
}

/** A time of the axis in words. */
type TimeText = (timeMs: number) => string;

/** Lines of a panel with their figures; the others are counted. A sentence is read aloud. */
const maxLines = 3;

/** Figures as in the header of a card. */
const withUnit = (value: number, { unit, headStyle }: PanelSpec): string =>
  [formatFigure(value, headStyle), unit].filter(Boolean).join(' ');

function lineText(line: LineFigures, panel: PanelSpec, isNamed: boolean, timeText: TimeText): string {
  const { now: value } = line;
  const now = value === undefined ? [] : [`${withUnit(value, panel)} now`];
  const extreme = `${line.isLowest ? 'minimum' : 'peak'} ${withUnit(line.extreme, panel)} at ${timeText(line.extremeAtMs)}`;
  return (isNamed ? `${line.label} ` : '') + [...now, extreme].join(', ');
}

function panelText(name: string, panel: PanelSpec, lines: readonly LineFigures[], timeText: TimeText): string {
  const worstFirst = [...lines].sort((a, b) => (a.isLowest ? a.extreme - b.extreme : b.extreme - a.extreme));
  const shown = worstFirst.slice(0, maxLines).map((line) => lineText(line, panel, lines.length > 1, timeText));
  const more = lines.length - shown.length;
  const limits = panel.lines
    .filter(({ kind }) => kind === 'limit')
    .map(({ value }) => `limit ${[value, panel.unit].filter((part) => part !== '').join(' ')}`);
  const all = [...shown, ...(more > 0 ? [`${more} more ${more === 1 ? 'line' : 'lines'}`] : [])];
  // Lines have commas inside.
  const text = [all.join('; '), ...limits].join(lines.length > 1 ? '; ' : ', ');
  return `${name}: ${lines.length === 0 ? 'no data' : text}`;
}

/** The sentence of a chart from the figures of its panels, e.g. `CPU: 46 % now, peak 92 % at 0:13, limit 95 %`. */
export function summaryText(
  spec: Pick<ChartSpec, 'title' | 'panels'>,
  figures: readonly (readonly LineFigures[])[],
  part?: { readonly fromMs: number; readonly toMs: number },
  timeText: TimeText = formatAxisTime,
): string {
  const range = part ? `, ${timeText(part.fromMs)} to ${timeText(part.toMs)}` : '';
  return spec.panels
    .map((panel, index) => ({ panel, lines: figures[index] ?? [], isFirst: index === 0 }))
    .filter(({ lines, isFirst }) => isFirst || lines.length > 0)
    .map(({ panel, lines, isFirst }) => panelText(isFirst ? spec.title + range : panel.label, panel, lines, timeText))
    .join('. ');
}

/**
 * The points that are drawn of a trace, which have its extremes at their own times; undefined if there are none, or if
 * their values are not its own, as those of a stack.
 */
export type DrawnPoints = (trace: TraceSpec) => Points | undefined;

/** Reads the summaries of a chart, with reused buffers. */
export class ChartSummaries {
  readonly #combiner = new Combiner();
  readonly #reader = new ReadoutReader();

  /** The summary of the lines for which `isShown` holds: from the drawn points, else from all samples. */
  read(
    spec: ChartSpec,
    store: SampleSource,
    scope: SummaryScope,
    isShown: (trace: TraceSpec) => boolean,
    drawn: DrawnPoints = () => undefined,
  ): string {
    if (spec.absent !== undefined && store.lastTimeMs !== undefined) return `${spec.title}: ${spec.absent}`;
    const figures = spec.panels.map(({ traces }) =>
      traces
        .filter((trace) => trace.showFigure && isShown(trace))
        .flatMap((trace) => this.#figures(store, trace, scope, drawn(trace)) ?? []),
    );
    return summaryText(spec, figures, scope.isPart ? scope : undefined, scope.timeText);
  }

  /** The values of a chart at one time, for the crosshair, e.g. `0:13: wcs-1 46 %, tester-1 31 %`. */
  at(
    spec: ChartSpec,
    store: SampleSource,
    { startedMs, timeMs }: { readonly startedMs: number; readonly timeMs: number },
    isShown: (trace: TraceSpec) => boolean,
    timeText: TimeText = formatAxisTime,
  ): string {
    const mode = { kind: 'cursor', timeMs: startedMs + timeMs } as const;
    const values = spec.panels.flatMap((panel) => {
      const known = panel.traces
        .filter((trace) => trace.showFigure && isShown(trace))
        .flatMap((trace) => {
          const value = this.#reader.value(store, trace, mode);
          return value === undefined ? [] : [{ label: trace.label, text: withUnit(value, panel) }];
        });
      const name = panel.label === '' ? [] : [panel.label];
      return known.map(({ label, text }) => [...name, ...(known.length > 1 ? [label] : []), text].join(' '));
    });
    return `${spec.title} at ${timeText(timeMs)}: ${values.join(', ') || 'no data'}`;
  }

  #figures(
    store: SampleSource,
    trace: TraceSpec,
    scope: SummaryScope,
    points: Points | undefined,
  ): LineFigures | undefined {
    const { startedMs, nowMs } = scope;
    const [fromMs, toMs] = [startedMs + scope.fromMs, startedMs + scope.toMs];
    // Points are in the displayed unit.
    const line = points
      ? { timesMs: points.timesMs, values: points.values, start: 0, end: points.length, factor: 1 }
      : this.#combiner.line(store, trace, fromMs, toMs);
    if (!line) return undefined;
    const isLowest = trace.extreme === 'lowest';
    let extreme: number | undefined;
    let atMs = 0;
    for (let index = line.start; index < line.end; index += 1) {
      const timeMs = line.timesMs[index] ?? NaN;
      const value = line.values[index] ?? NaN;
      // A line has one more sample on each side of the range.
      if (Number.isNaN(value) || timeMs < fromMs || timeMs > toMs) continue;
      if (extreme !== undefined && (isLowest ? value >= extreme : value <= extreme)) continue;
      extreme = value;
      atMs = timeMs;
    }
    if (extreme === undefined) return undefined;
    const reader = this.#reader;
    return {
      label: trace.label,
      // Read for the few lines that are named only.
      get now() {
        return nowMs === undefined ? undefined : reader.value(store, trace, { kind: 'now', timeMs: startedMs + nowMs });
      },
      ...{ extreme: extreme * line.factor, extremeAtMs: atMs - startedMs, isLowest },
    };
  }
}
