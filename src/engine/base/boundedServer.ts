import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock } from './clock';
import { log } from './log';

export interface BoundedServerOptions {
  /** For the log: `the metrics endpoint`. */
  readonly name: string;
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** Connections that may wait for a request that is admitted. */
  readonly maxWaiting?: number;
  readonly timeoutMs?: number;
}

const windowMs = 60_000;
/** More than mistyped tokens and a port scan cause. */
const noteworthy = 20;

/**
 * An HTTP server whose connections are bounded in number, time and bytes until a request on them is admitted. A further
 * one closes the oldest of those, so that an allowed request gets its turn whatever others hold open.
 */
export class BoundedServer {
  readonly server: Server;
  /** All connections; those that wait in the order of their latest request. */
  private readonly admitted = new Set<Socket>();
  private readonly waiting = new Set<Socket>();
  private readonly withRequest = new WeakSet<Socket>();
  private refused = 0;
  private reportedMs = -windowMs;

  constructor(private readonly options: BoundedServerOptions) {
    const { maxWaiting = 64, timeoutMs = 10_000 } = options;
    this.server = createServer({
      maxHeaderSize: 16_384,
      headersTimeout: timeoutMs,
      requestTimeout: timeoutMs,
      keepAliveTimeout: timeoutMs / 2,
      connectionsCheckingInterval: Math.min(1000, timeoutMs / 4),
    });
    this.server.timeout = timeoutMs; // an unread response
    this.server.on('connection', (socket: Socket) => {
      this.waiting.add(socket);
      socket.on('close', () => this.left(socket));
      const [oldest] = this.waiting;
      if (this.waiting.size > maxWaiting) oldest?.destroy();
    });
    this.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.withRequest.add(request.socket);
      response.once('close', () => {
        if (!this.admitted.delete(request.socket) || request.socket.destroyed) return;
        this.waiting.add(request.socket);
      });
      options.answer(request, response);
    });
  }

  /** Takes the connection of a request out of the bounds until its response is sent. */
  admit({ socket }: IncomingMessage): void {
    if (this.waiting.delete(socket)) this.admitted.add(socket);
  }

  /** Ends a request that is not admitted, and its connection. */
  refuse(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}, body = ''): void {
    this.count();
    response.writeHead(status, { ...headers, Connection: 'close' }).end(body);
  }

  /** Resolves when all connections are closed. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of [...this.waiting, ...this.admitted]) socket.destroy();
    await closed;
  }

  private left(socket: Socket): void {
    this.admitted.delete(socket);
    if (this.waiting.delete(socket) && !this.withRequest.has(socket)) this.count();
  }

  private count(): void {
    this.refused += 1;
    const nowMs = systemClock.monotonic();
    if (this.refused < noteworthy || nowMs - this.reportedMs < windowMs) return;
    log.warn(`${this.refused} connections to ${this.options.name} were refused or closed before a valid request.`);
    this.refused = 0;
    this.reportedMs = nowMs;
  }
}
