import { degradedRule } from '../viewer/degraded';

/**
 * Figures of single viewers. Testers report each as a histogram per second, which merge exactly; charts, expectations
 * and exports use the percentiles, which are series of their own.
 */

type Stat = 'P50' | 'P95' | 'P99' | 'Max' | 'P5' | 'P1' | 'Min';

/** Percent of a percentile series; 0 and 100 are the extremes, which are exact. */
export const statPercent: Readonly<Record<Stat, number>> = {
  Min: 0,
  P1: 1,
  P5: 5,
  P50: 50,
  P95: 95,
  P99: 99,
  Max: 100,
};

/** Its median, and the percentiles of its bad side. */
const stats = { high: ['P50', 'P95', 'P99', 'Max'], low: ['P50', 'P5', 'P1', 'Min'] } as const satisfies Readonly<
  Record<string, readonly Stat[]>
>;

export interface DistributionDefinition {
  /** With the unit's ending, the id of the distribution; with a percentile between them, that of a series. */
  readonly name: string;
  readonly ending: 'Ms' | 'Percent' | 'Kbps' | '';
  readonly title: string;
  readonly unit: 'ms' | '%' | 'kbit/s' | 'fps';
  /** Which values are bad. */
  readonly bad: 'high' | 'low';
  /** One sentence: what is measured, of which viewers. */
  readonly meaning: string;
  /** Whose figures they are; absent: those of the viewers of the testers. */
  readonly source?: 'player';
}

function of<N extends string, E extends DistributionDefinition['ending'], B extends 'high' | 'low'>(
  name: N,
  ending: E,
  bad: B,
  title: string,
  unit: DistributionDefinition['unit'],
  meaning: string,
): DistributionDefinition & { readonly name: N; readonly ending: E; readonly bad: B } {
  return { name, ending, title, unit, bad, meaning };
}

const stage = <N extends string>(name: N, title: string, meaning: string) =>
  of(name, 'Ms', 'high', title, 'ms', `${meaning}, of the viewers that got that far in the last second.`);

export const distributions = {
  connectMs: of(
    ...(['connect', 'Ms', 'high', 'Connect', 'ms'] as const),
    'Arrival to first media packet, of the viewers that connected in the last second.',
  ),
  firstFrameMs: of(
    ...(['firstFrame', 'Ms', 'high', 'First frame', 'ms'] as const),
    'Arrival to first complete video frame (audio only: first audio), of the viewers that received it in the last second.',
  ),
  dnsMs: stage('dns', 'DNS lookup', 'Resolution of the name of the server'),
  tcpMs: stage('tcp', 'TCP connect', 'TCP handshake of the signalling or of the stream'),
  tlsMs: stage('tls', 'TLS handshake', 'TLS handshake of the signalling or of the stream'),
  signallingMs: stage('signalling', 'Offer to answer', 'Offer, or request of the stream, to its answer'),
  iceMs: stage('ice', 'ICE', 'Answer to the selected candidate pair'),
  dtlsMs: stage('dtls', 'DTLS', 'Candidate pair to the end of the DTLS handshake'),
  firstPacketMs: stage('firstPacket', 'First packet', 'End of the handshakes to the first media packet'),
  keyframeMs: stage('keyframe', 'Packet to frame', 'First media packet to first complete frame'),
  jitterMs: of(
    ...(['jitter', 'Ms', 'high', 'Jitter', 'ms'] as const),
    'Interarrival jitter of video, else of audio (RFC 3550), over all connected viewers.',
  ),
  rttMs: of(
    ...(['rtt', 'Ms', 'high', 'RTT', 'ms'] as const),
    'Round trip of STUN checks, over TCP by the kernel, over all connected viewers.',
  ),
  viewerLossPercent: of(
    ...(['viewerLoss', 'Percent', 'high', 'Loss per viewer', '%'] as const),
    'Packets missing after repair of those that the viewer expected in the last second.',
  ),
  frameRate: of(
    ...(['frameRate', '', 'low', 'Frame rate', 'fps'] as const),
    'Complete video frames of a viewer in the last second; none of viewers of audio only.',
  ),
  viewerBitrateKbps: of(
    ...(['viewerBitrate', 'Kbps', 'low', 'Bitrate per viewer', 'kbit/s'] as const),
    'Media that the viewer received in the last second.',
  ),
  stallMs: of(
    ...(['stall', 'Ms', 'high', 'Stall length', 'ms'] as const),
    `Gaps of ${degradedRule.stallMs} ms or more without a complete frame that ended in the last second.`,
  ),
  freezeMs: of(
    ...(['freeze', 'Ms', 'high', 'Freeze length (W3C)', 'ms'] as const),
    'Freezes by the rule of W3C webrtc-stats that ended in the last second; of several of one viewer their mean. Agents count whole frames, not rendered ones; over TCP those of 500 ms or more.',
  ),
  senderReportDelayMs: of(
    ...(['senderReportDelay', 'Ms', 'high', 'Delay, reports', 'ms'] as const),
    'Time from when a packet was sent until it arrived, over the viewers that received media in the last second: by RTCP sender reports, which are those of the publisher, or of the server if it rewrites them. Without decoding and display. The clocks of sender and tester must agree.',
  ),
  captureDelayMs: of(
    ...(['captureDelay', 'Ms', 'high', 'Delay, capture', 'ms'] as const),
    'Time from when a frame was captured at the publisher until its packet arrived: by the header extension abs-capture-time, where the server forwards it. The clocks of publisher and tester must agree.',
  ),
  glassToGlassMs: {
    ...of(
      ...(['glassToGlass', 'Ms', 'high', 'Glass-to-glass delay', 'ms'] as const),
      "Time from drawing to displaying a frame, by the clock in the picture: of the frames that browser viewers and the control player displayed in the last second. The clock is that of this window's test pattern, or that of a media file that a tester publishes, whose frames count from when they were sent.",
    ),
    source: 'player',
  },
  turnAllocationMs: of(
    ...(['turnAllocation', 'Ms', 'high', 'TURN allocation', 'ms'] as const),
    'First packet to the TURN server until its relayed address, of the viewers that got one in the last second.',
  ),
  liveLatencyMs: of(
    ...(['liveLatency', 'Ms', 'high', 'Live latency', 'ms'] as const),
    'How far HLS viewers are behind the source, by the times of day in the playlist (EXT-X-PROGRAM-DATE-TIME). The clocks of source and tester must agree.',
  ),
  playerBufferMs: of(
    ...(['playerBuffer', 'Ms', 'low', 'Buffered media', 'ms'] as const),
    'Media that HLS viewers have received and not played yet, over all connected viewers.',
  ),
} as const satisfies Readonly<Record<string, DistributionDefinition>>;

