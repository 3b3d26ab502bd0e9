import type { Stall } from '../figures/frameClock';
import { WebmReader, type WebmBlock, type WebmTrack } from './webmReader';
import { writeWebm, type ClipFrame } from './webmWriter';

export interface WebmRingOptions {
  /** The video that is kept at least, before the newest frame. */
  readonly keepMs: number;
  /** Older video is dropped above this size. */
  readonly maxBytes: number;
}

/** A wanted part of the ring. Times in ms of `performance.now()`. */
export interface ClipRange {
  readonly fromMs: number;
  readonly toMs: number;
  /** Within the clip even if it has to be shortened; default: its end. */
  readonly aroundMs?: number;
  /**
   * Stalls of the display. Frames are recorded as received, with the sender's times: those that came too late to be
   * shown in time are shown at the end of the stall, as they were in the player.
   */
  readonly stalls?: readonly Stall[];
}

export interface WebmClip {
  readonly data: Uint8Array;
  readonly startMs: number;
  readonly endMs: number;
}

/** Blocks of one recorder. */
export interface RingRecording {
  /** Takes the next chunk, received at `nowMs` of `performance.now()`. Throws a sentence if it can't be read. */
  push(chunk: Uint8Array, nowMs: number): void;
}

interface Origin {
  /** The recording's time 0, in ms of `performance.now()`. */
  ms: number;
}

/** A keyframe with all that follows it until the next one. */
interface Group {
  readonly origin: Origin;
  readonly blocks: WebmBlock[];
  /** The tracks of its recording. */
  readonly tracks: readonly WebmTrack[];
  bytes: number;
}

/** Bytes of a block beside its data, and of the file beside its blocks, at most. */
const blockBytes = 16;
const fileBytes = 4096;

/**
 * The last seconds of one or more consecutive recordings, from a keyframe on. It has no timer and no recorder, so it
 * can be tested with recorded files.
 */
export class WebmRing {
  readonly #options: WebmRingOptions;
  #groups: Group[] = [];
  #keepFromMs = Number.POSITIVE_INFINITY;

  constructor(options: WebmRingOptions) {
    this.#options = options;
  }

  /** Bytes of media that are kept. */
  get bytes(): number {
    return this.#groups.reduce((sum, group) => sum + group.bytes, 0);
  }

  /** Time of the newest keyframe; undefined while nothing is kept. */
  get newestKeyMs(): number | undefined {
    const group = this.#groups.at(-1);
    return group && startOf(group);
  }

  /** Keeps what is needed from this time on, however old; `undefined`: no longer. */
  keepFrom(timeMs: number | undefined): void {
    this.#keepFromMs = timeMs ?? Number.POSITIVE_INFINITY;
  }

  /** Begins a recording. What earlier ones contain remains. */
  begin(): RingRecording {
    const reader = new WebmReader();
    const origin: Origin = { ms: Number.POSITIVE_INFINITY };
    let hasKey = false;
    return {
      push: (chunk, nowMs) => {
        const blocks = reader.push(chunk);
        // The recorder's clock isn't known: the chunk with the least delay is the closest to it.
        for (const { timeMs } of blocks) origin.ms = Math.min(origin.ms, nowMs - timeMs);
        for (const block of blocks) {
          const isStart = block.track.kind === 'video' && block.isKey;
          if (isStart) this.#groups.push({ origin, blocks: [], tracks: reader.tracks, bytes: 0 });
          hasKey ||= isStart;
          const group = this.#groups.at(-1);
          if (!hasKey || group?.origin !== origin) continue;
          group.blocks.push(block);
          group.bytes += block.data.length + blockBytes;
        }
        this.#drop();
      },
    };
  }

  /** A file of max `maxBytes` with this range; it begins at a keyframe, if possible before the range. */
  clip({ fromMs, toMs, aroundMs = toMs, stalls = [] }: ClipRange, maxBytes: number): WebmClip | undefined {
    const requestedGroups = this.#groups.filter((group) => startOf(group) <= toMs);
    const last = requestedGroups.at(-1);
    if (!last) return undefined;
    // A file has one codec of each kind.
    let firstAt = requestedGroups.length - 1;
    const mayPrecede = (group: Group | undefined): boolean =>
      group !== undefined && startOf(requestedGroups[firstAt] ?? group) > fromMs && codecsOf(group) === codecsOf(last);
    while (mayPrecede(requestedGroups[firstAt - 1])) firstAt -= 1;
    const groups = requestedGroups.slice(firstAt);
    const bytes = (): number => groups.reduce((sum, group) => sum + group.bytes, fileBytes);
    while (bytes() > maxBytes && groups[1] && startOf(groups[1]) <= aroundMs) groups.shift();
    const first = groups[0];
    if (!first) return undefined;
    const startMs = startOf(first);
    const frames: ClipFrame[] = [];
    let size = fileBytes;
    const previousMs = { video: 0, audio: 0 };
    for (const { origin, blocks } of groups)
      for (const { track, timeMs, isKey, data } of blocks) {
        size += data.length + blockBytes;
        const receivedMs = origin.ms + timeMs;
        const atMs = (track.kind === 'video' ? shownMs(receivedMs, stalls) : receivedMs) - startMs;
        if (size > maxBytes || startMs + atMs > toMs) continue;
        // Two recordings overlap by less than a frame, since their clocks are only known as exactly.
        previousMs[track.kind] = Math.max(previousMs[track.kind], atMs);
        frames.push({ kind: track.kind, timeMs: previousMs[track.kind], isKey, data });
      }
    if (frames.length === 0) return undefined;
    // Sound goes on while the picture stands.
    frames.sort((a, b) => a.timeMs - b.timeMs);
    const durationMs = Math.max(previousMs.video, previousMs.audio) + frameMs(frames);
    const data = writeWebm(last.tracks, frames, durationMs);
    return { data, startMs, endMs: startMs + durationMs };
  }

  /** Forgets all video. */
  clear(): void {
    this.#groups = [];
  }

  #drop(): void {
    const newest = this.#groups.at(-1);
    const block = newest?.blocks.at(-1);
    if (!newest || !block) return;
    const oldestMs = Math.min(newest.origin.ms + block.timeMs - this.#options.keepMs, this.#keepFromMs);
    while (this.#groups[1] && (startOf(this.#groups[1]) <= oldestMs || this.bytes > this.#options.maxBytes))
      this.#groups.shift();
    // Without its keyframe the rest of a group can't be shown.
    if (this.bytes > this.#options.maxBytes) this.#groups = [];
  }
}

/** The time at which the display went on, for a time within a stall. */
function shownMs(timeMs: number, stalls: readonly Stall[]): number {
  const stall = stalls.find(({ startMs, lengthMs }) => timeMs > startMs && timeMs < startMs + lengthMs);
  return stall ? stall.startMs + stall.lengthMs : timeMs;
}

function startOf({ origin, blocks }: Group): number {
  return origin.ms + (blocks[0]?.timeMs ?? 0);
}

const codecsOf = ({ tracks }: Group): string =>
  tracks
    .map(({ codec }) => codec)
    .sort()
    .join();

/** How long the last frame is shown: as the median one. */
function frameMs(frames: readonly ClipFrame[]): number {
  const times = frames.filter(({ kind }) => kind === 'video').map(({ timeMs }) => timeMs);
  const gaps = times.slice(1).map((timeMs, index) => timeMs - (times[index] ?? 0));
  return gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
}
