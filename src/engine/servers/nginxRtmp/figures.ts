import type { StreamView } from '../../../domain/node';
import type { SeriesId } from '../../../domain/series';
import type { Stat, StatStream } from './stat';
import { writeName } from './streamName';

interface Before {
  readonly stat: Stat;
  readonly atMs: number;
}

const nameOf = ({ app, name, server }: StatStream): string => writeName({ app, stream: name, server });

/** What one stat page and the one before it say. */
export class Figures {
  private before: Before | undefined;

  /** `atMs` is when the page came. */
  take(
    stat: Stat,
    atMs: number,
  ): { readonly values: Partial<Record<SeriesId, number>>; readonly streams: StreamView[] } {
    const before = this.before && isSameProcess(this.before.stat, stat) ? this.before : undefined;
    this.before = { stat, atMs };
    const earlier = new Map(before?.stat.streams.map((stream) => [nameOf(stream), stream]));
    const streams = stat.streams.map((stream) => streamView(stream, earlier.get(nameOf(stream))));
    const elapsedMs = before && elapsed(before, stat, atMs);
    const degraded = before && streams.reduce((sum, each) => sum + (each.degraded ?? 0), 0);
    return {
      values: {
        originViewers: streams.reduce((sum, { viewers }) => sum + (viewers ?? 0), 0),
        originStreams: stat.streams.filter(({ isPublished }) => isPublished).length,
        originConnections: stat.clients,
        ...(degraded === undefined ? {} : { originDegraded: degraded }),
        ...(before && elapsedMs
          ? {
              originOutMbps: ((stat.bytesOut - before.stat.bytesOut) * 8) / 1000 / elapsedMs,
              originInMbps: ((stat.bytesIn - before.stat.bytesIn) * 8) / 1000 / elapsedMs,
            }
          : {}),
      },
      streams,
    };
  }
}

/** Workers count each for itself, and a restarted nginx anew. */
function isSameProcess(before: Stat, stat: Stat): boolean {
  return before.pid === stat.pid && stat.bytesOut >= before.bytesOut && stat.bytesIn >= before.bytesIn;
}

/** By nginx's own clock where a stream is on both pages: the way of an answer to us is not always as long. */
function elapsed({ stat: before, atMs: beforeMs }: Before, stat: Stat, atMs: number): number {
  for (const { app, name, server, ageMs } of stat.streams) {
    const same = before.streams.find(
      (each) => each.app === app && each.name === name && each.server === server,
    );
    if (same?.ageMs !== undefined && ageMs !== undefined && ageMs > same.ageMs) return ageMs - same.ageMs;
  }
  return atMs - beforeMs;
}

function streamView(stream: StatStream, before: StatStream | undefined): StreamView {
  const { video, audioCodec, publishedForMs, isPublished } = stream;
  const bitrateKbps = isPublished ? bitrate(stream) : undefined;
  const degraded = before && countDropping(stream, before);
  return {
    stream: nameOf(stream),
    source: isPublished ? ['RTMP', stream.publisherAddress].filter(Boolean).join(' · ') : 'no publisher',
    viewers: stream.viewerCount,
    ...(degraded === undefined ? {} : { degraded }),
    ...(video?.codec ? { videoCodec: video.codec } : {}),
    ...(audioCodec ? { audioCodec } : {}),
    ...(video?.width ? { width: video.width } : {}),
    ...(video?.height ? { height: video.height } : {}),
    ...(video?.fps ? { fps: video.fps } : {}),
    ...(bitrateKbps === undefined ? {} : { bitrateKbps }),
    ...(publishedForMs === undefined ? {} : { ageMs: publishedForMs }),
  };
}

/** Viewers that nginx has kept frames from since the page before, since they did not take them in time. */
function countDropping(stream: StatStream, before: StatStream): number | undefined {
  if (stream.viewers.length < stream.viewerCount) return undefined; // a page without clients
  const earlier = new Map(before.viewers.map(({ id, dropped }) => [id, dropped]));
  return stream.viewers.filter(({ id, dropped }) => dropped > (earlier.get(id) ?? 0)).length;
}

/** Over less time a mean says more of the first keyframe and of the handshake than of the stream. */
const leastMeanMs = 2000;

/** nginx's mean of 10 s; in the first ten, the mean since the publisher came. */
function bitrate({ bwInBps, bytesIn, publishedForMs = 0 }: StatStream): number | undefined {
  if (bwInBps > 0) return Math.round(bwInBps / 1000);
  return publishedForMs >= leastMeanMs && bytesIn > 0
    ? Math.round((bytesIn * 8) / publishedForMs)
    : undefined;
}
