import { z } from 'zod';
import type { RawData, WebSocket } from 'ws';

/** Frames of the client protocol: `{ message, data: [argument, …] }`, the data always a list. */
const frame = z.object({ message: z.string(), data: z.array(z.unknown()).default([]) });

export interface ClientMessage {
  readonly message: string;
  /** The single argument that clients send. */
  readonly argument: Readonly<Record<string, unknown>>;
  readonly all: readonly unknown[];
}

export function send(socket: WebSocket, message: string, ...data: unknown[]): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ message, data }));
}

/** Undefined for invalid frames, which are ignored. */
export function readMessage(raw: RawData, isBinary: boolean): ClientMessage | undefined {
  if (isBinary) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse((raw as Buffer).toString('utf8'));
  } catch {
    return undefined;
  }
  const found = frame.safeParse(parsed);
  if (!found.success) return undefined;
  const [first] = found.data.data;
  const argument = z.record(z.string(), z.unknown()).safeParse(first);
  return {
    message: found.data.message,
    argument: argument.success ? argument.data : {},
    all: found.data.data,
  };
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
