import type { SeriesId } from '../../../domain/series/series';
import type { SecondDelays } from '../clock/delayReader';
import { audioDelayMs, audioMos } from './audioMos';
import type { SecondDelay } from './delayFigures';
import type { FrameCount } from './frameClock';
import type { BufferReading, PlayerInterval, PlayerReading } from './playerStats';
import type { PictureFigures } from '../picture/pictureReader';
import type { PictureSecond } from '../picture/pictureWatch.svelte';

/** Figures of the last second; undefined is drawn as an en dash. */
export interface PlayerFigures {
  readonly frameRate?: number;
  readonly bitrateKbps?: number;
  readonly stalls: number;
  readonly stalledMs: number;
  readonly longestStallMs: number;
  readonly reconnects: number;
  readonly framesDropped?: number;
  readonly jitterMs?: number;
  readonly jitterBufferMs?: number;
  readonly nacks?: number;
  readonly keyframeRequests?: number;
  readonly qp?: number;
  readonly decodeMs?: number;
  readonly audioGaps?: number;
  readonly concealedPercent?: number;
  readonly avOffsetMs?: number;
  /** Known for an A/V offset by the clocks in picture and sound; undefined for one by playout timestamps. */
  readonly avOffsetUncertaintyMs?: number;
  readonly mos?: number;
  readonly rttMs?: number;
  readonly packetsLost?: number;
  readonly lostPercent?: number;
  readonly width?: number;
  readonly height?: number;
  readonly videoCodec?: string;
  readonly decoder?: string;
  readonly audioCodec?: string;
  readonly audioClockHz?: number;
  readonly buffer?: BufferReading;
  readonly picture?: PictureFigures;
}

export interface Second extends SecondDelay {
  readonly seen: FrameCount;
  readonly reading: PlayerReading;
  readonly interval: PlayerInterval;
  readonly totals: PlayerTotals;
  readonly stalls: number;
  readonly stalledMs: number;
  readonly longestStallMs: number;
  /** Times that playback was interrupted since it started. */
  readonly reconnects: number;
  readonly delays: SecondDelays;
  /** Of the frames whose clock was read, in the order of their display. */
  readonly delaysMs: readonly number[];
  /** The frame displayed at its end. */
  readonly picture?: PictureSecond | undefined;
}

/** By the clocks in picture and sound, if the sound has one; else by playout timestamps, never by both in turn. */
function avOffsetOf({ delays, reading }: Second): number | undefined {
  return delays.hasSoundClock ? delays.avOffset?.ms : reading.avOffsetMs;
}

/** Estimated for WebRTC audio only: other protocols do not report concealment. */
function mosOf({ reading, interval }: Second): number | undefined {
  const { concealedPercent, audioJitterBufferMs } = interval;
  if (concealedPercent === undefined || audioJitterBufferMs === undefined) return undefined;
  return audioMos(audioDelayMs(reading.rttMs ?? 0, audioJitterBufferMs), concealedPercent);
}

/** Presented frames while visible, else decoded frames. */
function frameRateOf(seen: FrameCount, interval: PlayerInterval): number | undefined {
  return seen.fps ?? interval.decodedFps;
}

export function figuresOf(second: Second): PlayerFigures {
  const { reading, interval, totals } = second;
  return {
    frameRate: frameRateOf(second.seen, interval),
    bitrateKbps: interval.bitrateKbps,
    stalls: second.stalls,
    stalledMs: second.stalledMs,
    longestStallMs: second.longestStallMs,
    reconnects: second.reconnects,
    framesDropped: totals.framesDropped,
    jitterMs: reading.jitterMs,
    jitterBufferMs: interval.jitterBufferMs,
    nacks: totals.nacks,
    keyframeRequests: totals.keyframeRequests,
    qp: interval.qp,
    decodeMs: interval.decodeMs,
    audioGaps: totals.audioGaps,
    concealedPercent: interval.concealedPercent,
    avOffsetMs: avOffsetOf(second),
    avOffsetUncertaintyMs: second.delays.avOffset?.uncertaintyMs,
    mos: mosOf(second),
    rttMs: reading.rttMs,
    packetsLost: totals.packetsLost,
    lostPercent: lostPercent(totals),
    width: reading.width,
    height: reading.height,
    videoCodec: reading.videoCodec,
    decoder: reading.decoder,
    audioCodec: reading.audioCodec,
    audioClockHz: reading.audioClockHz,
    buffer: reading.buffer,
    picture: second.picture,
  };
}

