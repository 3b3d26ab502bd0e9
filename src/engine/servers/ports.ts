import { FullhouseError } from '../../contract/calls';
import {
  httpAddressKeys,
  portAddressKeys,
  streamAddresses,
  type PortAddressKey,
  type StreamAddressKey,
} from '../../domain/model/addressKeys';
import type { OriginSettings } from '../../domain/model/nodeSettings';
import { turnAddress } from '../../domain/model/turn';
import type { Clock } from '../base/clock';
import { httpFault } from '../links/http/httpFaults';
import { proxyFor } from '../links/http/proxyChoice';
import { openTunnel, proxyUnreachable } from '../links/http/proxyTunnel';
import { bareHost, webPortOf } from './addressTemplate';
import { connectTo } from './connectTo';
import { respondsAsMedia } from './mediaPortProbe';
import { rtmpPorts } from './rtmpHandshake';
import { respondsAsTurn } from './turnProbe';
import { addressNames } from './configuredAddresses';

/** Ports of media are checked less often than those of HTTP: their servers log every connection. */
const mediaIntervalMs = 5000;
const timeoutMs = 3000;

/** Why a port does not respond; undefined if it does. */
type Check = () => Promise<FullhouseError | undefined>;

/** One port of a node's addresses. */
export interface Port {
  /** The addresses there, e.g. `WHEP and WHIP`. */
  readonly names: string;
  /** Of HTTP and WebSocket addresses. */
  readonly origin?: string;
  readonly check: Check;
}

/**
 * The ports of a node's addresses, those of HTTP and WebSocket first. A check requests no stream and no path: of a path
 * that it does not know, a server may keep the connection open without a response. Throws `bad-address` for an invalid
 * TURN address.
 */
export function portsOf(who: string, settings: OriginSettings, clock: Clock): readonly Port[] {
  const byOrigin = new Map<string, StreamAddressKey[]>();
  for (const key of httpAddressKeys) {
    const address = settings[key];
    if (address === undefined) continue;
    const { origin } = example(address);
    byOrigin.set(origin, [...(byOrigin.get(origin) ?? []), key]);
  }
  return [
    ...[...byOrigin].map(([origin, keys]) => ({
      names: addressNames(keys),
      origin,
      check: webCheck(who, new URL(origin), settings.proxy),
    })),
    ...portAddressKeys.flatMap((key) => {
      const address = settings[key];
      if (address === undefined) return [];
      const { name } = streamAddresses[key];
      return [{ names: name, check: fromTimeToTime(clock, mediaChecks[key](who, address, clock, name)) }];
    }),
  ];
}

/** An address with some name in each of its places. */
export const example = (address: string): URL => new URL(address.replace(/\{\w+\}/g, 'x'));

const mediaChecks: Readonly<
  Record<PortAddressKey, (who: string, address: string, clock: Clock, name: string) => Check>
> = { rtmp: rtmpCheck, rtsp: mediaCheck, srt: mediaCheck, turn: turnCheck };

/**
 * Whether it accepts connections. TLS is not negotiated: a certificate is for those who send something. Of a server without
 * TLS behind a proxy, only the proxy can be checked without a request.
 */
function webCheck(who: string, url: URL, setting: string | undefined): Check {
  const port = Number(webPortOf(url));
  return async () => {
    try {
      const proxy = proxyFor(url, setting, who);
      if (!proxy) await connectTo(bareHost(url.hostname), port, timeoutMs);
      else if (url.protocol === 'http:')
        await connectTo(proxy.host, proxy.port, timeoutMs).catch((error: NodeJS.ErrnoException) => {
          throw proxyUnreachable(who, proxy, error);
        });
      else (await openTunnel(who, proxy, bareHost(url.hostname), port)).destroy();
      return undefined;
    } catch (error) {
      return httpFault(who, url, error as NodeJS.ErrnoException, false);
    }
  };
}

function rtmpCheck(who: string, address: string): Check {
  const url = example(address);
  const port = Number(url.port || (url.protocol === 'rtmps:' ? rtmpPorts['rtmps:'] : rtmpPorts['rtmp:']));
  return () =>
    connectTo(bareHost(url.hostname), port, timeoutMs).then(
      () => undefined,
      (reason: unknown) =>
        new FullhouseError(
          'refused',
          `${who}: nothing accepts RTMP at ${url.host}; check the port and that the server is running.`,
          { cause: reason },
        ),
    );
}

/** RTSP by a request, SRT by the start of a handshake: neither opens a session. */
function mediaCheck(who: string, address: string, clock: Clock, name: string): Check {
  const url = example(address);
  return async () =>
    (await respondsAsMedia(url, clock, timeoutMs))
      ? undefined
      : new FullhouseError(
          'refused',
          `${who}: no ${name} server responds at ${url.host}; check the port and that the server is running.`,
        );
}

/** A TURN server by a STUN request, or by a connection over TCP. */
function turnCheck(who: string, address: string, clock: Clock): Check {
  const server = turnAddress(address);
  if (!server)
    throw new FullhouseError('bad-address', `${who}: "${address}" is not a TURN address; expected turn:HOST:PORT.`);
  return async () =>
    (await respondsAsTurn(server, clock, timeoutMs))
      ? undefined
      : new FullhouseError(
          'refused',
          `${who}: no TURN server responds at ${address}; check the port and that the server is running.`,
        );
}

/** Checks at intervals; the last result holds in between. */
function fromTimeToTime(clock: Clock, check: Check): Check {
  let last: { readonly atMs: number; readonly result: ReturnType<Check> } | undefined;
  return () => {
    if (!last || clock.now() - last.atMs >= mediaIntervalMs) last = { atMs: clock.now(), result: check() };
    return last.result;
  };
}
