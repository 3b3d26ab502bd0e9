import { z } from 'zod';
import { FullhouseError } from '../../contract/calls';
import { parseForeignJson } from '../../domain/budget/foreignJson';

export interface MeasuredBandwidth {
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

/** Null is what is written for a division by zero, such as the loss of no datagrams. */
const figure = z
  .number()
  .nullish()
  .transform((value) => value ?? undefined);
const sum = z.object({
  seconds: figure,
  bytes: figure,
  bits_per_second: figure,
  retransmits: figure,
  packets: figure,
  lost_percent: figure,
  jitter_ms: figure,
});
const answer = z.object({
  end: z.object({ sum: sum.optional(), sum_sent: sum.optional(), sum_received: sum.optional() }).optional(),
  error: z.string().optional(),
});

/** Output of iperf3's client with `-J`; it contains errors too, with exit code 0 in some cases. */
export interface IperfResult {
  readonly error?: string;
  readonly capacity?: MeasuredBandwidth;
}

/** Parses the client's JSON; undefined when invalid. */
export function parseIperf(
  text: string,
  requested: Pick<MeasuredBandwidth, 'protocol' | 'direction'>,
): IperfResult | undefined {
  let raw: unknown;
  try {
    // A shell may print something before the JSON, and iperf3 a warning after it.
    raw = parseForeignJson(withoutNan(text.slice(Math.max(0, text.indexOf('{')), text.lastIndexOf('}') + 1)));
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
  const bitsPerSecond = received.bits_per_second ?? rateOf(received);
  if (bitsPerSecond === undefined) return { error: 'its result has no bitrate; nothing may have arrived' };
  const loss = percent(received.lost_percent ?? end.sum?.lost_percent);
  // Versions before 3.6 have one sum for UDP, of what was sent.
  const arrived = isUdp && !end.sum_received ? 1 - (loss ?? 0) / 100 : 1;
  const jitterMs = received.jitter_ms ?? end.sum?.jitter_ms;
  return {
    capacity: {
      mbps: (bitsPerSecond * arrived) / 1e6,
      ...requested,
      seconds: received.seconds ?? 0,
      ...(!isUdp && end.sum_sent?.retransmits !== undefined && { retransmits: end.sum_sent.retransmits }),
      ...(isUdp && loss !== undefined && { lossPercent: loss }),
      ...(isUdp && jitterMs !== undefined && jitterMs >= 0 && { jitterMs }),
    },
  };
}

/** C's output of what is no number is not JSON. Texts have no such word after a colon. */
function withoutNan(json: string): string {
  return json.replace(/(:\s*)[-+]?(?:nan|inf(?:inity)?)(?:\([^)]*\))?(?=\s*[,}\]\n])/gi, '$1null');
}

function rateOf({ bytes, seconds }: z.output<typeof sum>): number | undefined {
  return bytes === undefined || !seconds ? undefined : (8 * bytes) / seconds;
}

/** Late and duplicate datagrams make some versions count fewer than none or more than all as lost. */
function percent(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.min(100, Math.max(0, value));
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
