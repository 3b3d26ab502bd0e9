import { z } from 'zod';

/** Messages on a MessagePort between the engine and a shell. `calls.ts` adds the types on both ends. */
export const wireMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call'), id: z.number().int(), name: z.string(), input: z.unknown() }),
  z.object({ kind: z.literal('result'), id: z.number().int(), value: z.unknown() }),
  z.object({ kind: z.literal('error'), id: z.number().int(), code: z.string(), message: z.string() }),
  z.object({ kind: z.literal('event'), name: z.string(), payload: z.unknown() }),
]);
export type WireMessage = z.infer<typeof wireMessage>;

/** The part of a port that both ends need; a DOM MessagePort, Electron's and an in-memory pair all fit. */
export interface Wire {
  send(message: WireMessage): void;
  onMessage(listener: (message: unknown) => void): void;
}
