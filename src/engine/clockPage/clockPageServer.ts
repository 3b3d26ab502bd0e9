import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { WebSocketServer, type WebSocket } from 'ws';
import type { ClockPageState } from '../../contract/clockPageCalls';
import { isLoopbackHost } from '../../domain/text/loopback';
import { BoundedServer } from '../base/boundedServer';
import { every, type Clock } from '../base/clock';
import { listening } from '../base/listening';
import { isFromHere, pageHeaders, SecretPath } from '../base/secretPath';
import { fromPage, type ToPage } from './messages';
import script from './page/page.ts?script';
import { PictureClocks } from './pictureClocks';

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const html =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Fullhouse clock</title><body><script src="page.js"></script></body></html>';
const files: Readonly<Record<string, readonly [contentType: string, text: string]>> = {
  '': ['text/html; charset=utf-8', html],
  'page.js': ['text/javascript; charset=utf-8', script],
};
const socketPath = 'clock';
/** A second screen, a phone, a source in OBS: more are no use. */
const maxPages = 8;
/** A page sends requests for the time and reports. */
const maxMessageBytes = 500;
const maxMessagesPerSecond = 50;
/** A page asks for the time every 3 s: one that has sent nothing for longer must not keep another one out. */
const maxSilentSeconds = 10;

interface Running {
  readonly server: BoundedServer;
  readonly path: SecretPath;
  readonly urls: readonly string[];
  readonly isLan: boolean;
}

/** Serves the clock page, below a secret path and only from `start` to `stop`. */
export class ClockPageServer {
  readonly clocks: PictureClocks;
  private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes });
  private running: Running | undefined;
  /** The last start or stop: each waits for the one before it, so that no server is left that a later stop misses. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly clock: Clock) {
    this.clocks = new PictureClocks(clock.now);
  }

  get state(): ClockPageState {
    const { urls = [], isLan = false } = this.running ?? {};
    return { urls: [...urls], isLan, pages: this.clocks.views };
  }

  /** Replaces what is served. Rejects with a sentence if it can't listen there. */
  start(at: { readonly address: string; readonly port: number }): Promise<ClockPageState> {
    return this.next(async () => {
      await this.close();
      await this.listen(at);
    });
  }

  /** Resolves when nothing listens any more, and all pages are disconnected. */
  stop(): Promise<ClockPageState> {
    return this.next(() => this.close());
  }

  private next(change: () => Promise<void>): Promise<ClockPageState> {
    const changed = this.last.then(async () => {
      await change();
      return this.state;
    });
    this.last = changed.catch(() => undefined);
    return changed;
  }

  private async listen({ address, port }: { readonly address: string; readonly port: number }): Promise<void> {
    const path = new SecretPath();
    const server: BoundedServer = new BoundedServer({
      name: 'the clock page',
      answer: (request, response) => answer(request, response, { server, path }),
    });
    server.server.on('upgrade', (request: IncomingMessage, socket, head) => {
      const isPage = path.nameIn(request) === socketPath && isFromHere(request);
      if (!isPage || this.sockets.clients.size >= maxPages) return socket.destroy();
      server.admit(request);
      this.sockets.handleUpgrade(request, socket, head, (opened) => this.connect(opened, request));
    });
    await listening(server.server, { port, address, what: 'Clock pages' });
    const own = (server.server.address() as AddressInfo).port;
    const urls = hostsOf(address).map((host) => `http://${host}:${own}/${path.token}/`);
    this.running = { server, path, urls, isLan: !isLoopbackHost(address) };
  }

  private async close(): Promise<void> {
    const { running } = this;
    this.running = undefined;
    for (const socket of this.sockets.clients) socket.terminate();
    await running?.server.close();
  }

  private connect(socket: WebSocket, request: IncomingMessage): void {
    const from = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
    const earlier = Number(/[?&]source=(\d{1,2})$/.exec(request.url ?? '')?.[1] ?? Number.NaN);
    const source = this.clocks.open(from, Number.isNaN(earlier) ? undefined : earlier);
    if (source === undefined) return socket.terminate();
    const send = (message: ToPage): void => socket.send(JSON.stringify(message));
    let [messages, silentSeconds] = [0, 0];
    const second = (): void => {
      silentSeconds = messages > 0 ? 0 : silentSeconds + 1;
      messages = 0;
      if (silentSeconds >= maxSilentSeconds) socket.terminate();
    };
    const stopCounting = every(this.clock, 1000, second, 'background');
    socket.on('message', (data: Buffer) => {
      const message = parsed(data);
      messages += 1;
      if (!message || messages > maxMessagesPerSecond) return socket.terminate();
      if (message.kind === 'time') send({ kind: 'time', id: message.id, nowMs: this.clock.now() + 0.5 });
      else if (message.kind === 'drawn') this.clocks.drawn(source, message.uncertaintyMs);
      else this.clocks.unknown(source);
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      stopCounting();
      this.clocks.closed(source);
    });
    send({ kind: 'source', source });
  }
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { server, path }: { readonly server: BoundedServer; readonly path: SecretPath },
): void {
  const name = path.nameIn(request);
  const file = name !== undefined && Object.hasOwn(files, name) ? files[name] : undefined;
  if (!file || request.method !== 'GET') return server.refuse(response, 404);
  server.admit(request);
  response.writeHead(200, pageHeaders(file[0], contentSecurityPolicy)).end(file[1]);
}

function parsed(data: Buffer) {
  try {
    return fromPage.safeParse(JSON.parse(data.toString('utf8'))).data;
  } catch {
    // Not JSON: not our page.
    return undefined;
  }
}

/** As they are in addresses; for all addresses of this machine those at which other machines reach it. */
function hostsOf(address: string): string[] {
  if (address !== '0.0.0.0' && address !== '::') return [isIP(address) === 6 ? `[${address}]` : address];
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const reached = all.filter(({ family, internal }) => !internal && String(family) === 'IPv4');
  return [...reached.map((each) => each.address), '127.0.0.1'];
}
