import { connectThrough, type EngineConnection } from './engineConnection';
import { errorText } from '../../../domain/text/errorText';
import type { PlayEngine, PlayTarget } from './playSession';

interface Route extends PlayTarget {
  readonly engine: PlayEngine;
  /** Present for a publication. */
  readonly session?: string | undefined;
}

/** By host and port of the server, and the session of a publication. */
const routes = new Map<string, Route>();
/** Marks addresses of a publication: the control player may play from the same server. Never sent. */
const sessionParameter = 'fullhouse-session';

const routeName = ({ host, searchParams }: URL): string => `${host} ${searchParams.get(sessionParameter) ?? ''}`;

/** The route of an address, and the address as it is opened. */
function routeOf(address: string | URL): Route & { readonly url: string } {
  const url = new URL(address);
  const route = routes.get(routeName(url));
  if (!route) throw new DOMException('The window opens no connections.', 'SecurityError');
  url.searchParams.delete(sessionParameter);
  return { ...route, url: String(url) };
}

/**
 * A WebSocket whose connection the engine opens, for libraries that open their own. Messages that arrive before the
 * engine has reported the opening wait for it.
 */
class EngineSocket extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  readonly url: string;
  readonly protocol = '';
  readonly extensions = '';
  readonly bufferedAmount = 0;
  binaryType: BinaryType = 'blob';
  readyState: number = EngineSocket.CONNECTING;
  onopen: ((event: Event) => void) | null = null;
  onmessage: ((event: MessageEvent) => void) | null = null;
  onclose: ((event: CloseEvent) => void) | null = null;
  onerror: ((event: Event) => void) | null = null;
  readonly #connection: EngineConnection;
  readonly #early: (string | Uint8Array)[] = [];

  constructor(url: string | URL) {
    super();
    const { engine, ...order } = routeOf(url);
    this.url = order.url;
    this.#connection = connectThrough(
      engine,
      { ...order, kind: 'websocket' },
      {
        data: (data) => {
          if (this.readyState === EngineSocket.CONNECTING) this.#early.push(data);
          else this.#deliver(data);
        },
        closed: (code, sentence) => this.#close(code, sentence),
      },
    );
    this.#connection.opened.then(
      () => this.#opened(),
      (error: unknown) => this.#close(1006, errorText(error)),
    );
  }

  send(data: string | ArrayBuffer | ArrayBufferView): void {
    if (typeof data === 'string') return this.#connection.send(data);
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data);
    this.#connection.send(bytes.slice());
  }

  close(): void {
    if (this.readyState >= EngineSocket.CLOSING) return;
    this.#connection.close();
    this.#close(1000);
  }

  #opened(): void {
    if (this.readyState !== EngineSocket.CONNECTING) return;
    this.readyState = EngineSocket.OPEN;
    this.#emit(new Event('open'));
    for (const data of this.#early.splice(0)) this.#deliver(data);
  }

  #deliver(data: string | Uint8Array): void {
    if (this.readyState !== EngineSocket.OPEN) return;
    const content = typeof data === 'string' ? data : data.slice().buffer;
    this.#emit(new MessageEvent('message', { data: content }));
  }

  #close(code: number, reason = ''): void {
    if (this.readyState === EngineSocket.CLOSED) return;
    this.readyState = EngineSocket.CLOSED;
    if (reason !== '') this.#emit(new Event('error'));
    this.#emit(new CloseEvent('close', { code, reason, wasClean: reason === '' }));
  }

  #emit(event: Event): void {
    this.dispatchEvent(event);
    if (event instanceof MessageEvent) this.onmessage?.(event);
    else if (event instanceof CloseEvent) this.onclose?.(event);
    else if (event.type === 'open') this.onopen?.(event);
    else this.onerror?.(event);
  }
}

async function fetchThroughEngine(input: RequestInfo | URL): Promise<Response> {
  const { engine, node, url } = routeOf(input instanceof Request ? input.url : input);
  const { status, data } = await engine.call('player.fetch', { node, url });
  return new Response(data.slice(), { status });
}

/**
 * From now on this window's WebSockets and requests to the server of `url` go through the engine; those of a publication
 * with its `session`. Returns the address to open. The window's policy refuses all others, so nothing is lost by
 * replacing the globals.
 */
export function routeThroughEngine(
  address: string,
  engine: PlayEngine,
  { node, stream }: PlayTarget,
  session?: string,
): string {
  const url = new URL(address);
  if (session !== undefined) url.searchParams.set(sessionParameter, session);
  routes.set(routeName(url), { engine, node, stream, ...(session === undefined ? {} : { session }) });
  Object.assign(globalThis, { WebSocket: EngineSocket, fetch: fetchThroughEngine });
  return String(url);
}

/** Nothing is opened any more at an address that `routeThroughEngine` returned. */
export function endRoute(address: string): void {
  routes.delete(routeName(new URL(address)));
}
