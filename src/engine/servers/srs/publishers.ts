import type { SrsClient, SrsStream } from './answers';
import type { SrsApi } from './srsApi';

/** A stream's publisher is looked at this often: its bitrate changes slowly, and SRS answers one at a time. */
const againMs = 5000;
/** Of many streams only so many are looked at in one beat. */
const mostPerBeat = 8;
/** SRS's 30 s average needs that long to fill. */
const averageSeconds = 30;
/** Over less time a mean says more of the handshake than of the stream. */
const leastMeanSeconds = 2;

interface Known {
  readonly client: SrsClient | undefined;
  readonly askedMs: number;
}

export interface Publisher {
  /** e.g. `WHIP · 10.0.0.9`. */
  readonly source: string;
  readonly bitrateKbps?: number;
  readonly ageMs?: number;
}

/**
 * Who publishes each stream. What SRS says of a stream's incoming bitrate counts its viewers' RTCP and handshakes too (twice the
 * real one was seen with 200 viewers), so the publisher itself is asked for.
 */
export class Publishers {
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly api: SrsApi,
    private readonly now: () => number,
  ) {}

  /** Rejects when SRS can't be asked. */
  async refresh(streams: readonly SrsStream[]): Promise<void> {
    const ids = new Set(
      streams.flatMap(({ publish }) => (publish?.active && publish.cid ? [publish.cid] : [])),
    );
    for (const id of [...this.known.keys()]) if (!ids.has(id)) this.known.delete(id);
    const due = [...ids]
      .map((id) => ({ id, askedMs: this.known.get(id)?.askedMs ?? -Infinity }))
      .filter(({ askedMs }) => this.now() - askedMs >= againMs)
      .sort((a, b) => a.askedMs - b.askedMs)
      .slice(0, mostPerBeat);
    for (const { id } of due) {
      const client = await this.api.client(id).catch((error: unknown) => {
        // It left between the two answers.
        if ((error as { code?: unknown }).code === 'srs-2049') return undefined;
        throw error;
      });
      this.known.set(id, { client, askedMs: this.now() });
    }
  }

  of({ publish, tcUrl }: SrsStream): Publisher {
    if (!publish?.active) return { source: 'no publisher' };
    const known = publish.cid === undefined ? undefined : this.known.get(publish.cid);
    const client = known?.client;
    const protocol = protocolOf(client?.type, tcUrl);
    const { alive } = client ?? {};
    const bitrateKbps = client && bitrateOf(client);
    return {
      source: [protocol, client?.ip].filter(Boolean).join(' · '),
      ...(bitrateKbps === undefined ? {} : { bitrateKbps }),
      ...(alive === undefined || !known
        ? {}
        : { ageMs: Math.round(alive * 1000 + this.now() - known.askedMs) }),
    };
  }
}

function bitrateOf({ alive, recv_bytes: bytes, kbps }: SrsClient): number | undefined {
  if (alive !== undefined && alive >= averageSeconds && kbps?.recv_30s) return kbps.recv_30s;
  if (alive === undefined || alive < leastMeanSeconds || !bytes) return undefined;
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
