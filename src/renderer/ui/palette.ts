import { lineOfSlot, type TraceOwner } from '../../domain/charts/charts';

/** Colours of the charts, read from the theme's tokens because a canvas has no CSS. */
export interface Palette {
  readonly s1: string;
  readonly hl: string;
  readonly hl2: string;
  readonly t1: string;
  readonly t2: string;
  readonly t3: string;
  readonly ac: string;
  readonly acs: string;
  readonly wa: string;
  readonly fa: string;
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
    s1: token('s1'),
    hl: token('hl'),
    hl2: token('hl2'),
    t1: token('t1'),
    t2: token('t2'),
    t3: token('t3'),
    ac: token('ac'),
    acs: token('acs'),
    wa: token('wa'),
    fa: token('fa'),
    grid: token('grid'),
    ramp: token('ramp'),
    phase: token('phase'),
    hasMarkers: token('markers') === 'shown',
    series: ['', ...Array.from({ length: 8 }, (_, index) => token(`series-${index + 1}`))],
  };
}

export function ownerColour(owner: TraceOwner, palette: Palette): string {
  if (owner.kind === 'neutral') return palette.t2;
  if (owner.kind === 'degraded') return palette.wa;
  return palette.series[lineOfSlot(owner.colourSlot).colour] ?? palette.t2;
}

export function slotColour(colourSlot: number, palette: Palette): string {
  return palette.series[lineOfSlot(colourSlot).colour] ?? palette.t2;
}

/** The same as a CSS value, for HTML. */
export function slotCss(colourSlot: number): string {
  return `var(--series-${lineOfSlot(colourSlot).colour})`;
}

export const chartFont = '10px Inter, system-ui, sans-serif';
export const chartFontBold = '600 10px Inter, system-ui, sans-serif';
