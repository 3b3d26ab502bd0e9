import { isAbout, isShownWith, type PanelSpec, type TraceSpec } from '../../domain/charts/charts';
import { isMeasured } from '../../domain/charts/drawing/line';
import { PanelReader, PanelTrace } from '../../domain/charts/drawing/panel';
import { scaleRange, type ScaleRange } from '../../domain/charts/drawing/scales';
import { ownerColour } from '../ui/palette';
import type { DrawnTrace } from './traceController';
import type { Scene } from './scene';

class Trace extends PanelTrace implements DrawnTrace {
  colour = '';
  alpha = 1;
  isMarked = false;

  constructor(
    spec: TraceSpec,
    /** Drawn later, so above the others. */
    readonly rank: number,
  ) {
    super(spec);
    this.shown = false;
  }
}

/** Neutral traces at the bottom, the origin on top. */
function rankOf({ owner }: TraceSpec, origins: ReadonlySet<string>): number {
  if (owner.kind !== 'node') return 0;
  return origins.has(owner.node) ? 2 : 1;
}

const dimmedAlpha = 0.25;

/** The traces of one panel: reads the visible samples and computes the scale. */
export class PanelView {
  /** In drawing order. */
  readonly traces: readonly Trace[];
  range: ScaleRange;
  /** A lower panel has its name and figures in the plot. */
  readonly #labelShare: number;
  readonly #reader: PanelReader<Trace>;

  constructor(
    readonly spec: PanelSpec,
    nodes: Scene['nodes'],
    before: ScaleRange | undefined,
  ) {
    const origins = new Set(nodes.filter((node) => node.role === 'origin').map((node) => node.id));
    const traces = spec.traces.map((trace) => new Trace(trace, rankOf(trace, origins)));
    this.#reader = new PanelReader(spec, traces);
    this.traces = [...traces].sort((a, b) => a.rank - b.rank);
    this.#labelShare = spec.label ? 1 / 3 : 0;
    this.range = before ?? scaleRange(spec.scale, { lowest: Infinity, highest: -Infinity }, undefined);
  }

  /** In figure order, which is also the stack order. */
  get byFigure(): readonly Trace[] {
    return this.#reader.traces;
  }

  /** Reads the points of every trace, `bucketMs` being the time of one pixel column. */
  read(scene: Scene, bucketMs: number): void {
    const fromMs = scene.startedMs + scene.range.fromMs;
    const toMs = scene.startedMs + Math.min(scene.range.toMs, Math.max(scene.nowMs, 0) + 1000);
    for (const trace of this.traces) this.#style(trace, scene);
    this.#reader.read(scene.store, fromMs, toMs, bucketMs);
    this.range = scaleRange(this.spec.scale, this.#reader.extent(), this.range, this.#labelShare);
  }

  #style(trace: Trace, { palette, isolated, hoveredNode }: Scene): void {
    const { owner } = trace.spec;
    trace.colour = ownerColour(owner, palette);
    trace.isMarked = palette.hasMarkers;
    const isOfNode = owner.kind === 'node';
    trace.shown = isShownWith(trace.spec, isolated);
    const isOther = isOfNode && hoveredNode !== undefined && !isAbout(owner, new Set([hoveredNode]));
    trace.alpha = isOther ? dimmedAlpha : 1;
  }

  /** True if the trace's figure is shown in the card. */
  isListed(trace: TraceSpec, scene: Scene): boolean {
    if (!trace.showFigure) return false;
    // A node that never responded has no figure: many of them would displace the others.
    const canLack = trace.onlyWhenMeasured || trace.owner.kind === 'node';
    if (canLack && !isMeasured(scene.store, trace)) return false;
    return isShownWith(trace, scene.isolated);
  }
}
