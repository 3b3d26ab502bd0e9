import { bytesOfFloat, bytesOfNumber, bytesOfText, element, type Element, ids, joined } from './ebml';
import type { WebmTrack } from './webmReader';

/** A frame of a clip, `timeMs` since its start. */
export interface ClipFrame {
  readonly kind: WebmTrack['kind'];
  readonly timeMs: number;
  readonly isKey: boolean;
  readonly data: Uint8Array;
}

/** Block times are relative to their cluster, in 16 bits with a sign. */
const maxClusterMs = 30_000;
const nanosecondsPerMs = 1e6;
const avc = 'V_MPEG4/ISO/AVC';
const numbers: Readonly<Record<WebmTrack['kind'], number>> = { video: 1, audio: 2 };

/**
 * One WebM file of these frames, in order of time, with its duration and an index of the keyframes, so that players can
 * seek. Video with H.264 is Matroska, which Chromium plays as WebM too.
 */
export function writeWebm(tracks: readonly WebmTrack[], given: readonly ClipFrame[], durationMs: number): Uint8Array {
  const { frames, config } = readyFrames(tracks, given);
  const header = element(
    ids.ebml,
    ...[element(ids.ebmlVersion, bytesOfNumber(1)), element(ids.ebmlReadVersion, bytesOfNumber(1))],
    ...[element(ids.ebmlMaxIdLength, bytesOfNumber(4)), element(ids.ebmlMaxSizeLength, bytesOfNumber(8))],
    element(ids.docType, bytesOfText(tracks.some(({ codec }) => codec === avc) ? 'matroska' : 'webm')),
    ...[element(ids.docTypeVersion, bytesOfNumber(4)), element(ids.docTypeReadVersion, bytesOfNumber(2))],
  );
  const info = element(
    ids.info,
    element(ids.timestampScale, bytesOfNumber(nanosecondsPerMs)),
    element(ids.duration, bytesOfFloat(durationMs)),
    ...[element(ids.muxingApp, bytesOfText('Fullhouse')), element(ids.writingApp, bytesOfText('Fullhouse'))],
  );
  const entries = element(ids.tracks, ...tracks.map((track) => entryOf(track, config)));
  const clusters = clustersOf(frames);
  // Positions have a fixed length, so the index has the same size with any of them.
  const index = (from: number): Uint8Array => cuesOf(clusters, from);
  const before = info.length + entries.length;
  const cues = index(before + index(0).length);
  return joined([header, element(ids.segment, info, entries, cues, ...clusters.map(({ bytes }) => bytes))]);
}

/** H.264 of a byte stream gets lengths and a configuration; other frames stay as they are. */
function readyFrames(
  tracks: readonly WebmTrack[],
  frames: readonly ClipFrame[],
): { frames: readonly ClipFrame[]; config: Uint8Array | undefined } {
  const video = tracks.find(({ kind }) => kind === 'video');
  const isByteStream = video?.codec === avc && !video.entry.some(({ id }) => id === ids.codecPrivate);
  if (!isByteStream) return { frames, config: undefined };
  let config: Uint8Array | undefined;
  const ready = frames.map((frame) => {
    const units = frame.kind === 'video' ? nalUnits(frame.data) : undefined;
    if (!units) return frame;
    if (frame.isKey) config ??= avcConfig(units);
    return { ...frame, data: withLengths(units) };
  });
  return { frames: ready, config };
}

function entryOf({ kind, entry }: WebmTrack, config: Uint8Array | undefined): Uint8Array {
  const own: ReadonlySet<number> = new Set([ids.trackNumber, ids.trackUid]);
  const others = entry.filter(({ id }) => !own.has(id)).map(({ id, content }: Element) => element(id, content));
  const number = bytesOfNumber(numbers[kind]);
  return element(
    ids.trackEntry,
    ...[element(ids.trackNumber, number), element(ids.trackUid, number), ...others],
    ...(kind === 'video' && config ? [element(ids.codecPrivate, config)] : []),
  );
}

interface Cluster {
  readonly timeMs: number;
  readonly hasKey: boolean;
  readonly bytes: Uint8Array;
}

