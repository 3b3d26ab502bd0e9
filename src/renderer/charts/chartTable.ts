import type { ChartSpec, TraceSpec } from '../../domain/charts/charts';
import { Combiner } from '../../domain/charts/drawing/line';
import type { SampleStore } from './sampleStore';

/** Steps that a table can have, ms. */
const stepsMs: readonly number[] = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600].map((s) => s * 1000);

/** Max rows, for readability and rendering. */
export const maxRows = 300;

export interface ChartTableColumn {
  /** Unique within the table. */
  readonly key: string;
  readonly panel: number;
  readonly trace: TraceSpec;
}

export interface TableRow {
  /** Start of the step, ms since the start of the run. */
  readonly timeMs: number;
  /** In column order; undefined for missing values. */
  readonly values: readonly (number | undefined)[];
}

export interface ChartTable {
  readonly stepMs: number;
  readonly columns: readonly ChartTableColumn[];
  readonly rows: readonly TableRow[];
}

/** The shortest step that keeps a time range within the max rows. */
export function tableStepMs(lengthMs: number, minMs = 1000): number {
  const enough = (stepMs: number): boolean => stepMs >= minMs && lengthMs / stepMs <= maxRows;
  return stepsMs.find(enough) ?? Math.ceil(lengthMs / maxRows / 3_600_000) * 3_600_000;
}

/**
 * A chart as a table: per step the maximum (the minimum where lower is worse, e.g. frame rate),
 * the same as the figures of an ended run. Columns without any sample are left out.
 *
 * @param fromMs ms since the start of the run, as `toMs`
 * @param stepMs length of a row; a step of at least that of the samples leaves no empty rows
 */
export function chartTable(
  spec: ChartSpec,
  store: SampleStore,
  startedMs: number,
  { fromMs, toMs, stepMs }: { readonly fromMs: number; readonly toMs: number; readonly stepMs: number },
): ChartTable {
  const firstMs = Math.floor(Math.max(0, fromMs) / stepMs) * stepMs;
  const count = Math.max(0, Math.floor((toMs - firstMs) / stepMs) + 1);
  const combiner = new Combiner();
  const columns = spec.panels.flatMap(({ traces }, panel) =>
    traces.map((trace) => ({
      column: { key: `${panel} ${trace.key}`, panel, trace },
      cells: cellsOf(combiner, trace, store, startedMs, { firstMs, count, stepMs }),
    })),
  );
  const measured = columns.filter(({ cells }) => cells.some((cell) => cell !== undefined));
  return {
    stepMs,
    columns: measured.map(({ column }) => column),
    rows: Array.from({ length: count }, (_, index) => ({
      timeMs: firstMs + index * stepMs,
      values: measured.map(({ cells }) => cells[index]),
    })),
  };
}

function cellsOf(
  combiner: Combiner,
  trace: TraceSpec,
  store: SampleStore,
  startedMs: number,
  steps: { readonly firstMs: number; readonly count: number; readonly stepMs: number },
): readonly (number | undefined)[] {
  const cells = new Array<number | undefined>(steps.count).fill(undefined);
  const fromMs = startedMs + steps.firstMs;
  const line = combiner.line(store, trace, fromMs, fromMs + steps.count * steps.stepMs);
  for (let index = line?.start ?? 0; line && index < line.end; index += 1) {
    const value = (line.values[index] ?? NaN) * line.factor;
    const at = Math.floor(((line.timesMs[index] ?? 0) - fromMs) / steps.stepMs);
    if (Number.isNaN(value) || at < 0 || at >= steps.count) continue;
    const known = cells[at];
    if (known === undefined || (trace.extreme === 'highest' ? value > known : value < known)) cells[at] = value;
  }
  return cells;
}
