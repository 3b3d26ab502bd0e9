import type { ComparedRun } from '../../../../domain/compare/comparison';
import { runDash } from '../../../../domain/compare/compareScales';
import { slotColour, slotCss, type Palette } from '../../../ui/palette';

/** Line style of a run: its own colour and its own dash pattern, so colour is never the only distinction. */
export interface RunStyle {
  readonly dash: readonly number[];
  readonly colour: (palette: Palette) => string;
  /** The colour as a CSS value, for HTML. */
  readonly css: string;
}

/** By letter: runs of one origin differ too. */
export function rolesOf(runs: readonly ComparedRun[]): readonly RunStyle[] {
  return runs.map((_, i) => ({
    dash: runDash(i),
    colour: (palette) => slotColour(i + 1, palette),
    css: slotCss(i + 1),
  }));
}
