import { z } from 'zod';

/** Values of several saved shapes. Unknown fields of saved objects are ignored. */

export const count = z.number().int().nonnegative();
/** Unix ms UTC. */
export const timeMs = z.number().int().nonnegative();
export const durationMs = z.number().int().positive();
export const text = z.string();
/** Start and end of a period. */
export const period = { fromMs: timeMs, toMs: timeMs };
