import { videoCodecName } from '../figures/codecNames';
import type { StatsEntry } from '../figures/playerStats';

/** Sent video in a getStats report. */
export interface PublisherReading {
  readonly timeMs: number;
  readonly bytes: number | undefined;
  readonly frames: number | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly codec: string | undefined;
  readonly encoder: string | undefined;
  /** Quality limitation reason: `cpu`, `bandwidth`, `other`; undefined if not limited. */
  readonly limitedBy: string | undefined;
}

/** Figures of a publication, for its job row; undefined is drawn as an en dash. */
export interface PublisherFigures extends Omit<PublisherReading, 'timeMs' | 'bytes' | 'frames'> {
  readonly fps: number | undefined;
  /** Video and audio RTP payload. */
  readonly bitrateKbps: number | undefined;
}

export function publisherReading(values: Iterable<StatsEntry>): PublisherReading {
  const entries = [...values];
  const outbound = entries.filter((entry) => entry['type'] === 'outbound-rtp');
  const video = outbound.find((entry) => entry['kind'] === 'video');
  const codec = entries.find(
    (entry) => entry['type'] === 'codec' && video !== undefined && entry['id'] === video['codecId'],
  );
  const bytes = outbound.flatMap((entry) => (typeof entry['bytesSent'] === 'number' ? [entry['bytesSent']] : []));
  const number = (field: string): number | undefined => {
    const value = video?.[field];
    return typeof value === 'number' ? value : undefined;
  };
  const text = (entry: StatsEntry | undefined, field: string): string | undefined => {
    const value = entry?.[field];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const limit = text(video, 'qualityLimitationReason');
  return {
    timeMs: number('timestamp') ?? 0,
    bytes: bytes.length > 0 ? bytes.reduce((total, value) => total + value, 0) : undefined,
    frames: number('framesSent'),
    width: number('frameWidth'),
    height: number('frameHeight'),
    codec: videoCodecName(text(codec, 'mimeType'), text(codec, 'sdpFmtpLine')),
    encoder: text(video, 'encoderImplementation'),
    limitedBy: limit === 'none' ? undefined : limit,
  };
}

/** Figures between two readings; rates are undefined until there are two. */
export function publisherFigures(before: PublisherReading | undefined, now: PublisherReading): PublisherFigures {
  const passedMs = before === undefined ? 0 : now.timeMs - before.timeMs;
  const rate = (field: 'bytes' | 'frames'): number | undefined => {
    const from = before?.[field];
    const to = now[field];
    return from === undefined || to === undefined || passedMs <= 0 || to < from ? undefined : (to - from) / passedMs;
  };
  const framesPerMs = rate('frames');
  const bytesPerMs = rate('bytes');
  return {
    fps: framesPerMs === undefined ? undefined : framesPerMs * 1000,
    bitrateKbps: bytesPerMs === undefined ? undefined : bytesPerMs * 8,
    width: now.width,
    height: now.height,
    codec: now.codec,
    encoder: now.encoder,
    limitedBy: now.limitedBy,
  };
}
