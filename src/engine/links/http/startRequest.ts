import { request as plainRequest, type Agent, type ClientRequest, type RequestOptions } from 'node:http';
import { request as secureRequest, type Agent as SecureAgent } from 'node:https';
import { hostAndPort } from '../ssh/address';
import type { ProxyChoice } from './proxyChoice';
import { SecureTunnelAgent } from './proxyTunnel';

interface StartOptions extends Pick<RequestOptions, 'method' | 'timeout'> {
  readonly who: string;
  readonly headers: Readonly<Record<string, string | number>>;
  /** Undefined for a direct connection. */
  readonly proxy: ProxyChoice | undefined;
  readonly acceptSelfSigned: boolean;
  /** Kept-alive connections; without them a new one is opened. */
  readonly agents?: { readonly plain: Agent; readonly secure: SecureAgent };
}

/**
 * A request, direct or by a proxy: with TLS through a tunnel to the server, otherwise the proxy gets it with the whole
 * address.
 */
export function startRequest(url: URL, options: StartOptions): ClientRequest {
  const { who, method, timeout, headers, proxy, acceptSelfSigned, agents } = options;
  const common = { method, ...(timeout !== undefined && { timeout }) };
  if (url.protocol === 'https:')
    return secureRequest(url, {
      ...common,
      headers,
      agent: agents?.secure ?? (proxy ? new SecureTunnelAgent(who, proxy) : false),
      rejectUnauthorized: !acceptSelfSigned,
    });
  const agent = agents?.plain ?? false;
  if (!proxy) return plainRequest(url, { ...common, headers, agent });
  const { host, port, authorization } = proxy;
  return plainRequest(`http://${hostAndPort(host, port)}`, {
    ...common,
    agent,
    path: url.href,
    headers: { ...headers, Host: url.host, ...(authorization && { 'Proxy-Authorization': authorization }) },
  });
}
