import { avcConfig, nalUnits, withLengths } from './avcConfig';
import { bytesOfFloat, bytesOfNumber, bytesOfText, element, ids, joined, type Element } from './ebml';
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
