import { isAbout, type ChartSpec, type PanelSpec } from '../../domain/charts/charts';
import { worstKey } from '../../domain/charts/drawing/band';
import { formatFigure } from '../../domain/text/numberFormat';
import { plotWidth } from './chartOptions';
import type { Readout } from './readout';

/** Narrower cards use tighter figure spacing; keep in step with `CardFigures`. */
export const narrowPx = 260;

/** Widths in the card's header, in CSS pixels; estimated, since measuring would cost a layout per card and second. */
const padding = 45;
const gap = 7;
const digit = 6.9;
const titleLetter = 7;
const subtitleLetter = 5.3;
/** Of the name of a node. */
const nameLetter = 6;
/** Wider than a usual letter by this. */
const capital = 1.6;
const wideLetter = 4.5;
const moreWidth = 26;
/** Around the name of a lower panel and around its figures. */
const lowerPadding = 30;
const wide = { swatch: 12, figureGap: 10 };
const narrow = { swatch: 10, figureGap: 7 };

export interface Fit {
  readonly subtitle: string;
  readonly shown: readonly Readout[];
  readonly hidden: number;
}

const countOf = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0;
const titleWidth = (title: string): number => title.length * titleLetter + countOf(title, /[A-Z]/g) * capital;
const labelWidth = (label: string): number => label.length * subtitleLetter + countOf(label, /[mw]/g) * wideLetter;

function widthOf(readout: Readout, spec: ChartSpec, width: number): number {
  const { swatch, figureGap } = width < narrowPx ? narrow : wide;
  const style = spec.panels[readout.panel]?.headStyle ?? 'integer';
  const isNeutral = readout.trace.owner.kind === 'neutral';
  const { label: name, showLabel } = readout.trace;
  const letters = isNeutral ? labelWidth(name) : name.length * nameLetter;
  const text = isNeutral || showLabel ? letters + 5 : 0;
  const label = isNeutral ? text : swatch + text;
  // A figure keeps its widest width: `0` may have been `0.11` a second ago.
  const digits = Math.max(formatFigure(readout.value, style).length, style === 'adaptive' ? 4 : 0);
  return label + digits * digit + figureGap;
}

/** The first figures stay, and always that of the hovered node. */
function inFront(
  readouts: readonly Readout[],
  spec: ChartSpec,
  room: number,
  width: number,
  hoveredNode: string | undefined,
): readonly Readout[] {
  const hovered = readouts.find(
    ({ trace }) => hoveredNode !== undefined && isAbout(trace.owner, new Set([hoveredNode])),
  );
  let left = room - moreWidth - (hovered ? widthOf(hovered, spec, width) : 0);
  return readouts.filter((readout) => {
    if (readout === hovered) return true;
    left -= widthOf(readout, spec, width);
    return left >= 0;
  });
}

/** Which figures fit in a card's header. The subtitle is hidden first. */
export function fitHead(
  readouts: readonly Readout[],
  spec: ChartSpec,
  subtitle: string,
  width: number,
  hoveredNode: string | undefined,
): Fit {
  const room = width - padding - titleWidth(spec.title);
  // No gap after the last figure, but one before the subtitle: they cancel out.
  const all = readouts.reduce((sum, readout) => sum + widthOf(readout, spec, width), 0);
  if (all + subtitle.length * subtitleLetter + gap <= room) return { subtitle, shown: readouts, hidden: 0 };
  const short = spec.shortSubtitle;
  if (all + short.length * subtitleLetter + gap <= room) return { subtitle: short, shown: readouts, hidden: 0 };
  if (all <= room) return { subtitle: '', shown: readouts, hidden: 0 };
  // The worst line of many has its colour in the chart, and its name in the tooltip.
  const plain = readouts.filter(({ trace }) => trace.key !== worstKey);
  if (plain.length < readouts.length) return fitHead(plain, spec, subtitle, width, hoveredNode);
  const shown = inFront(readouts, spec, room, width, hoveredNode);
  return { subtitle: '', shown, hidden: readouts.length - shown.length };
}

/** Max share of a lower panel's width for its name. */
const labelShare = 0.45;

/** The label of a lower panel: the short one if the long one leaves no space for figures. */
export function lowerLabel({ label, shortLabel }: PanelSpec, plotPx: number): string {
  return label.length * subtitleLetter <= plotPx * labelShare ? label : (shortLabel ?? label);
}

/** Which figures fit in a lower panel, beside its name. */
export function fitLower(
  readouts: readonly Readout[],
  spec: ChartSpec,
  width: number,
  hoveredNode: string | undefined,
): Fit {
  const plotPx = plotWidth(width);
  const named = Math.max(0, ...spec.panels.slice(1).map((panel) => lowerLabel(panel, plotPx).length));
  const room = plotPx - named * subtitleLetter - lowerPadding;
  const all = readouts.reduce((sum, readout) => sum + widthOf(readout, spec, width), 0);
  // That of the hovered node too only where it fits: the name of the panel is below it.
  const fits = (readout: Readout): boolean => widthOf(readout, spec, width) + moreWidth <= room;
  const candidates = all <= room ? readouts : readouts.filter(fits);
  const shown = all <= room ? readouts : inFront(candidates, spec, room, width, hoveredNode);
  // If not even a count fits, only the name is shown; the tooltip has the figures.
  const counts = shown.length > 0 || room >= moreWidth;
  return { subtitle: '', shown, hidden: counts ? readouts.length - shown.length : 0 };
}
