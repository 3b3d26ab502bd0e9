import { FullhouseError } from '../../../contract/calls';
import { noPublisher } from '../../../domain/model/node';
import type { SrsClient, SrsStream } from './responses';
import type { SrsApi } from './srsApi';

/** How often a stream's publisher is queried: its bitrate changes slowly, and SRS serves one request at a time. */
const againMs = 5000;
/** Max publishers queried in one poll. */
const maxPerPoll = 8;
/** SRS's 30 s average needs this long to fill. */
const averageSeconds = 30;
/** Over less time a mean reflects the handshake more than the stream. */
const minMeanSeconds = 2;

interface Known {
  readonly client: SrsClient | undefined;
  readonly requestedMs: number;
}

export interface Publisher {
  /** e.g. `WHIP · 10.0.0.9`. */
  readonly source: string;
  readonly bitrateKbps?: number;
  readonly ageMs?: number;
}

/**
 * The publisher of each stream. The incoming bitrate that SRS reports for a stream includes its viewers' RTCP and
 * handshakes (twice the real one was seen with 200 viewers), so the publisher itself is queried.
 */
export class Publishers {
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly api: SrsApi,
    private readonly now: () => number,
  ) {}

  /** Rejects when SRS does not respond, and after all were queried if a response was invalid. */
  async refresh(streams: readonly SrsStream[]): Promise<void> {
    const ids = new Set(streams.flatMap(({ publish }) => (publish?.active && publish.cid ? [publish.cid] : [])));
    for (const id of [...this.known.keys()]) if (!ids.has(id)) this.known.delete(id);
    const due = [...ids]
      .map((id) => ({ id, requestedMs: this.known.get(id)?.requestedMs ?? -Infinity }))
      .filter(({ requestedMs }) => this.now() - requestedMs >= againMs)
      .sort((a, b) => a.requestedMs - b.requestedMs)
      .slice(0, maxPerPoll);
    let invalid: Error | undefined;
    for (const { id } of due) {
      const client = await this.api.client(id).catch((error: unknown) => {
        const { code } = error as { code?: unknown };
        // One that is invalid hides no other.
        if (error instanceof FullhouseError && error.code === 'bad-answer') invalid = error;
        // It disconnected between the two responses.
        else if (code !== 'srs-2049') throw error;
        return undefined;
      });
      this.known.set(id, { client, requestedMs: this.now() });
    }
    if (invalid !== undefined) throw invalid;
  }

  of({ publish, tcUrl }: SrsStream): Publisher {
    if (!publish?.active) return { source: noPublisher };
    const known = publish.cid === undefined ? undefined : this.known.get(publish.cid);
    const client = known?.client;
    const protocol = protocolOf(client?.type, tcUrl);
    const { alive } = client ?? {};
    const bitrateKbps = client && bitrateOf(client);
    return {
      source: [protocol, client?.ip].filter(Boolean).join(' · '),
      ...(bitrateKbps === undefined ? {} : { bitrateKbps }),
      ...(alive === undefined || !known ? {} : { ageMs: Math.round(alive * 1000 + this.now() - known.requestedMs) }),
    };
  }
}

function bitrateOf({ alive, recv_bytes: bytes, kbps }: SrsClient): number | undefined {
  if (alive !== undefined && alive >= averageSeconds && kbps?.recv_30s) return kbps.recv_30s;
  if (alive === undefined || alive < minMeanSeconds || !bytes) return undefined;
  return Math.round((bytes * 8) / 1000 / alive);
}

function protocolOf(type: string | undefined, tcUrl: string | undefined): string {
  if (type?.startsWith('rtc-')) return 'WHIP';
  if (type?.startsWith('srt-')) return 'SRT';
  if (type?.endsWith('-publish')) return 'RTMP';
  if (tcUrl?.startsWith('webrtc:')) return 'WHIP';
  if (tcUrl?.startsWith('srt:')) return 'SRT';
  if (tcUrl?.startsWith('rtmp')) return 'RTMP';
  return 'published';
}
