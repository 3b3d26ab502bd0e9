import { videoCodecName } from '../../../domain/text/codecNames';
import { inMs, numberIn, selectedPair, sum, textIn, type StatsEntry } from '../figures/playerStats';
import { layerRank } from './mediaRules';

/** What limits the quality, as `qualityLimitationReason` of W3C webrtc-stats. */
export const limitations = ['cpu', 'bandwidth', 'other'] as const;
export type Limitation = (typeof limitations)[number];

/** Sent video: one layer, or all of it without simulcast. Counters run since the start. */
interface LayerReading {
  /** Its rid; undefined without simulcast. */
  readonly name: string | undefined;
  readonly bytes: number | undefined;
  readonly frames: number | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly codec: string | undefined;
  readonly encoder: string | undefined;
  /** Packets sent again on request. */
  readonly retransmissions: number | undefined;
  readonly nacks: number | undefined;
  /** PLI and FIR. */
  readonly keyframeRequests: number | undefined;
  /** What limits it now; undefined if nothing does. */
  readonly limitedBy: Limitation | undefined;
  /** How long each reason held, and nothing (`none`). */
  readonly limitedMs: Readonly<Partial<Record<Limitation | 'none', number>>>;
}

/** What a publication has sent, at one time. */
export interface PublisherReading {
  /** On any steady clock, the same for all readings. */
  readonly timeMs: number;
  /** Video and audio, with headers of RTP or the container. */
  readonly bytes: number | undefined;
  /** The largest first. */
  readonly layers: readonly LayerReading[];
  readonly rttMs?: number | undefined;
  /** By the server's latest report about each layer, the worst. */
  readonly lossPercent?: number | undefined;
}

export interface LayerFigures extends Omit<LayerReading, 'bytes' | 'frames' | 'limitedMs'> {
  readonly fps: number | undefined;
  readonly bitrateKbps: number | undefined;
  /** Share of the time since the start in which each reason limited it; undefined without any time. */
  readonly limitedPercent: Readonly<Record<Limitation, number>> | undefined;
}

/** Figures of a publication; undefined is drawn as an en dash. */
export interface PublisherFigures {
  /** The largest first. */
  readonly layers: readonly LayerFigures[];
  /** Frame rate of the fastest layer. */
  readonly fps: number | undefined;
  /** Video and audio, with headers of RTP or the container. */
  readonly bitrateKbps: number | undefined;
  readonly rttMs: number | undefined;
  readonly lossPercent: number | undefined;
  /** Between the two readings: sums over the layers. */
  readonly retransmissions: number | undefined;
  readonly keyframeRequests: number | undefined;
  /** Share of the time between the two readings in which the most limited layer was limited. */
  readonly limitedPercent: number | undefined;
}

const isLimitation = (text: string | undefined): text is Limitation =>
  (limitations as readonly (string | undefined)[]).includes(text);

function limitedMsOf(video: StatsEntry): LayerReading['limitedMs'] {
  const durations = video['qualityLimitationDurations'];
  if (typeof durations !== 'object' || durations === null) return {};
  const known = (['none', ...limitations] as const).flatMap((reason) => {
    const ms = inMs(numberIn(durations as StatsEntry, reason));
    return ms === undefined ? [] : [[reason, ms] as const];
  });
  return Object.fromEntries(known);
}

function layerOf(video: StatsEntry, entries: readonly StatsEntry[]): LayerReading {
  const codec = entries.find((entry) => entry['type'] === 'codec' && entry['id'] === video['codecId']);
  const limit = textIn(video, 'qualityLimitationReason');
  return {
    name: textIn(video, 'rid'),
    bytes: numberIn(video, 'bytesSent'),
    frames: numberIn(video, 'framesSent'),
    width: numberIn(video, 'frameWidth'),
    height: numberIn(video, 'frameHeight'),
    codec: videoCodecName(textIn(codec, 'mimeType'), textIn(codec, 'sdpFmtpLine')),
    encoder: textIn(video, 'encoderImplementation'),
    retransmissions: numberIn(video, 'retransmittedPacketsSent'),
    nacks: numberIn(video, 'nackCount'),
    keyframeRequests: sum(numberIn(video, 'pliCount'), numberIn(video, 'firCount')),
    limitedBy: isLimitation(limit) ? limit : undefined,
    limitedMs: limitedMsOf(video),
  };
}

