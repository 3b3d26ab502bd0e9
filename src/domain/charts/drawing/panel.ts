import type { PanelSpec, TraceSpec } from '../chartSpec';
import { decimate, Points } from './decimate';
import { Combiner, Stacker, type Line } from './line';
import type { SampleSource } from './samples';

/** A trace with its points in the range that was read last. */
export class PanelTrace<S extends TraceSpec = TraceSpec> {
  readonly points = new Points();
  /** For a stack layer: its lower edge. */
  readonly base: Points | undefined;
  readonly combiner = new Combiner();
  shown = true;

  constructor(readonly spec: S) {
    this.base = spec.look === 'stack' ? new Points() : undefined;
  }
}

/** Reads the points of a panel: two per pixel column of each trace, whatever the length of the run. */
export class PanelReader<T extends PanelTrace = PanelTrace> {
  readonly #stacker = new Stacker();
  readonly #byKey: ReadonlyMap<string, T>;

  constructor(
    readonly spec: PanelSpec,
    /** In figure order, which is also the stack order. */
    readonly traces: readonly T[],
  ) {
    this.#byKey = new Map(traces.map((trace) => [trace.spec.key, trace]));
  }

  /** Reads every trace, `bucketMs` being the time of one pixel column. */
  read(source: SampleSource, fromMs: number, toMs: number, bucketMs: number): void {
    this.#readStack(source, fromMs, toMs, bucketMs);
    for (const trace of this.traces)
      if (trace.spec.look !== 'stack')
        readInto(trace.points, trace.combiner.line(source, trace.spec, fromMs, toMs), bucketMs);
  }

  /** The lowest and the highest point of the traces that are shown. */
  extent(): { readonly lowest: number; readonly highest: number } {
    let lowest = Infinity;
    let highest = -Infinity;
    for (const { points, shown } of this.traces) {
      if (!shown || points.length === 0) continue;
      lowest = Math.min(lowest, points.lowest);
      highest = Math.max(highest, points.highest);
    }
    return { lowest, highest };
  }

  #readStack(source: SampleSource, fromMs: number, toMs: number, bucketMs: number): void {
    const stacked = this.spec.traces.filter((trace) => trace.look === 'stack');
    if (stacked.length === 0) return;
    const layers = this.#stacker.layers(source, stacked, fromMs, toMs);
    for (const [index, spec] of stacked.entries()) {
      const trace = this.#byKey.get(spec.key);
      if (!trace?.base) continue;
      readInto(trace.points, layers[index]?.top, bucketMs);
      readInto(trace.base, layers[index]?.base, bucketMs);
    }
  }
}

function readInto(points: Points, line: Line | undefined, bucketMs: number): void {
  if (line) decimate(line, bucketMs, points);
  else points.clear();
}
