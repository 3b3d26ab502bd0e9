import { childrenOf, ids, joined, readHead, readVint, text, unsigned, type Element } from './ebml';

export interface WebmTrack {
  readonly number: number;
  readonly kind: 'video' | 'audio';
  /** Matroska's name, e.g. `V_VP8`. */
  readonly codec: string;
  /** All elements of its entry. */
  readonly entry: readonly Element[];
}

/** A frame of video, or some ms of audio. */
export interface WebmBlock {
  readonly track: WebmTrack;
  /** Since the start of the recording. */
  readonly timeMs: number;
  readonly isKey: boolean;
  readonly data: Uint8Array;
}

/** More than any frame of our recordings has. */
const maxElementBytes = 8 * 2 ** 20;
const trackKinds: Readonly<Record<number, WebmTrack['kind']>> = { 1: 'video', 2: 'audio' };
const containers: ReadonlySet<number> = new Set([ids.segment, ids.cluster]);
const ignored: ReadonlySet<number> = new Set([ids.void, ids.crc32, ids.seekHead, ids.cues, ids.tags]);
const known: ReadonlySet<number> = new Set([
  ...[...containers, ...ignored],
  ...[ids.ebml, ids.info, ids.tracks, ids.timestamp, ids.simpleBlock, ids.blockGroup],
]);

/**
 * Reads a recording of MediaRecorder (WebM, or Matroska with H.264) while it is written: a chunk may end anywhere. Its
 * segment and clusters have no known size.
 */
export class WebmReader {
  #pending = new Uint8Array(0);
  #isMatroska = false;
  #isInSegment = false;
  #scaleMs = 1;
  #clusterTicks: number | undefined;
  #tracks: readonly WebmTrack[] = [];

  /** Empty until they have been read. */
  get tracks(): readonly WebmTrack[] {
    return this.#tracks;
  }

  /** The blocks that are complete now. Throws a sentence if this is not a recording it can read. */
  push(chunk: Uint8Array): WebmBlock[] {
    try {
      return this.#read(chunk);
    } catch (error) {
      throw new Error(`The recorded video can't be read: it contains ${(error as Error).message}.`, { cause: error });
    }
  }

  #read(chunk: Uint8Array): WebmBlock[] {
    const bytes = this.#pending.length > 0 ? joined([this.#pending, chunk]) : chunk;
    const blocks: WebmBlock[] = [];
    let at = 0;
    for (;;) {
      const head = readHead(bytes, at);
      if (!head) break;
      if (!known.has(head.id) || this.#isMatroska === (head.id === ids.ebml))
        throw new Error(`an unexpected element ${hex(head.id)}`);
      if (containers.has(head.id)) {
        this.#enter(head.id);
        at = head.contentAt;
        continue;
      }
      if (head.size === undefined) throw new Error(`an element ${hex(head.id)} of unknown size`);
      if (head.size > maxElementBytes) throw new Error(`an element ${hex(head.id)} of ${head.size} bytes`);
      const end = head.contentAt + head.size;
      if (end > bytes.length) break;
      const block = this.#take({ id: head.id, content: bytes.subarray(head.contentAt, end) });
      if (block) blocks.push(block);
      at = end;
    }
    this.#pending = bytes.slice(at);
    return blocks;
  }

  #enter(id: number): void {
    if (id === ids.segment) {
      if (this.#isInSegment) throw new Error('a segment in the wrong place');
      this.#isInSegment = true;
    } else {
      if (this.#tracks.length === 0) throw new Error('a cluster before the tracks');
      this.#clusterTicks = undefined;
    }
  }

  #take({ id, content }: Element): WebmBlock | undefined {
    if (ignored.has(id)) return undefined;
    if (id === ids.ebml) {
      const type = childrenOf(content).find((child) => child.id === ids.docType);
      if (!type || !['webm', 'matroska'].includes(text(type.content))) throw new Error('no header of WebM');
      this.#isMatroska = true;
      return undefined;
    }
    if (!this.#isInSegment) throw new Error(`an element ${hex(id)} before its segment`);
    switch (id) {
      case ids.info: {
        const scale = childrenOf(content).find((child) => child.id === ids.timestampScale);
        if (scale) this.#scaleMs = unsigned(scale.content) / 1e6;
        return undefined;
      }
      case ids.tracks:
        this.#tracks = childrenOf(content)
          .filter((child) => child.id === ids.trackEntry)
          .map((child) => trackOf(childrenOf(child.content)));
        return undefined;
      case ids.timestamp:
        this.#clusterTicks = unsigned(content);
        return undefined;
      case ids.simpleBlock:
        return this.#block(content, ((content[flagsAt(content)] ?? 0) & 0x80) !== 0);
      case ids.blockGroup: {
        const children = childrenOf(content);
        const block = children.find((child) => child.id === ids.block);
        if (!block) throw new Error('a group without a block');
        return this.#block(block.content, !children.some((child) => child.id === ids.referenceBlock));
      }
      default:
        throw new Error(`an unexpected element ${hex(id)}`);
    }
  }

  /** RFC 9559, sections 10.1 and 10.2: track, time since the cluster's as a signed number of 16 bits, flags. */
  #block(content: Uint8Array, isKey: boolean): WebmBlock {
    const number = readVint(content, 0);
    const track = number && this.#tracks.find((track) => track.number === number.value);
    const dataAt = flagsAt(content) + 1;
    if (!track || this.#clusterTicks === undefined || content.length <= dataAt)
      throw new Error('a block without track, time or data');
    if (((content[dataAt - 1] ?? 0) & 0x06) !== 0) throw new Error('several frames in one block');
    const ticks = new DataView(content.buffer, content.byteOffset).getInt16(dataAt - 3);
    return {
      track,
      timeMs: (this.#clusterTicks + ticks) * this.#scaleMs,
      isKey,
      // A copy: the chunk it is part of is not kept.
      data: content.slice(dataAt),
    };
  }
}

function trackOf(entry: Element[]): WebmTrack {
  const of = (id: number): Uint8Array => {
    const found = entry.find((child) => child.id === id);
    if (!found) throw new Error(`a track without ${hex(id)}`);
    return found.content;
  };
  const kind = trackKinds[unsigned(of(ids.trackType))];
  if (!kind || entry.some(({ id }) => id === ids.contentEncodings)) throw new Error('a track of an unknown kind');
  return {
    number: unsigned(of(ids.trackNumber)),
    kind,
    codec: text(of(ids.codecId)),
    entry: entry.map(({ id, content }) => ({ id, content: content.slice() })),
  };
}

/** After the track's number and two bytes of time. */
const flagsAt = (block: Uint8Array): number => (readVint(block, 0)?.length ?? 0) + 2;

const hex = (id: number): string => `0x${id.toString(16)}`;
