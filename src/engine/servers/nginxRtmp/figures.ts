import { noPublisher, type StreamView } from '../../../domain/model/node';
import { CounterRate } from '../../../domain/series/counterRate';
import type { SeriesId } from '../../../domain/series/series';
import type { Stat, StatStream } from './stat';
import { writeName } from './nginxAddresses';

/** Half of the time between two pages. */
const minIntervalMs = 500;

interface Before {
  readonly stat: Stat;
  readonly atMs: number;
}

const nameOf = ({ app, name, server }: StatStream): string => writeName({ app, stream: name, server });

/** The figures of one stat page compared with an earlier one. */
export class Figures {
  private before: Before | undefined;
  /** The page that the latest one was compared with. */
  private compared: Stat | undefined;
  /** The time of the latest page by nginx's own clock where known, from an arbitrary start. */
  private clockMs = 0;
  private sent = new CounterRate({ isLive: true });
  private received = new CounterRate({ isLive: true });

  /** `atMs` is when the page was received. */
  take(
    stat: Stat,
    atMs: number,
  ): { readonly values: Partial<Record<SeriesId, number>>; readonly streams: StreamView[] } {
    const before = this.before && isSameProcess(this.before.stat, stat) ? this.before : undefined;
    const elapsedMs = before ? elapsed(before, stat, atMs) : 0;
    if (!before) [this.sent, this.received] = [new CounterRate({ isLive: true }), new CounterRate({ isLive: true })];
    const clockMs = this.clockMs + elapsedMs;
    // Two pages of the same time yield no rate: the second is compared with the predecessor of the first.
    const isAgain = before !== undefined && elapsedMs < minIntervalMs;
    const compared = isAgain ? this.compared : before?.stat;
    if (!isAgain) {
      this.before = { stat, atMs };
      this.compared = compared;
      this.clockMs = clockMs;
    }
    const out = this.sent.read(clockMs, stat.bytesOut);
    const incoming = this.received.read(clockMs, stat.bytesIn);
    const earlier = new Map(compared?.streams.map((stream) => [nameOf(stream), stream]));
    const streams = stat.streams.map((stream) => streamView(stat, stream, earlier.get(nameOf(stream))));
    const degraded = compared && streams.reduce((sum, stream) => sum + (stream.degraded ?? 0), 0);
    return {
      values: {
        originViewers: streams.reduce((sum, { viewers }) => sum + (viewers ?? 0), 0),
        originStreams: stat.streams.filter(({ isPublished }) => isPublished).length,
        originConnections: stat.clients,
        ...(degraded === undefined ? {} : { originDegraded: degraded }),
        ...(out === undefined ? {} : { originOutMbps: (out * 8) / 1e6 }),
        ...(incoming === undefined ? {} : { originInMbps: (incoming * 8) / 1e6 }),
      },
      streams,
    };
  }
}

/** Each worker has its own counters, and they start over when nginx restarts. */
function isSameProcess(before: Stat, stat: Stat): boolean {
  return before.pid === stat.pid && stat.bytesOut >= before.bytesOut && stat.bytesIn >= before.bytesIn;
}

/** By nginx's own clock where a stream is on both pages: response delays vary. */
function elapsed({ stat: before, atMs: beforeMs }: Before, stat: Stat, atMs: number): number {
  for (const { app, name, server, ageMs } of stat.streams) {
    const same = before.streams.find(
      (stream) => stream.app === app && stream.name === name && stream.server === server,
    );
    if (same?.ageMs !== undefined && ageMs !== undefined && ageMs > same.ageMs) return ageMs - same.ageMs;
  }
  return atMs - beforeMs;
}

function streamView({ module }: Stat, stream: StatStream, before: StatStream | undefined): StreamView {
  const { video, audioCodec, publishedForMs, isPublished } = stream;
  const bitrateKbps = isPublished ? bitrate(stream) : undefined;
  const degraded = before && countDropping(stream, before);
  return {
    stream: nameOf(stream),
    source: isPublished ? ['RTMP', stream.publisherAddress].filter(Boolean).join(' · ') : noPublisher,
    viewers: stream.viewerCount,
    ...(module === 'nginx-http-flv' ? viewersBy(stream) : {}),
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

/** nginx-rtmp's viewers are all over RTMP; neither module counts those of HLS and DASH. */
function viewersBy({ viewers, viewerCount }: StatStream): Pick<StreamView, 'viewersBy'> {
  if (viewers.length < viewerCount) return {}; // a page without clients
  const flv = viewers.filter(({ isFlv }) => isFlv).length;
  return { viewersBy: { rtmp: viewers.length - flv, 'http-flv': flv } };
}

/** Viewers to which nginx dropped frames since the previous page, since they did not read them in time. */
function countDropping(stream: StatStream, before: StatStream): number | undefined {
  if (stream.viewers.length < stream.viewerCount) return undefined; // a page without clients
  const earlier = new Map(before.viewers.map(({ id, dropped }) => [id, dropped]));
  return stream.viewers.filter(({ id, dropped }) => dropped > (earlier.get(id) ?? 0)).length;
}

/** Over less time a mean reflects the first keyframe and the handshake more than the stream. */
const minMeanMs = 2000;

/** nginx's mean of 10 s; in the first ten, the mean since the publisher connected. */
function bitrate({ bwInBps, bytesIn, publishedForMs = 0 }: StatStream): number | undefined {
  if (bwInBps > 0) return Math.round(bwInBps / 1000);
  return publishedForMs >= minMeanMs && bytesIn > 0 ? Math.round((bytesIn * 8) / publishedForMs) : undefined;
}
