import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { WebSocketServer, type WebSocket } from 'ws';
import { decoded, encoded } from '../../contract/bytesInJson';
import type { Wire } from '../../contract/wire';

const mimeTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};
/** The page loads its own scripts and connects to this server; media plays from blobs and peer connections. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; media-src blob: mediastream:; base-uri 'none'; form-action 'none'";
/** A page sends signalling and figures. */
const maxMessageBytes = 2_000_000;
const enginePath = 'engine';

/** Serves the page of browser viewers and its connection to the engine, on loopback and below a secret path. */
export class ViewerPageServer {
  private readonly token = randomBytes(24).toString('base64url');
  private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes });
  private readonly files = new Map<string, string>();

  private constructor(
    private readonly server: Server,
    folder: string,
    private readonly serve: (wire: Wire) => () => void,
  ) {
    for (const name of ['index.html', ...readdirSync(join(folder, 'assets')).map((each) => `assets/${each}`)])
      this.files.set(name, join(folder, name));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.answer(request, response));
    server.on('upgrade', (request: IncomingMessage, socket, head) => {
      if (this.nameIn(request) !== enginePath || !isFromHere(request)) return socket.destroy();
      this.sockets.handleUpgrade(request, socket, head, (opened) => this.connect(opened));
    });
  }

  /** Rejects when the page's folder is missing, or no port is free. */
  static async start(folder: string, serve: (wire: Wire) => () => void): Promise<ViewerPageServer> {
    const server = createServer();
    const started = new ViewerPageServer(server, folder, serve);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    return started;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Address of the page for the browser viewers of the runs that name `by`, over this port of the browser's loopback. */
  url(by: string, port = this.port): string {
    return `http://127.0.0.1:${port}/${this.token}/?by=${encodeURIComponent(by)}`;
  }

  stop(): void {
    for (const socket of this.sockets.clients) socket.terminate();
    this.server.close();
    this.server.closeAllConnections?.();
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
    const end = this.serve(wire);
    socket.on('error', () => socket.terminate());
    socket.on('close', end);
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const name = this.nameIn(request);
    const path = name === undefined ? undefined : this.files.get(name || 'index.html');
    if (path === undefined || request.method !== 'GET') {
      response.writeHead(404).end();
      return;
    }
    response
      .writeHead(200, {
        'Content-Type': mimeTypes[extname(path)] ?? 'application/octet-stream',
        'Content-Security-Policy': contentSecurityPolicy,
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'no-store',
      })
      .end(readFileSync(path));
  }

  /** What follows the token in the path; undefined without the right token. */
  private nameIn(request: IncomingMessage): string | undefined {
    const [, token = '', name] = /^\/([^/?]*)\/([^?]*)/.exec(request.url ?? '') ?? [];
    const [given, own] = [Buffer.from(token), Buffer.from(this.token)];
    return given.length === own.length && timingSafeEqual(given, own) ? name : undefined;
  }
}

/** A page of another origin could otherwise connect, if it knew the token. */
function isFromHere({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin !== undefined && host !== undefined && origin === `http://${host}`;
}
