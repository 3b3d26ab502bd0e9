import { audioCodecName, decoderName, videoCodecName } from '../../../domain/text/codecNames';

/** One entry of a getStats report, not validated yet. */
export type StatsEntry = Readonly<Record<string, unknown>>;

/**
 * One getStats report in the units of this project. Counters run since the connection started; values that the browser
 * does not report are undefined.
 */
export interface PlayerReading {
  /** Time of the report, ms. */
  readonly timeMs: number;
  /** RTP payload of video and audio. */
  readonly bytes?: number | undefined;
  readonly packets?: number | undefined;
  readonly packetsLost?: number | undefined;
  readonly framesDecoded?: number | undefined;
  readonly framesDropped?: number | undefined;
  /** Freezes of the frames that the browser rendered, by W3C's rule; durations of those that have ended. */
  readonly freezeCount?: number | undefined;
  readonly freezeDurationMs?: number | undefined;
  readonly pauseCount?: number | undefined;
  readonly jitterMs?: number | undefined;
  readonly rttMs?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly videoCodec?: string | undefined;
  readonly decoder?: string | undefined;
  readonly audioCodec?: string | undefined;
  readonly audioClockHz?: number | undefined;
  readonly jitterBufferDelayMs?: number | undefined;
  readonly jitterBufferFrames?: number | undefined;
  readonly nacks?: number | undefined;
  /** PLI and FIR. */
  readonly keyframeRequests?: number | undefined;
  readonly qpSum?: number | undefined;
  readonly decodeTimeMs?: number | undefined;
  readonly audioSamples?: number | undefined;
  /** Audio samples synthesised in place of missing ones, without those of silence. */
  readonly concealedSamples?: number | undefined;
  /** Times that concealment began. */
  readonly audioGaps?: number | undefined;
  readonly audioJitterBufferDelayMs?: number | undefined;
  readonly audioJitterBufferSamples?: number | undefined;
  /** Sender's time of the audio played now less that of the video; positive if the audio is ahead. */
  readonly avOffsetMs?: number | undefined;
  /** Time of the picture on display by its sender's clock, Unix ms: of sender reports, or of the playlist. */
  readonly senderTimeMs?: number | undefined;
  /** Present for players with a buffer: HLS and FLV. */
  readonly buffer?: BufferReading;
}

/** Figures of a buffering player in place of those of RTP. */
export interface BufferReading {
  /** Bit rate of the current HLS segment: the last second means little if a segment arrives at once. */
  readonly bitrateKbps?: number | undefined;
  /** `1 of 3` */
  readonly level?: string | undefined;
  /** Between the playback position and the end of the playlist. */
  readonly behindLiveMs?: number | undefined;
  readonly bufferMs?: number | undefined;
  /** The playlist lists parts of segments (LL-HLS). */
  readonly hasParts?: boolean;
}

