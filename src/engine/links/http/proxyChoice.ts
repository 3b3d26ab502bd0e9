import { BlockList, isIP } from 'node:net';
import { noProxy } from '../../../domain/model/nodeSettings';
import { isLoopbackHost } from '../../../domain/text/loopback';
import { percentDecoded } from '../../../domain/text/percentDecoded';
import { FullhouseError } from '../../../contract/calls';
import { variable, type VariableName } from '../../base/variables';

/** The proxy for one address. */
export interface ProxyChoice {
  readonly host: string;
  readonly port: number;
  /** Value of Proxy-Authorization. */
  readonly authorization?: string;
  /** For messages: `the proxy HOST:PORT (VARIABLE)`, without its login. */
  readonly name: string;
}

/** Lower case first, as in curl; `HTTP_PROXY` is never set by a request here, so it counts too. */
const variablesOf: Readonly<Record<string, readonly VariableName[]>> = {
  'http:': ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
  'https:': ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
};
const schemeOf: Readonly<Record<string, string>> = { 'ws:': 'http:', 'wss:': 'https:' };

/**
 * The proxy for an address of HTTP or WebSocket: that of the node's setting, else of the variables; undefined for none.
 * Loopback is never reached by a proxy. Throws a sentence for a proxy that is not usable.
 */
export function proxyFor(target: URL, setting: string | undefined, who: string): ProxyChoice | undefined {
  const protocol = schemeOf[target.protocol] ?? target.protocol;
  if (setting === noProxy || isLoopbackHost(target.hostname)) return undefined;
  if (setting !== undefined) return choiceOf(setting, `the setting proxy of ${who}`, who);
  const name = variablesOf[protocol]?.find((each) => variable(each));
  if (
    name === undefined ||
    isDirect(target.hostname, portOf(target, protocol), variable('no_proxy') || variable('NO_PROXY'))
  )
    return undefined;
  return choiceOf(variable(name) ?? '', `the variable ${name}`, who);
}

function choiceOf(text: string, source: string, who: string): ProxyChoice {
  let url: URL | undefined;
  try {
    url = new URL(text.includes('://') ? text : `http://${text}`);
  } catch {
    url = undefined;
  }
  // Not the text itself: it may contain a password.
  if (url?.protocol !== 'http:' || url.hostname === '')
    throw new FullhouseError(
      'proxy',
      `${who}: ${source} is not the address of an HTTP proxy. Write http://HOST:PORT; SOCKS and proxies with TLS are not supported.`,
    );
  const login = `${percentDecoded(url.username)}:${percentDecoded(url.password)}`;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 80),
    name: `the proxy ${url.host} (${source})`,
    ...(login !== ':' && { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
  };
}

const portOf = ({ port }: URL, protocol: string): string => port || (protocol === 'https:' ? '443' : '80');

/**
 * Whether a list as in `no_proxy` has a host: a name stands for its subdomains too, one with a leading dot or `*.` for these
 * only; addresses, ranges of them, ports, and `*` for all.
 */
function isDirect(hostname: string, port: string, list = ''): boolean {
  const host = hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  return list
    .toLowerCase()
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .some((entry) => entry === '*' || isInRange(host, entry) || isHost(host, port, entry));
}

function isInRange(host: string, entry: string): boolean {
  const [, network = '', bits = ''] = /^(.+)\/(\d+)$/.exec(entry) ?? [];
  const family = isIP(network);
  if (family === 0 || family !== isIP(host) || Number(bits) > (family === 4 ? 32 : 128)) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const range = new BlockList();
  range.addSubnet(network, Number(bits), type);
  return range.check(host, type);
}

function isHost(host: string, port: string, entry: string): boolean {
  const [, bracketed, named = '', at] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? ['', entry];
  const name = bracketed ?? named;
  if (name === '' || (at !== undefined && at !== port)) return false;
  if (isIP(name)) return name === host;
  const suffix = name.replace(/^\*(?=\.)/, '');
  return suffix.startsWith('.') ? host.endsWith(suffix) : host === suffix || host.endsWith(`.${suffix}`);
}
