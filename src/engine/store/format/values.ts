import { z } from 'zod';
import { count, timeMs } from '../../../domain/model/schema';

/** Values of several saved shapes. Unknown fields of saved objects are ignored. */

export { count, timeMs };
export const durationMs = z.number().int().positive();
export const text = z.string();
/** Start and end of a period. */
export const period = { fromMs: timeMs, toMs: timeMs };
