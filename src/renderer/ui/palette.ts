import { lineOfSlot, type TraceOwner } from '../../domain/charts/charts';

/** Colours of the charts, read from the theme's tokens because a canvas has no CSS. */
export interface Palette {
  readonly surface: string;
  readonly line: string;
  readonly lineStrong: string;
  readonly text: string;
  readonly textMuted: string;
  readonly textFaint: string;
  readonly accent: string;
  readonly accentSoft: string;
  readonly warning: string;
  readonly danger: string;
  readonly grid: string;
  readonly ramp: string;
  readonly phase: string;
  /** Lines have markers besides their colours. */
  readonly hasMarkers: boolean;
  /** By colour, from 1; entry 0 is never used. */
  readonly series: readonly string[];
}

export function readPalette(root: Element): Palette {
  const style = getComputedStyle(root);
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    surface: token('surface'),
    line: token('line'),
    lineStrong: token('line-strong'),
    text: token('text'),
    textMuted: token('text-muted'),
    textFaint: token('text-faint'),
    accent: token('accent'),
    accentSoft: token('accent-soft'),
    warning: token('warning'),
    danger: token('danger'),
    grid: token('grid'),
    ramp: token('ramp'),
    phase: token('phase'),
    hasMarkers: token('markers') === 'shown',
    series: ['', ...Array.from({ length: 8 }, (_, index) => token(`series-${index + 1}`))],
  };
}

export function ownerColour(owner: TraceOwner, palette: Palette): string {
  if (owner.kind === 'neutral') return palette.textMuted;
  if (owner.kind === 'degraded') return palette.warning;
  return palette.series[lineOfSlot(owner.colourSlot).colour] ?? palette.textMuted;
}

export function slotColour(colourSlot: number, palette: Palette): string {
  return palette.series[lineOfSlot(colourSlot).colour] ?? palette.textMuted;
}

/** The colour of a slot as a CSS value, for HTML. */
export function slotCss(colourSlot: number): string {
  return `var(--series-${lineOfSlot(colourSlot).colour})`;
}

export const chartFont = '10px Inter, system-ui, sans-serif';
export const chartFontBold = '600 10px Inter, system-ui, sans-serif';
