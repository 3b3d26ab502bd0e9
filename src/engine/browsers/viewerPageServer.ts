import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { WebSocketServer, type WebSocket } from 'ws';
import { decoded, encoded } from '../../contract/bytesInJson';
import { FullhouseError } from '../../contract/calls';
import type { Wire } from '../../contract/wire';
import type { Cancel, Clock } from '../base/clock';
import { isFromHere, pageHeaders, SecretPath } from '../base/secretPath';

const mimeTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};
/**
 * The page loads its own scripts, those of workers before it connects, and connects to this server; media plays from
 * blobs and peer connections.
 */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; media-src blob: mediastream:; worker-src blob:; base-uri 'none'; form-action 'none'";
/** A page sends signalling and figures. */
const maxMessageBytes = 2_000_000;
/** A browser opens a few; others of the machine may open some as well. */
const maxConnections = 32;
/** A browser on a busy machine takes a while. */
const openWithinMs = 60_000;
const enginePath = 'engine';

/** For whom a page of browser viewers is: the run, and the name by which that knows the browser. */
export interface ViewerScope {
  readonly run: string;
  readonly by: string;
}

/** A page that publishes and plays for a delay test. */
export interface DelayScope {
  readonly test: string;
  /** The machine of the browser. */
  readonly by: string;
}

export type PageScope = ViewerScope | DelayScope;

/**
 * Serves the page of browser viewers and its connection to the engine to one browser, on loopback and below a secret
 * path. Nothing listens any more once that browser is connected.
 */
export class ViewerPageServer {
  /** Resolves when the browser is connected; rejects with a sentence when it is not within a minute. */
  readonly connected: Promise<void>;
  private readonly path = new SecretPath();
  private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes });
  private readonly files = new Map<string, string>();
  private readonly cancelLimit: Cancel;
  private isTaken = false;
  private settle: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;

  private constructor(
    private readonly server: Server,
    folder: string,
    private readonly scope: PageScope,
    private readonly serve: (wire: Wire, scope: PageScope) => () => void,
    clock: Clock,
  ) {
    this.connected = new Promise((resolve, reject) => (this.settle = { resolve, reject }));
    this.connected.catch(() => undefined); // reported to whoever waits for it
    this.cancelLimit = clock.after(openWithinMs, () => {
      this.fail(`The browser has not opened its page within ${openWithinMs / 1000} s.`);
      this.stop();
    });
    for (const name of ['index.html', ...readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`)])
      this.files.set(name, join(folder, name));
    server.maxConnections = maxConnections;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.answer(request, response));
    server.on('upgrade', (request: IncomingMessage, socket, head) => {
      if (this.isTaken || this.path.nameIn(request) !== enginePath || !isFromHere(request)) return socket.destroy();
      this.isTaken = true;
      this.sockets.handleUpgrade(request, socket, head, (opened) => this.connect(opened));
      this.close();
    });
  }

  /** Rejects when the page's folder is missing, or no port is free. */
  static async start(
    folder: string,
    scope: PageScope,
    serve: (wire: Wire, scope: PageScope) => () => void,
    clock: Clock,
  ): Promise<ViewerPageServer> {
    // A connection that sends nothing makes room soon: every user of the machine reaches the port.
    const server = createServer({ headersTimeout: 3000, requestTimeout: 5000, connectionsCheckingInterval: 1000 });
    const started = new ViewerPageServer(server, folder, scope, serve, clock);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    return started;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Address of the page, over this port of the browser's loopback. */
  url(port = this.port): string {
    return `http://127.0.0.1:${port}/${this.path.token}/?${parametersOf(this.scope)}`;
  }

  stop(): void {
    this.fail('The browser was ended before it opened its page.');
    for (const socket of this.sockets.clients) socket.terminate();
    this.close();
  }

  /** Takes no further connections, and ends those that are not the engine's. */
  private close(): void {
    this.cancelLimit();
    this.server.close();
    this.server.closeAllConnections?.();
  }

  private fail(sentence: string): void {
    this.settle?.reject(new FullhouseError('no-browser', sentence));
  }

  private connect(socket: WebSocket): void {
    const wire: Wire = {
      send: (message) => socket.send(encoded(message)),
      onMessage: (listener) =>
        socket.on('message', (data: Buffer) => {
          try {
            listener(decoded(data.toString('utf8')));
          } catch {
            // Not JSON: not our page.
            socket.terminate();
          }
        }),
    };
    const end = this.serve(wire, this.scope);
    socket.on('error', () => socket.terminate());
    socket.on('close', end);
    this.settle?.resolve();
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const name = this.path.nameIn(request);
    const path = name === undefined ? undefined : this.files.get(name || 'index.html');
    if (path === undefined || request.method !== 'GET') {
      response.writeHead(404, { Connection: 'close' }).end();
      return;
    }
    response
      .writeHead(200, pageHeaders(mimeTypes[extname(path)] ?? 'application/octet-stream', contentSecurityPolicy))
      .end(readFileSync(path));
  }
}

const parametersOf = (scope: PageScope): string =>
  new URLSearchParams('test' in scope ? { test: scope.test } : { by: scope.by }).toString();