export type DistributionId = keyof typeof distributions;
export const distributionIds = Object.keys(distributions) as readonly DistributionId[];

/** Those that a viewer reports once, when it connects. */
export const arrivalDistributions: readonly DistributionId[] = [
  ...(['connectMs', 'firstFrameMs', 'dnsMs', 'tcpMs', 'tlsMs', 'signallingMs'] as const),
  ...(['iceMs', 'dtlsMs', 'firstPacketMs', 'keyframeMs', 'turnAllocationMs'] as const),
];

type SeriesOf<D extends DistributionDefinition, S extends string> = D['name'] extends 'frameRate'
  ? S extends 'P50'
    ? 'frameRate'
    : `frameRate${S}`
  : `${D['name']}${S}${D['ending']}`;

/** The ids of all percentile series. */
export type PercentileSeriesId = {
  [Id in DistributionId]: SeriesOf<
    (typeof distributions)[Id],
    (typeof stats)[(typeof distributions)[Id]['bad']][number]
  >;
}[DistributionId];

export interface PercentileSeries {
  readonly id: PercentileSeriesId;
  readonly distribution: DistributionId;
  readonly stat: Stat;
}

/** The percentile series of a distribution, its median first. */
export function percentileSeries(distribution: DistributionId): readonly PercentileSeries[] {
  const { name, ending, bad } = distributions[distribution];
  return stats[bad].map((stat) => ({
    // The median frame rate has been called so from the start.
    id: (name === 'frameRate' && stat === 'P50' ? name : `${name}${stat}${ending}`) as PercentileSeriesId,
    distribution,
    stat,
  }));
}

export const allPercentileSeries: readonly PercentileSeries[] = distributionIds.flatMap(percentileSeries);

const byId: ReadonlyMap<string, PercentileSeries> = new Map(
  allPercentileSeries.map((percentile) => [percentile.id, percentile]),
);

/** Which distribution a series is a percentile of; undefined for other series. */
export const percentileSeriesOf = (series: string): PercentileSeries | undefined => byId.get(series);

const eventDistributions: readonly DistributionId[] = [...arrivalDistributions, 'stallMs', 'freezeMs'];

/** Whether a series has a value only in seconds in which something happened: without one nothing is amiss. */
export function isOfEvents(series: string): boolean {
  const { distribution } = percentileSeriesOf(series) ?? {};
  if (distribution) return eventDistributions.includes(distribution);
  return series === 'gcPauseMs' || series === 'browserFirstFrameMs';
}
