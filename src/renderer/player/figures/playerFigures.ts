import type { SeriesId } from '../../../domain/series/series';
import type { FrameCount } from './frameClock';
import type { PlayerInterval, PlayerReading, BufferReading } from './playerStats';
import { lostPercent, type PlayerTotals } from './playerTotals';

/** Figures of the last second; undefined is drawn as an en dash. */
export interface PlayerFigures {
  readonly frameRate?: number;
  readonly bitrateKbps?: number;
  readonly freezes: number;
  readonly frozenMs: number;
  readonly framesDropped?: number;
  readonly jitterMs?: number;
  readonly jitterBufferMs?: number;
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
}

export interface Second {
  readonly seen: FrameCount;
  readonly reading: PlayerReading;
  readonly interval: PlayerInterval;
  readonly totals: PlayerTotals;
  readonly freezes: number;
  readonly frozenMs: number;
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
    freezes: second.freezes,
    frozenMs: second.frozenMs,
    framesDropped: totals.framesDropped,
    jitterMs: reading.jitterMs,
    jitterBufferMs: interval.jitterBufferMs,
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
  };
}

/** Figures without playback: the totals. */
export function figuresAtRest(figures: PlayerFigures | undefined): PlayerFigures | undefined {
  if (!figures) return undefined;
  const { freezes, frozenMs, framesDropped, packetsLost, lostPercent: percent } = figures;
  return { freezes, frozenMs, framesDropped, packetsLost, lostPercent: percent };
}

/** The second as samples of the run, without missing values. */
export function samplesOf(second: Second): Partial<Record<SeriesId, number>> {
  const { seen, reading, interval, totals } = second;
  const all: Partial<Record<SeriesId, number | undefined>> = {
    playerFrameRate: frameRateOf(seen, interval),
    playerBitrateKbps: interval.bitrateKbps,
    playerFreezes: second.freezes,
    playerFrozenMs: seen.frozenMs,
    playerFramesDropped: totals.framesDropped,
    playerJitterMs: reading.jitterMs,
    playerRttMs: reading.rttMs,
    playerPacketsLost: totals.packetsLost,
  };
  const measured: Partial<Record<SeriesId, number>> = {};
  for (const [series, value] of Object.entries(all)) if (value !== undefined) measured[series as SeriesId] = value;
  return measured;
}
