import type { ComparedRun } from '../../domain/compare/comparison';
import { slotColour, slotCss, type Palette } from '../charts/palette';

/** How a run's lines are drawn: in its origin's colour, and with a dash of its own, so that colour alone never tells. */
export interface RunLook {
  readonly dash: readonly number[];
  readonly colour: (palette: Palette) => string;
  /** The same as a CSS value, for what is no canvas. */
  readonly css: string;
}

/** By letter: two runs of the same server are told apart as dashed and solid. */
const dashes: ReadonlyArray<readonly number[]> = [[4, 3], [], [1.5, 2.5], [8, 3, 1.5, 3], [10, 4]];
/** Further runs of one origin step back into the neutral tones: more dashes in one colour would not be told apart. */
const neutrals = ['t1', 't2', 't3'] as const;

export function looksOf(runs: readonly ComparedRun[]): readonly RunLook[] {
  const seen = new Map<number, number>();
  return runs.map(({ originSlot }, i) => {
    const before = seen.get(originSlot) ?? 0;
    seen.set(originSlot, before + 1);
    const dash = dashes[i % dashes.length] ?? [];
    const neutral = before > 1 ? neutrals[before - 2] : undefined;
    if (neutral) return { dash, colour: (palette) => palette[neutral], css: `var(--${neutral})` };
    return {
      dash,
      colour: (palette) => slotColour(originSlot, palette),
      css: slotCss(originSlot),
    };
  });
}
