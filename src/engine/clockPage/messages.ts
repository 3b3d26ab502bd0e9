import { z } from 'zod';

/** From a clock page to the engine. The page is in any browser that knows its address: all of it is validated. */
export const fromPage = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('time'), id: z.number().int().nonnegative() }),
  /** All that was drawn since the last report had the console's time to ± this. */
  z.strictObject({ kind: z.literal('drawn'), uncertaintyMs: z.number().min(0).max(1000) }),
  /** Something was drawn since the last report whose time was not known, or nothing was. */
  z.strictObject({ kind: z.literal('unknown') }),
]);
export type FromPage = z.infer<typeof fromPage>;

export type ToPage =
  /** The first message: the number of this page's clock. */
  | { readonly kind: 'source'; readonly source: number }
  /** The console's time, in the middle of the ms for which its clock shows the same. */
  | { readonly kind: 'time'; readonly id: number; readonly nowMs: number };
