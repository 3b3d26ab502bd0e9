import { isAbout, type PanelSpec, type TraceSpec } from '../../domain/charts';
import { decimate, Points } from './decimate';
import type { DrawnTrace } from './drawTrace';
import { Combiner, isMeasured, Stacker, type Line } from './line';
import { ownerColour } from './palette';
import { scaleRange, type ScaleRange } from './scales';
import type { Scene } from './scene';

class Trace implements DrawnTrace {
  readonly points = new Points();
  readonly base: Points | undefined;
  readonly combiner = new Combiner();
  colour = '';
  alpha = 1;
  shown = false;

  constructor(
    readonly spec: TraceSpec,
    /** Drawn later, so above the others. */
    readonly rank: number,
  ) {
    this.base = spec.look === 'stack' ? new Points() : undefined;
  }
}

/** What is neutral lies at the bottom, the origin on top. */
function rankOf({ owner }: TraceSpec, origins: ReadonlySet<string>): number {
  if (owner.kind !== 'node') return 0;
  return origins.has(owner.node) ? 2 : 1;
}

const dimmedAlpha = 0.25;

/** The traces of one panel: reads their samples for what is in view and works out the scale. */
export class PanelView {
  /** In drawing order. */
  readonly traces: readonly Trace[];
  /** In the order of the figures, which is also that of a stack. */
  readonly byFigure: readonly Trace[];
  range: ScaleRange;
  /** A lower panel carries its name and figures on its ground. */
  readonly #labelShare: number;
  readonly #stacker = new Stacker();
  readonly #byKey: ReadonlyMap<string, Trace>;

  constructor(
    readonly spec: PanelSpec,
    nodes: Scene['nodes'],
    before: ScaleRange | undefined,
  ) {
    const origins = new Set(nodes.filter((node) => node.role === 'origin').map((node) => node.id));
    const traces = spec.traces.map((trace) => new Trace(trace, rankOf(trace, origins)));
    this.byFigure = traces;
    this.#byKey = new Map(traces.map((trace) => [trace.spec.key, trace]));
    this.traces = [...traces].sort((a, b) => a.rank - b.rank);
    this.#labelShare = spec.label ? 1 / 3 : 0;
    this.range = before ?? scaleRange(spec.scale, { lowest: Infinity, highest: -Infinity }, undefined);
  }

  /** Reads the points of every trace, `bucketMs` being the time of one pixel column. */
  read(scene: Scene, bucketMs: number): void {
    const fromMs = scene.startedMs + scene.range.fromMs;
    const toMs = scene.startedMs + Math.min(scene.range.toMs, Math.max(scene.nowMs, 0) + 1000);
    this.#readStack(scene, fromMs, toMs, bucketMs);
    let lowest = Infinity;
    let highest = -Infinity;
    for (const trace of this.traces) {
      if (trace.spec.look !== 'stack')
        readInto(trace.points, trace.combiner.line(scene.store, trace.spec, fromMs, toMs), bucketMs);
      this.#style(trace, scene);
      if (!trace.shown || trace.points.length === 0) continue;
      lowest = Math.min(lowest, trace.points.lowest);
      highest = Math.max(highest, trace.points.highest);
    }
    this.range = scaleRange(this.spec.scale, { lowest, highest }, this.range, this.#labelShare);
  }

  #readStack(scene: Scene, fromMs: number, toMs: number, bucketMs: number): void {
    const stacked = this.spec.traces.filter((trace) => trace.look === 'stack');
    if (stacked.length === 0) return;
    const layers = this.#stacker.layers(scene.store, stacked, fromMs, toMs);
    for (const [index, spec] of stacked.entries()) {
      const trace = this.#byKey.get(spec.key);
      if (!trace?.base) continue;
      readInto(trace.points, layers[index]?.top, bucketMs);
      readInto(trace.base, layers[index]?.base, bucketMs);
    }
  }

  #style(trace: Trace, { palette, isolated, hoveredNode }: Scene): void {
    const { owner } = trace.spec;
    trace.colour = ownerColour(owner, palette);
    const isOfNode = owner.kind === 'node';
    trace.shown = !isOfNode || isolated.size === 0 || isAbout(owner, isolated);
    const isOther = isOfNode && hoveredNode !== undefined && !isAbout(owner, new Set([hoveredNode]));
    trace.alpha = isOther ? dimmedAlpha : 1;
  }

  /** True when the trace's figure stands in the card. */
  isListed(trace: TraceSpec, scene: Scene): boolean {
    if (!trace.showFigure) return false;
    // A node that never answered has no figure: many of them would push out those that have.
    const canLack = trace.onlyWhenMeasured || trace.owner.kind === 'node';
    if (canLack && !isMeasured(scene.store, trace)) return false;
    const { owner } = trace;
    return owner.kind !== 'node' || scene.isolated.size === 0 || isAbout(owner, scene.isolated);
  }
}

function readInto(points: Points, line: Line | undefined, bucketMs: number): void {
  if (line) decimate(line, bucketMs, points);
  else points.clear();
}
