import { Agent, request } from 'node:http';
import { Agent as SecureAgent, type AgentOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { FullhouseError } from '../../../contract/calls';
import { hostAndPort } from '../ssh/address';
import { proxyFor, type ProxyChoice } from './proxyChoice';

/**
 * Tunnels by CONNECT. hpagent, which the client of Kubernetes uses, does so for http too, which proxies refuse; and
 * https-proxy-agent passes a proxy's refusal on as the server's response.
 */

const connectMs = 10_000;
const refusals: Readonly<Record<number, string>> = {
  403: 'does not allow connections to it; ask its owner to allow that, or exclude the host',
  407: 'requires a user and a password, or refuses these; write them in its address',
};

/** Why a proxy gave no connection or refused a request. */
export function proxyRefusal(who: string, proxy: ProxyChoice, address: string, status: number): FullhouseError {
  const why = refusals[status] ?? 'could not reach it; check the address, or exclude the host';
  const exclude = status === 407 ? '' : ' (no_proxy, or proxy: none for the node)';
  return new FullhouseError(
    'proxy',
    `${who}: ${proxy.name} refused ${address} with HTTP ${status}: it ${why}${exclude}.`,
  );
}

/** Why a proxy can't be reached. */
export function proxyUnreachable(who: string, proxy: ProxyChoice, error: NodeJS.ErrnoException): FullhouseError {
  const why =
    error.code === 'ECONNREFUSED'
      ? 'refused the connection'
      : error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN'
        ? "has a name that can't be resolved"
        : `can't be reached (${error.message})`;
  return new FullhouseError(
    'proxy',
    `${who}: ${proxy.name} ${why}. Check its address, or exclude the host (no_proxy, or proxy: none for the node).`,
    { cause: error },
  );
}

/** A connection to a host through a proxy. */
export function openTunnel(who: string, proxy: ProxyChoice, host: string, port: number): Promise<Socket> {
  const address = hostAndPort(host, port);
  return new Promise((resolve, reject) => {
    const connecting = request({
      host: proxy.host,
      port: proxy.port,
      method: 'CONNECT',
      path: address,
      agent: false,
      timeout: connectMs,
      headers: { Host: address, ...(proxy.authorization && { 'Proxy-Authorization': proxy.authorization }) },
    });
    connecting.on('connect', (response, socket: Socket, head) => {
      const status = response.statusCode ?? 0;
      if (status < 200 || status >= 300) {
        socket.destroy();
        return reject(proxyRefusal(who, proxy, address, status));
      }
      socket.setTimeout(0);
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    connecting.on('response', (response) => {
      response.destroy();
      reject(proxyRefusal(who, proxy, address, response.statusCode ?? 0));
    });
    connecting.on('timeout', () => connecting.destroy(new Error(`no response within ${connectMs / 1000} s`)));
    connecting.on('error', (error) => reject(proxyUnreachable(who, proxy, error)));
    connecting.end();
  });
}

interface ConnectionOptions {
  readonly host?: string | null;
  readonly port?: number | string | null;
  readonly servername?: string;
}
type Connected = (error: Error | null, socket?: Duplex) => void;

/** Connections to TLS servers through a proxy. */
export class SecureTunnelAgent extends SecureAgent {
  constructor(
    private readonly who: string,
    private readonly proxy: ProxyChoice,
    options: AgentOptions = {},
  ) {
    super(options);
  }

  override createConnection(options: ConnectionOptions, connected: Connected): undefined {
    const host = options.host ?? '';
    openTunnel(this.who, this.proxy, host, Number(options.port ?? 443)).then(
      (socket) => connected(null, connectTls({ ...(options as object), socket })),
      (error: Error) => connected(error),
    );
  }
}

/** Connections to servers without TLS through a proxy, for WebSocket. */
class TunnelAgent extends Agent {
  constructor(
    private readonly who: string,
    private readonly proxy: ProxyChoice,
  ) {
    super();
  }

  override createConnection(options: ConnectionOptions, connected: Connected): undefined {
    openTunnel(this.who, this.proxy, options.host ?? '', Number(options.port ?? 80)).then(
      (socket) => connected(null, socket),
      (error: Error) => connected(error),
    );
  }
}

/** The agent for a WebSocket to an address; undefined for a direct connection. */
export function webSocketAgent(url: URL, setting: string | undefined, who: string): Agent | undefined {
  const proxy = proxyFor(url, setting, who);
  if (!proxy) return undefined;
  return url.protocol === 'wss:' || url.protocol === 'https:'
    ? new SecureTunnelAgent(who, proxy)
    : new TunnelAgent(who, proxy);
}
