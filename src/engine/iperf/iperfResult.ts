import { z } from 'zod';
import { FullhouseError } from '../../contract/calls';
import { parseForeignJson } from '../../domain/budget/foreignJson';

export interface Capacity {
  /** Received data, at the receiver, over the entire measurement. */
  readonly mbps: number;
  readonly protocol: 'tcp' | 'udp';
  readonly direction: 'toServer' | 'fromServer';
  /** Actual duration. */
  readonly seconds: number;
  /** TCP retransmissions; absent where the sender's system does not report them. */
  readonly retransmits?: number;
  /** UDP: share of the sent datagrams. */
  readonly lossPercent?: number;
  readonly jitterMs?: number;
}

const sum = z.object({
  seconds: z.number().optional(),
  bytes: z.number().optional(),
  bits_per_second: z.number(),
  retransmits: z.number().optional(),
  lost_percent: z.number().optional(),
  jitter_ms: z.number().optional(),
});
const answer = z.object({
  end: z.object({ sum: sum.optional(), sum_sent: sum.optional(), sum_received: sum.optional() }).optional(),
  error: z.string().optional(),
});

/** Output of iperf3's client with `-J`; it contains errors too, with exit code 0 in some cases. */
export interface IperfResult {
  readonly error?: string;
  readonly capacity?: Capacity;
}

/** Parses the client's JSON; undefined when invalid. */
export function parseIperf(text: string, requested: Pick<Capacity, 'protocol' | 'direction'>): IperfResult | undefined {
  let raw: unknown;
  try {
    // A shell may print something before the JSON.
    raw = parseForeignJson(text.slice(Math.max(0, text.indexOf('{'))));
  } catch {
    return undefined;
  }
  const parsed = answer.safeParse(raw);
  if (!parsed.success) return undefined;
  const { end = {}, error } = parsed.data;
  if (error !== undefined) return { error };
  const isUdp = requested.protocol === 'udp';
  const received = end.sum_received ?? end.sum;
  if (!received) return { error: 'its result has no sum' };
  // Versions before 3.6 have one sum for UDP, of what was sent.
  const arrived = isUdp && !end.sum_received ? 1 - (received.lost_percent ?? 0) / 100 : 1;
  const loss = received.lost_percent ?? end.sum?.lost_percent;
  return {
    capacity: {
      mbps: (received.bits_per_second * arrived) / 1e6,
      ...requested,
      seconds: received.seconds ?? 0,
      ...(!isUdp && end.sum_sent?.retransmits !== undefined && { retransmits: end.sum_sent.retransmits }),
      ...(isUdp && loss !== undefined && { lossPercent: loss }),
      ...(isUdp && { jitterMs: received.jitter_ms ?? end.sum?.jitter_ms }),
    },
  };
}

/** Where a measurement was to run, for messages. */
export interface IperfEndpoints {
  readonly client: string;
  readonly server: string;
  readonly address: string;
  readonly port: number;
  readonly protocol: 'tcp' | 'udp';
}

/** One sentence for an error of iperf3's client. */
export function clientFault(error: string, places: IperfEndpoints): FullhouseError {
  const { client, server, address, port, protocol } = places;
  const at = `${address.includes(':') ? `[${address}]` : address}:${port}`;
  if (/busy running a test/i.test(error))
    return new FullhouseError(
      'busy',
      `The iperf3 at ${at} is busy with another measurement; wait for it, or choose another port.`,
    );
  if (/unable to connect to server|connection (refused|timed out)|no route to host/i.test(error)) {
    const why = error.replace(/^.*:\s*/, '');
    return new FullhouseError(
      'port-blocked',
      `${client} can't reach iperf3 on ${server} at ${at} (${why}): open TCP and UDP port ${port} there, then measure again.`,
    );
  }
  if (protocol === 'udp' && /unable to (read from|connect|create|write to).*stream|idle timeout/i.test(error))
    return new FullhouseError(
      'port-blocked',
      `${client} reaches ${at} on ${server} over TCP but not over UDP (${error}): open UDP port ${port} too, then measure again.`,
    );
  return new FullhouseError('iperf3', `iperf3 from ${client} to ${server} at ${at} failed: ${error}.`);
}

/** Progress of a measurement in seconds, from a line of the server: `[  5]   1.00-2.00   sec  2.35 GBytes …`. */
export function secondsOf(line: string): number | undefined {
  const match = /^\[ *(?:\d+|SUM)\] +[\d.]+-([\d.]+) +sec/.exec(line);
  return match ? Number(match[1]) : undefined;
}
