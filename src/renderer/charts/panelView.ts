import { isAbout, isShownWith, type PanelSpec, type TraceSpec } from '../../domain/charts/charts';
import { isMeasured } from '../../domain/charts/drawing/line';
import { BandReader, fewLines, isBandLine } from '../../domain/charts/drawing/band';
import { PanelReader, PanelTrace } from '../../domain/charts/drawing/panel';
import { scaleRange, type ScaleRange } from '../../domain/charts/drawing/scales';
import { ownerColour } from '../ui/palette';
import type { Points } from '../../domain/charts/drawing/decimate';
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
  /** What is drawn, in order: all lines, or their mean and band. */
  traces: readonly DrawnTrace[];
  /** All lines, in drawing order. */
  readonly #all: readonly Trace[];
  readonly #band = new BandReader();
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
    this.#all = [...traces].sort((a, b) => a.rank - b.rank);
    this.traces = this.#all;
    this.#labelShare = spec.label ? 1 / 3 : 0;
    this.range = before ?? scaleRange(spec.scale, { lowest: Infinity, highest: -Infinity }, undefined);
  }

  /** In figure order, which is also the stack order. */
  get byFigure(): readonly Trace[] {
    return this.#reader.traces;
  }

  /** Reads the points of every trace, `bucketMs` being the time of one pixel column. */
  read(scene: Scene, bucketMs: number, isBanded: boolean): void {
    const fromMs = scene.startedMs + scene.range.fromMs;
    const toMs = scene.startedMs + Math.min(scene.range.toMs, Math.max(scene.nowMs, 0) + 1000);
    for (const trace of this.#all) this.#style(trace, scene);
    this.#reader.read(scene.store, fromMs, toMs, bucketMs);
    this.range = scaleRange(this.spec.scale, this.#reader.extent(), this.range, this.#labelShare);
    const lines = isBanded
      ? this.#all.filter(({ spec, shown, points }) => shown && isBandLine(spec) && points.length > 0)
      : [];
    this.traces = lines.length > fewLines ? this.#banded(lines, scene, fromMs, toMs, bucketMs) : this.#all;
  }

  /** The band, what is of no node, the mean, and by name the worst line and that of the hovered node. */
  #banded(
    lines: readonly Trace[],
    scene: Scene,
    fromMs: number,
    toMs: number,
    bucketMs: number,
  ): readonly DrawnTrace[] {
    const { store, palette, hoveredNode } = scene;
    const { low, high, mean } = this.#band;
    const worst = this.#band.read(lines, fromMs, toMs, Math.max(bucketMs, store.stepMs));
    const [{ spec }] = lines as [Trace];
    const neutral = (key: string, look: DrawnTrace['spec']['look']): DrawnTrace => ({
      spec: { ...spec, key, look, owner: { kind: 'neutral' } },
      points: look === 'band' ? high : mean,
      base: look === 'band' ? low : undefined,
      ...{ colour: look === 'band' ? palette.textMuted : palette.text, alpha: 1, shown: true },
    });
    const named = (trace: Trace): boolean =>
      trace === worst || (hoveredNode !== undefined && isAbout(trace.spec.owner, new Set([hoveredNode])));
    for (const trace of lines) if (trace === worst) trace.alpha = 1;
    return [
      neutral('band', 'band'),
      ...this.#all.filter(({ spec: { owner } }) => owner.kind !== 'node'),
      neutral('band mean', 'line'),
      ...lines.filter(named),
    ];
  }

  /** The points drawn last of a line, also of one in the band. */
  pointsOf(spec: TraceSpec): Points | undefined {
    return this.#all.find((trace) => trace.spec === spec)?.points;
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
