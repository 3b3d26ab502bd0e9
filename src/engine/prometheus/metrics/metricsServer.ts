import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import { isLoopbackHost } from '../../../domain/text/loopback';
import type { MetricsState } from '../../../contract/prometheusCalls';
import { BoundedServer } from '../../base/boundedServer';
import { Emitter } from '../../base/emitter';
import { listening } from '../../base/listening';
import { writeExposition } from './exposition';
import { contentTypes, formOf } from './expositionForm';
import type { MetricFamily } from './metricFamily';

export interface MetricsServerOptions {
  readonly families: () => readonly MetricFamily[];
  readonly now: () => number;
}

export interface MetricsAddress {
  /** 0: any free port. */
  readonly port: number;
  readonly bind?: string;
  readonly token?: string;
}

/** The endpoint for Prometheus to scrape. Off until `start`; serves `GET /metrics` and nothing else. */
export class MetricsServer {
  readonly states = new Emitter<MetricsState>();
  private running: { readonly server: BoundedServer; state: MetricsState } | undefined;

  constructor(private readonly options: MetricsServerOptions) {}

  get state(): MetricsState {
    return this.running?.state ?? {};
  }

  /** Starts serving, replacing a running endpoint. Outside of loopback only with a token. */
  async start({ port, bind = '127.0.0.1', token }: MetricsAddress): Promise<MetricsState> {
    await this.stop();
    const address = bind.replace(/^\[(.*)\]$/, '$1');
    const isOpen = !isLoopbackHost(address);
    const wanted = token ?? (isOpen ? randomBytes(24).toString('base64url') : undefined);
    const server: BoundedServer = new BoundedServer({
      name: 'the metrics endpoint',
      answer: (request, response) => this.answer(request, response, { server, isOpen, token: wanted }),
    });
    await listening(server.server, { port, address, what: 'Metrics' });
    const own = server.server.address() as AddressInfo;
    const host = isIP(address) === 6 ? `[${address}]` : address;
    const state: MetricsState = {
      address: `http://${host}:${own.port}/metrics`,
      port: own.port,
      ...(wanted === undefined ? {} : { token: wanted }),
    };
    this.running = { server, state };
    this.states.emit(state);
    return state;
  }

  /** Resolves when the endpoint is closed. */
  async stop(): Promise<void> {
    const { running } = this;
    if (!running) return;
    this.running = undefined;
    await running.server.close();
    this.states.emit({});
  }

  private answer(
    request: IncomingMessage,
    response: ServerResponse,
    {
      server,
      isOpen,
      token,
    }: { readonly server: BoundedServer; readonly isOpen: boolean; readonly token: string | undefined },
  ): void {
    const refuse = (status: number, sentence: string, headers: Record<string, string> = {}): void =>
      server.refuse(response, status, { 'Content-Type': 'text/plain; charset=utf-8', ...headers }, `${sentence}\n`);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // Otherwise a web page whose name resolves to this machine could read the figures (DNS rebinding).
    if (!isOpen && !isLoopbackHost(hostOf(request.headers.host)))
      return refuse(403, 'Only requests from this machine, to 127.0.0.1 or localhost, are allowed.');
    if (token !== undefined && !isSame(request.headers.authorization, `Bearer ${token}`))
      return refuse(401, 'The token is missing or wrong.', { 'WWW-Authenticate': 'Bearer' });
    if ((request.url ?? '').split('?')[0] !== '/metrics') return refuse(404, 'Only /metrics exists here.');
    if (request.method !== 'GET') return refuse(405, 'Only GET is allowed.', { Allow: 'GET' });
    server.admit(request);
    const form = formOf(request.headers.accept);
    const body = writeExposition(this.options.families(), form);
    response.writeHead(200, { 'Content-Type': contentTypes[form] });
    response.end(body);
    if (!this.running) return;
    this.running.state = { ...this.running.state, scrapedMs: this.options.now() };
    this.states.emit(this.running.state);
  }
}

/** The name or address in a Host header, without its port. */
function hostOf(header: string | undefined): string {
  return /^\[(.*)\](:\d+)?$/.exec(header ?? '')?.[1] ?? (header ?? '').replace(/:\d+$/, '');
}

/** Constant-time comparison. */
function isSame(given: string | undefined, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given ?? ''), digest(wanted));
}
