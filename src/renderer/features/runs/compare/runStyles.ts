import type { ComparedRun } from '../../../../domain/compare/comparison';
import { runDash } from '../../../../domain/compare/compareScales';
import { slotColour, slotCss, type Palette } from '../../../ui/palette';

/** Line style of a run: its origin's colour with its own dash pattern, so colour is never the only distinction. */
export interface RunStyle {
  readonly dash: readonly number[];
  readonly colour: (palette: Palette) => string;
  /** The colour as a CSS value, for HTML. */
  readonly css: string;
}

/** Further runs of one origin use neutral tones: more dash patterns in one colour are indistinguishable. */
const neutrals = [
  { key: 'text', css: 'var(--text)' },
  { key: 'textMuted', css: 'var(--text-muted)' },
  { key: 'textFaint', css: 'var(--text-faint)' },
] as const;

export function rolesOf(runs: readonly ComparedRun[]): readonly RunStyle[] {
  const seen = new Map<number, number>();
  return runs.map(({ originSlot }, i) => {
    const before = seen.get(originSlot) ?? 0;
    seen.set(originSlot, before + 1);
    const dash = runDash(i);
    const neutral = before > 1 ? neutrals[before - 2] : undefined;
    if (neutral) return { dash, colour: (palette) => palette[neutral.key], css: neutral.css };
    return {
      dash,
      colour: (palette) => slotColour(originSlot, palette),
      css: slotCss(originSlot),
    };
  });
}