export function numberIn(entry: StatsEntry | undefined, field: string): number | undefined {
  const value = entry?.[field];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function textIn(entry: StatsEntry | undefined, field: string): string | undefined {
  const value = entry?.[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Sum of defined values; undefined if none. */
export function sum(...values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 ? known.reduce((total, value) => total + value, 0) : undefined;
}

function less(value: number | undefined, by: number | undefined): number | undefined {
  return value === undefined || by === undefined ? undefined : value - by;
}

export function inMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

/** Unix time 0 in NTP's time, which counts from 1900 (RFC 5905, 6). */
const unixEpochNtpMs = 2_208_988_800_000;

/** The selected pair: referenced by the transport, since several can be `nominated`. */
export function selectedPair(entries: readonly StatsEntry[]): StatsEntry | undefined {
  const transport = entries.find((entry) => entry['type'] === 'transport');
  const id = textIn(transport, 'selectedCandidatePairId');
  const pairs = entries.filter((entry) => entry['type'] === 'candidate-pair');
  return (
    pairs.find((pair) => id !== undefined && pair['id'] === id) ??
    pairs.find((pair) => pair['nominated'] === true && pair['state'] === 'succeeded')
  );
}

/** Reads a report, for instance `readReport(report.values())`. */
export function readReport(values: Iterable<StatsEntry>): PlayerReading {
  const entries = [...values];
  const inbound = entries.filter((entry) => entry['type'] === 'inbound-rtp');
  const video = inbound.find((entry) => entry['kind'] === 'video');
  const audio = inbound.find((entry) => entry['kind'] === 'audio');
  const codecOf = (rtp: StatsEntry | undefined): StatsEntry | undefined =>
    entries.find((entry) => entry['type'] === 'codec' && rtp !== undefined && entry['id'] === rtp['codecId']);
  const videoCodec = codecOf(video);
  const audioCodec = codecOf(audio);
  return {
    timeMs: numberIn(video ?? audio ?? entries[0], 'timestamp') ?? 0,
    bytes: sum(numberIn(video, 'bytesReceived'), numberIn(audio, 'bytesReceived')),
    packets: sum(numberIn(video, 'packetsReceived'), numberIn(audio, 'packetsReceived')),
    packetsLost: sum(numberIn(video, 'packetsLost'), numberIn(audio, 'packetsLost')),
    framesDecoded: numberIn(video, 'framesDecoded'),
    framesDropped: numberIn(video, 'framesDropped'),
    freezeCount: numberIn(video, 'freezeCount'),
    freezeDurationMs: inMs(numberIn(video, 'totalFreezesDuration')),
    pauseCount: numberIn(video, 'pauseCount'),
    jitterMs: inMs(numberIn(video, 'jitter')),
    rttMs: inMs(numberIn(selectedPair(entries), 'currentRoundTripTime')),
    width: numberIn(video, 'frameWidth'),
    height: numberIn(video, 'frameHeight'),
    videoCodec: videoCodecName(textIn(videoCodec, 'mimeType'), textIn(videoCodec, 'sdpFmtpLine')),
    decoder: decoderName(textIn(video, 'decoderImplementation')),
    audioCodec: audioCodecName(textIn(audioCodec, 'mimeType')),
    audioClockHz: numberIn(audioCodec, 'clockRate'),
    jitterBufferDelayMs: inMs(numberIn(video, 'jitterBufferDelay')),
    jitterBufferFrames: numberIn(video, 'jitterBufferEmittedCount'),
    nacks: numberIn(video, 'nackCount'),
    keyframeRequests: sum(numberIn(video, 'pliCount'), numberIn(video, 'firCount')),
    qpSum: numberIn(video, 'qpSum'),
    decodeTimeMs: inMs(numberIn(video, 'totalDecodeTime')),
    audioSamples: numberIn(audio, 'totalSamplesReceived'),
    concealedSamples: less(numberIn(audio, 'concealedSamples'), numberIn(audio, 'silentConcealedSamples') ?? 0),
    audioGaps: numberIn(audio, 'concealmentEvents'),
    audioJitterBufferDelayMs: inMs(numberIn(audio, 'jitterBufferDelay')),
    audioJitterBufferSamples: numberIn(audio, 'jitterBufferEmittedCount'),
    senderTimeMs: less(numberIn(video, 'estimatedPlayoutTimestamp'), unixEpochNtpMs),
    avOffsetMs: less(numberIn(audio, 'estimatedPlayoutTimestamp'), numberIn(video, 'estimatedPlayoutTimestamp')),
  };
}

/** Figures between two reports of one connection. */
export interface PlayerInterval {
  readonly bitrateKbps: number | undefined;
  readonly decodedFps: number | undefined;
  readonly packets: number | undefined;
  /** Can be negative: a packet counted as lost may still arrive. */
  readonly packetsLost: number | undefined;
  readonly framesDropped: number | undefined;
  readonly freezeCount: number | undefined;
  readonly freezeDurationMs: number | undefined;
  readonly pauseCount: number | undefined;
  /** Mean jitter buffer delay of a frame. */
  readonly jitterBufferMs: number | undefined;
  /** Mean jitter buffer delay of the audio. */
  readonly audioJitterBufferMs: number | undefined;
  readonly nacks: number | undefined;
  readonly keyframeRequests: number | undefined;
  /** Mean quantisation parameter of a frame, in the scale of its codec. */
  readonly qp: number | undefined;
  /** Mean decoding time of a frame. */
  readonly decodeMs: number | undefined;
  readonly audioGaps: number | undefined;
  /** Share of the audio that was concealed. */
  readonly concealedPercent: number | undefined;
}

/** Differences of two readings; undefined if either is missing, or after a counter reset. */
export function intervalBetween(before: PlayerReading | undefined, now: PlayerReading): PlayerInterval {
  const passedMs = before === undefined ? 0 : now.timeMs - before.timeMs;
  const difference = (field: keyof PlayerReading, mayFall = false): number | undefined => {
    const from = before?.[field];
    const to = now[field];
    if (typeof from !== 'number' || typeof to !== 'number' || passedMs <= 0) return undefined;
    return to >= from || mayFall ? to - from : undefined;
  };
  const per = (value: number | undefined, by: number | undefined): number | undefined =>
    value === undefined || by === undefined || by <= 0 ? undefined : value / by;
  const bytes = difference('bytes');
  const concealed = difference('concealedSamples');
  return {
    // Bits per ms are kbit/s.
    bitrateKbps: now.buffer?.bitrateKbps ?? per(bytes === undefined ? undefined : bytes * 8, passedMs),
    decodedFps: per(difference('framesDecoded'), passedMs / 1000),
    packets: difference('packets'),
    packetsLost: difference('packetsLost', true),
    framesDropped: difference('framesDropped'),
    freezeCount: difference('freezeCount'),
    freezeDurationMs: difference('freezeDurationMs'),
    pauseCount: difference('pauseCount'),
    jitterBufferMs: per(difference('jitterBufferDelayMs'), difference('jitterBufferFrames')),
    audioJitterBufferMs: per(difference('audioJitterBufferDelayMs'), difference('audioJitterBufferSamples')),
    nacks: difference('nacks'),
    keyframeRequests: difference('keyframeRequests'),
    qp: per(difference('qpSum'), difference('framesDecoded')),
    decodeMs: per(difference('decodeTimeMs'), difference('framesDecoded')),
    audioGaps: difference('audioGaps'),
    concealedPercent: per(concealed === undefined ? undefined : concealed * 100, difference('audioSamples')),
  };
}