/** One from each keyframe to the next. */
function clustersOf(frames: readonly ClipFrame[]): Cluster[] {
  const groups: ClipFrame[][] = [];
  for (const frame of frames) {
    const group = groups.at(-1);
    const isNext = frame.kind === 'video' && frame.isKey;
    if (!group || isNext || frame.timeMs - (group[0]?.timeMs ?? 0) > maxClusterMs) groups.push([frame]);
    else group.push(frame);
  }
  return groups.map((group) => {
    const timeMs = Math.round(group[0]?.timeMs ?? 0);
    const blocks = group.map((frame) => blockOf(frame, timeMs));
    return {
      timeMs,
      hasKey: group[0]?.kind === 'video' && group[0].isKey,
      bytes: element(ids.cluster, element(ids.timestamp, bytesOfNumber(timeMs)), ...blocks),
    };
  });
}

function blockOf({ kind, timeMs, isKey, data }: ClipFrame, clusterMs: number): Uint8Array {
  const head = new Uint8Array(4);
  head[0] = 0x80 | numbers[kind];
  new DataView(head.buffer).setInt16(1, Math.round(timeMs) - clusterMs);
  head[3] = isKey ? 0x80 : 0;
  return element(ids.simpleBlock, head, data);
}

function cuesOf(clusters: readonly Cluster[], firstAt: number): Uint8Array {
  let at = firstAt;
  const points: Uint8Array[] = [];
  for (const { timeMs, hasKey, bytes } of clusters) {
    const positions = element(
      ids.cueTrackPositions,
      element(ids.cueTrack, bytesOfNumber(numbers.video)),
      element(ids.cueClusterPosition, bytesOfNumber(at, 4)),
    );
    if (hasKey) points.push(element(ids.cuePoint, element(ids.cueTime, bytesOfNumber(timeMs, 4)), positions));
    at += bytes.length;
  }
  return element(ids.cues, ...points);
}

/**
 * H.264 as Matroska stores it (ISO/IEC 14496-15, 5.3.3 and 5.3.4). Chromium 108 records it as a byte stream with start
 * codes (ISO/IEC 14496-10, Annex B) and without `CodecPrivate`, which other players don't accept.
 */

const spsType = 7;
const ppsType = 8;

/** The NAL units of a byte stream; undefined if it doesn't begin with a start code. */
function nalUnits(data: Uint8Array): Uint8Array[] | undefined {
  const units: Uint8Array[] = [];
  let startAt: number | undefined;
  const endUnit = (end: number): void => {
    if (startAt !== undefined && end > startAt) units.push(data.subarray(startAt, end));
  };
  for (let at = 0; at + 2 < data.length; at += 1) {
    if (data[at] !== 0 || data[at + 1] !== 0 || data[at + 2] !== 1) continue;
    if (startAt === undefined && at > 1) return undefined;
    // Zeros before a start code belong to it: a NAL unit ends with another byte.
    let end = at;
    while (startAt !== undefined && end > startAt && data[end - 1] === 0) end -= 1;
    endUnit(end);
    startAt = at + 3;
    at += 2;
  }
  endUnit(data.length);
  return startAt === undefined ? undefined : units;
}

/** A frame with lengths of 4 bytes instead of start codes. */
const withLengths = (units: readonly Uint8Array[]): Uint8Array =>
  joined(units.flatMap((unit) => [bytesOfNumber(unit.length, 4), unit]));

/** `CodecPrivate` of a stream whose keyframe has these NAL units; undefined without parameter sets. */
function avcConfig(units: readonly Uint8Array[]): Uint8Array | undefined {
  const ofType = (type: number): Uint8Array[] => units.filter((unit) => ((unit[0] ?? 0) & 0x1f) === type);
  const [sets, pictures] = [ofType(spsType), ofType(ppsType)];
  const first = sets[0];
  if (!first || first.length < 4 || pictures.length === 0 || sets.length > 31 || pictures.length > 255)
    return undefined;
  const listed = (all: readonly Uint8Array[]): Uint8Array[] =>
    all.flatMap((unit) => [bytesOfNumber(unit.length, 2), unit]);
  return joined([
    Uint8Array.of(1, ...first.subarray(1, 4), 0xff, 0xe0 | sets.length),
    ...listed(sets),
    Uint8Array.of(pictures.length),
    ...listed(pictures),
  ]);
}
