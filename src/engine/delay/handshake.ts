import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import type { Clock } from '../base/clock';
import { parsedUrl } from '../base/parsedUrl';

const attempts = 5;
const limitMs = 3000;

/** Ports of addresses without one. */
const usualPorts: Readonly<Record<string, number>> = {
  ...{ 'http:': 80, 'ws:': 80, 'https:': 443, 'wss:': 443 },
  ...{ 'rtmp:': 1935, 'rtmps:': 443, 'rtsp:': 554, 'rtsps:': 322 },
};

/**
 * Round trip to a server over TCP: the shortest of some handshakes, in ms, for players whose protocol measures none.
 * Undefined for an address over UDP, and where the server does not accept connections.
 */
export async function handshakeMs(address: string, clock: Clock): Promise<number | undefined> {
  const url = parsedUrl(address);
  const port = Number(url?.port) || usualPorts[url?.protocol ?? ''];
  if (!url || port === undefined || url.protocol === 'srt:') return undefined;
  // Not in the time: players resolve a name once.
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const host = await lookup(name).then(
    ({ address: found }) => found,
    () => undefined,
  );
  if (host === undefined) return undefined;
  const times: number[] = [];
  for (let left = attempts; left > 0; left -= 1) {
    const tookMs = await once(host, port, clock);
    if (tookMs === undefined) return undefined;
    times.push(tookMs);
  }
  return Math.min(...times);
}

function once(host: string, port: number, clock: Clock): Promise<number | undefined> {
  return new Promise((resolve) => {
    const startMs = clock.monotonic();
    const socket = connect({ host, port });
    const done = (tookMs: number | undefined): void => {
      cancel();
      socket.destroy();
      resolve(tookMs);
    };
    const cancel = clock.after(limitMs, () => done(undefined));
    socket.once('connect', () => done(clock.monotonic() - startMs));
    socket.once('error', () => done(undefined));
  });
}