const highest = (values: readonly (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
};

/** Reads a getStats report, for instance `publisherReading(report.values())`. */
export function publisherReading(values: Iterable<StatsEntry>): PublisherReading {
  const entries = [...values];
  const outbound = entries.filter((entry) => entry['type'] === 'outbound-rtp');
  const videos = outbound.filter((entry) => entry['kind'] === 'video');
  const reports = entries.filter((entry) => entry['type'] === 'remote-inbound-rtp' && entry['kind'] === 'video');
  const lost = highest(reports.map((entry) => numberIn(entry, 'fractionLost')));
  const layers = videos.map((video) => layerOf(video, entries));
  return {
    timeMs: numberIn(outbound[0], 'timestamp') ?? 0,
    bytes: sum(...outbound.flatMap((entry) => [numberIn(entry, 'bytesSent'), numberIn(entry, 'headerBytesSent')])),
    // Not by the size, which a paused layer has not.
    layers: layers.sort((a, b) => layerRank(b.name) - layerRank(a.name)),
    rttMs: inMs(
      numberIn(selectedPair(entries), 'currentRoundTripTime') ??
        highest(reports.map((entry) => numberIn(entry, 'roundTripTime'))),
    ),
    lossPercent: lost === undefined ? undefined : lost * 100,
  };
}

function shares(limitedMs: LayerReading['limitedMs']): LayerFigures['limitedPercent'] {
  const all = sum(...Object.values(limitedMs)) ?? 0;
  if (all <= 0) return undefined;
  const share = (reason: Limitation): number => (100 * (limitedMs[reason] ?? 0)) / all;
  return { cpu: share('cpu'), bandwidth: share('bandwidth'), other: share('other') };
}

/** Figures between two readings; rates are undefined until there are two. */
export function publisherFigures(before: PublisherReading | undefined, now: PublisherReading): PublisherFigures {
  const passedMs = before === undefined ? 0 : now.timeMs - before.timeMs;
  const grown = (from: number | undefined, to: number | undefined): number | undefined =>
    from === undefined || to === undefined || passedMs <= 0 || to < from ? undefined : to - from;
  const rate = (from: number | undefined, to: number | undefined): number | undefined => {
    const more = grown(from, to);
    return more === undefined ? undefined : more / passedMs;
  };
  const kbps = (bytesPerMs: number | undefined): number | undefined =>
    bytesPerMs === undefined ? undefined : bytesPerMs * 8;
  const pairs = now.layers.map((layer) => ({
    layer,
    old: before?.layers.find(({ name }) => name === layer.name),
  }));
  const layers = pairs.map(({ layer: { bytes, frames, limitedMs, ...layer }, old }): LayerFigures => {
    const framesPerMs = rate(old?.frames, frames);
    return {
      ...layer,
      fps: framesPerMs === undefined ? undefined : framesPerMs * 1000,
      bitrateKbps: kbps(rate(old?.bytes, bytes)),
      limitedPercent: shares(limitedMs),
    };
  });
  const limited = pairs.map(({ layer, old }) => {
    const grownMs = limitations.map((reason) => grown(old?.limitedMs[reason], layer.limitedMs[reason]));
    const ms = sum(...grownMs);
    return ms === undefined ? undefined : Math.min(100, (100 * ms) / passedMs);
  });
  return {
    layers,
    fps: highest(layers.map(({ fps }) => fps)),
    bitrateKbps: kbps(rate(before?.bytes, now.bytes)),
    rttMs: now.rttMs,
    lossPercent: now.lossPercent,
    retransmissions: sum(...pairs.map(({ layer, old }) => grown(old?.retransmissions, layer.retransmissions))),
    keyframeRequests: sum(...pairs.map(({ layer, old }) => grown(old?.keyframeRequests, layer.keyframeRequests))),
    limitedPercent: highest(limited),
  };
}
