/** A picture of a camera; more than this without an end is not MJPEG. */
const maxFrameBytes = 20_000_000;

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;

/** Markers without a length: TEM, RST0 to RST7, SOI and EOI (ITU-T T.81, B.1.1.3). */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9);

/**
 * Cuts a stream of JPEG pictures, whatever is between them: MJPEG servers differ in boundaries and headers of their
 * parts. Segments are skipped by their length, since a thumbnail in one contains markers of its own.
 */
export class JpegFrames {
  #pending = new Uint8Array(0);
  /** Where parsing continues in `#pending`, which begins with a picture once this is above 0. */
  #at = 0;
  #inScan = false;

  /** Adds bytes; returns the pictures that they complete. */
  take(chunk: Uint8Array): Uint8Array[] {
    this.#pending = joined(this.#pending, chunk);
    const frames: Uint8Array[] = [];
    for (let frame = this.#next(); frame; frame = this.#next()) frames.push(frame);
    if (this.#pending.length > maxFrameBytes) this.#restart(this.#pending.length);
    return frames;
  }

  #next(): Uint8Array | undefined {
    if (this.#at === 0 && !this.#begin()) return undefined;
    for (;;) {
      const marker = this.#marker();
      if (marker === undefined) return undefined;
      if (marker === endOfImage) {
        const frame = this.#pending.slice(0, this.#at);
        this.#restart(this.#at);
        return frame;
      }
    }
  }

  /** Finds the start of a picture, and drops what is before it. */
  #begin(): boolean {
    const bytes = this.#pending;
    for (let at = 0; at + 1 < bytes.length; at += 1)
      if (bytes[at] === 0xff && bytes[at + 1] === startOfImage) {
        this.#pending = bytes.slice(at);
        this.#at = 2;
        return true;
      }
    // Its first byte may be the last of the chunk.
    this.#pending = bytes.slice(Math.max(0, bytes.length - 1));
    return false;
  }

  /** Moves behind the next marker and its segment; undefined while it is incomplete. */
  #marker(): number | undefined {
    const bytes = this.#pending;
    let at = this.#at;
    for (; at + 1 < bytes.length; at += 1) {
      const marker = bytes[at + 1] ?? 0;
      const isMarker = bytes[at] === 0xff && marker !== 0 && marker !== 0xff;
      // Within a scan, 0xff is followed by 0, or by a restart marker.
      if (isMarker && !(this.#inScan && marker >= 0xd0 && marker <= 0xd7)) return this.#passed(at + 2, marker);
    }
    this.#at = Math.max(this.#at, at);
    return undefined;
  }

  #passed(behind: number, marker: number): number | undefined {
    const bytes = this.#pending;
    let end = behind;
    if (!isBare(marker)) {
      if (behind + 2 > bytes.length) return undefined;
      end = behind + (bytes[behind] ?? 0) * 256 + (bytes[behind + 1] ?? 0);
      if (end > bytes.length) return undefined;
    }
    this.#inScan = marker === startOfScan;
    this.#at = end;
    return marker;
  }

  #restart(from: number): void {
    this.#pending = this.#pending.slice(from);
    this.#at = 0;
    this.#inScan = false;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
