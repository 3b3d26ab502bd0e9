import { z } from 'zod';
import type { ToReader } from './messages';
import type { ToWriter } from './writing/messages';
import type { StartReader } from './startReader';

/** What the engine requests from its parent process: start a reader (its port is returned), or kill one. */
export type EngineToParent =
  | { readonly kind: 'start-reader'; readonly reader: number }
  | { readonly kind: 'kill-reader'; readonly reader: number };

/** The parent's responses; `reader-started` comes with the port to the reader. */
export const fromParent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reader-started'), reader: z.number().int(), pid: z.number().int().optional() }),
  z.object({ kind: z.literal('reader-ended'), reader: z.number().int(), how: z.string() }),
]);
export type FromParent = z.infer<typeof fromParent>;

/** The parent's first message to the engine: what `process.env` is to be. */
export const environmentMessage = z.object({
  kind: z.literal('environment'),
  variables: z.record(z.string(), z.string().optional()),
});
export type EnvironmentMessage = z.infer<typeof environmentMessage>;

/** A port to a reader, received from the parent. */
interface ReaderPort {
  send(message: ToReader | ToWriter): void;
  onMessage(listener: (message: unknown) => void): void;
}

interface Waiting {
  pid: number | undefined;
  port: ReaderPort | undefined;
  readonly messages: Array<ToReader | ToWriter>;
  readonly messageListeners: Array<(message: unknown) => void>;
  readonly exitListeners: Array<(how: string) => void>;
}

/** Readers that another process starts. `take` receives each of its responses. */
export function readersByParent(send: (message: EngineToParent) => void): {
  readonly start: StartReader;
  readonly take: (message: FromParent, port: ReaderPort | undefined) => void;
} {
  const readers = new Map<number, Waiting>();
  let last = 0;
  return {
    start: () => {
      last += 1;
      const reader = last;
      const made: Waiting = {
        pid: undefined,
        port: undefined,
        messages: [],
        messageListeners: [],
        exitListeners: [],
      };
      readers.set(reader, made);
      send({ kind: 'start-reader', reader });
      return {
        get pid() {
          return made.pid;
        },
        send: (message) => (made.port ? made.port.send(message) : void made.messages.push(message)),
        onMessage: (listener) => void made.messageListeners.push(listener),
        onExit: (listener) => void made.exitListeners.push(listener),
        kill: () => send({ kind: 'kill-reader', reader }),
      };
    },
    take: (message, port) => {
      const made = readers.get(message.reader);
      if (!made) return;
      if (message.kind === 'reader-ended') {
        readers.delete(message.reader);
        for (const listener of made.exitListeners) listener(message.how);
        return;
      }
      if (!port) return;
      made.pid = message.pid;
      made.port = port;
      port.onMessage((each) => {
        for (const listener of made.messageListeners) listener(each);
      });
      for (const message of made.messages.splice(0)) port.send(message);
    },
  };
}
