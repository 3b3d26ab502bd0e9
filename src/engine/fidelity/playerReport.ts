import { z } from 'zod';

const figure = z.number().nonnegative();

/** What a player says of itself at the end. */
export const playerFigures = z.object({
  packets: figure,
  lost: z.number(),
  frames: figure,
  freezes: figure,
  jitterMs: figure,
});
export type BrowserFigures = z.infer<typeof playerFigures>;

export const playerReport = playerFigures.extend({ browser: z.string().max(300) });
export type BrowserReport = z.infer<typeof playerReport>;