/** Figures without playback: the totals. */
export function figuresAtRest(figures: PlayerFigures | undefined): PlayerFigures | undefined {
  if (!figures) return undefined;
  const { stalls, stalledMs, longestStallMs, reconnects, framesDropped, packetsLost, lostPercent: percent } = figures;
  const { nacks, keyframeRequests, audioGaps } = figures;
  return {
    ...{ stalls, stalledMs, longestStallMs, reconnects, framesDropped, packetsLost, lostPercent: percent },
    ...{ nacks, keyframeRequests, audioGaps },
  };
}

/** The second as samples of the run, without missing values. */
export function samplesOf(second: Second): Partial<Record<SeriesId, number>> {
  const { seen, reading, interval, totals, picture } = second;
  const all: Partial<Record<SeriesId, number | undefined>> = {
    playerFrameRate: frameRateOf(seen, interval),
    playerBitrateKbps: interval.bitrateKbps,
    playerFreezes: second.stalls,
    playerFrozenMs: seen.stalledMs,
    playerFreezeCount: totals.freezeCount,
    playerFreezeDurationMs: totals.freezeDurationMs,
    playerPauseCount: totals.pauseCount,
    playerFramesDropped: totals.framesDropped,
    playerJitterMs: reading.jitterMs,
    playerRttMs: reading.rttMs,
    playerPacketsLost: totals.packetsLost,
    playerLongestFreezeMs: second.longestStallMs,
    playerReconnects: second.reconnects,
    playerFrameHeight: reading.height,
    playerJitterBufferMs: interval.jitterBufferMs,
    playerNacks: totals.nacks,
    playerKeyframeRequests: totals.keyframeRequests,
    playerQp: interval.qp,
    playerDecodeMs: interval.decodeMs,
    playerAudioGaps: totals.audioGaps,
    playerConcealedPercent: interval.concealedPercent,
    playerAvOffsetMs: avOffsetOf(second),
    playerAudioMos: mosOf(second),
    playerDelayMs: second.delays.delayMs,
    playerDelayJitterMs: second.jitterMs,
    playerPipelineDelayMs: second.pipelineMs,
    playerAudioDelayMs: second.delays.audioDelayMs,
    playerBufferedMs: reading.buffer?.bufferMs,
    playerBehindLiveMs: reading.buffer?.behindLiveMs,
    playerSsim: picture?.ssim,
    playerPsnrDb: picture?.psnrDb,
    playerBlockiness: picture?.blockiness,
    playerBlur: picture?.blur,
  };
  const measured: Partial<Record<SeriesId, number>> = {};
  for (const [series, value] of Object.entries(all)) if (value !== undefined) measured[series as SeriesId] = value;
  return measured;
}

/** Counters of the control player since it started on a stream, over all its connections. */
interface PlayerTotals {
  readonly framesDropped: number | undefined;
  readonly freezeCount: number | undefined;
  readonly freezeDurationMs: number | undefined;
  readonly pauseCount: number | undefined;
  readonly packets: number | undefined;
  readonly packetsLost: number | undefined;
  readonly nacks: number | undefined;
  readonly keyframeRequests: number | undefined;
  readonly audioGaps: number | undefined;
}

const counters = [
  'framesDropped',
  'freezeCount',
  'freezeDurationMs',
  'pauseCount',
  'packets',
  'packetsLost',
  'nacks',
  'keyframeRequests',
  'audioGaps',
] as const;

const fromCounters = (value: (counter: (typeof counters)[number]) => number | undefined): PlayerTotals =>
  Object.fromEntries(counters.map((counter) => [counter, value(counter)])) as unknown as PlayerTotals;

export const noTotals: PlayerTotals = fromCounters(() => undefined);

function plus(total: number | undefined, more: number | undefined): number | undefined {
  return more === undefined ? total : (total ?? 0) + more;
}

export function addInterval(totals: PlayerTotals, interval: PlayerInterval): PlayerTotals {
  return fromCounters((counter) => plus(totals[counter], interval[counter]));
}

/** Packets lost of those expected, in percent; undefined until packets were counted. */
export function lostPercent({ packets, packetsLost }: PlayerTotals): number | undefined {
  if (packets === undefined || packetsLost === undefined) return undefined;
  const expected = packets + packetsLost;
  return expected > 0 ? (100 * Math.max(0, packetsLost)) / expected : undefined;
}
