import type { CallInput } from '../../../contract/engine';
import { errorText } from '../../../domain/text/errorText';
import type { PlayEngine } from './playSession';

export interface ConnectionListener {
  data(data: string | Uint8Array): void;
  /** It has ended other than by `close`. `code` as of a WebSocket; without `sentence` the server closed it orderly. */
  closed(code: number, sentence?: string): void;
}

export interface EngineConnection {
  /** The HTTP status; rejects with a sentence when it can't be opened. */
  readonly opened: Promise<number>;
  send(data: string | Uint8Array): void;
  close(): void;
}

/** Opens a connection through the engine: the window opens none itself. */
export function connectThrough(
  engine: PlayEngine,
  order: Omit<CallInput<'player.connect'>, 'connection'>,
  listener: ConnectionListener,
): EngineConnection {
  const connection = crypto.randomUUID();
  const stops = [
    engine.on('playerData', (event) => {
      if (event.connection === connection) listener.data(event.data);
    }),
    engine.on('playerClosed', ({ connection: id, code, sentence }) => {
      if (id !== connection) return;
      stop();
      listener.closed(code, sentence);
    }),
  ];
  const stop = (): void => stops.forEach((each) => each());
  const opened = engine.call('player.connect', { ...order, connection }).then(({ status }) => status);
  // Reported by the promise itself to whoever awaits it.
  opened.catch(stop);
  const ignore = (error: unknown): void => console.warn(`Connection of the player: ${errorText(error)}`);
  return {
    opened,
    send: (data) => void engine.call('player.send', { connection, data }).catch(ignore),
    close: () => {
      stop();
      engine.call('player.disconnect', { connection }).catch(ignore);
    },
  };
}
