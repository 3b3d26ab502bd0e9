import { i420Bytes, vmafLimits } from '../../../domain/model/vmaf';
import { readClock } from '../clock/clockPicture';
import { drawnFrame } from '../publish/localPatterns';
import type { PatternFrame } from '../publish/patternPicture';
import { brightnessOf, FrameCopier, i420Of } from './framePlanes';
import { PatternReference } from './patternReference';
import { packedPlane } from './plane';
import { scaled } from './scaled';

type Bytes = Uint8Array<ArrayBuffer>;

/** A displayed frame as I420, and what was drawn for it. */
interface KeptFrame {
  readonly played: Bytes;
  readonly drawn: PatternFrame;
}

/** Displayed frames of a test pattern of this window, kept to be compared with the frames as drawn. */
export class VmafRecording {
  /** In the order of display. */
  readonly frames: KeptFrame[] = [];
  /** Frames whose clock row could not be read, so that there is nothing to compare them with. */
  unread = 0;
  #fault: Error | undefined;
  #last: Promise<void> = Promise.resolve();
  readonly #copier = new FrameCopier();
  readonly #referenceCopier = new FrameCopier();
  readonly #reference = new PatternReference();

  /** Size of the pictures. */
  constructor(
    readonly width: number,
    readonly height: number,
  ) {}

  /** Keeps a frame, and closes it. */
  take(picture: VideoFrame): void {
    // One after the other: they share the copier.
    this.#last = this.#last
      .then(() => this.#keep(picture))
      .catch((error: unknown) => {
        this.#fault ??= error instanceof Error ? error : new Error(String(error));
      })
      .finally(() => picture.close());
  }

  /** Resolves when all frames are kept; rejects if they can't be compared. */
  async complete(): Promise<void> {
    await this.#last;
    if (this.#fault) throw this.#fault;
  }

  /** The frame as drawn, as I420 of the size of the pictures. */
  async referenceOf({ drawn }: KeptFrame): Promise<Bytes> {
    const picture = this.#reference.draw(drawn);
    try {
      const frame = await this.#referenceCopier.copy(picture);
      const bytes = frame && i420Of(frame);
      if (!bytes) throw new Error(`The test pattern could not be read back (${picture.format ?? 'no format'}).`);
      return scaledI420(bytes, frame, this);
    } finally {
      picture.close();
    }
  }

  async #keep(picture: VideoFrame): Promise<void> {
    if (this.frames.length >= vmafLimits.frames) return;
    const frame = await this.#copier.copy(picture);
    const played = frame && i420Of(frame);
    if (!played) throw new Error(`Frames of the format ${picture.format ?? 'of this decoder'} can't be read for VMAF.`);
    if (frame.width !== this.width || frame.height !== this.height)
      throw new Error(
        `The size of the picture changed from ${this.width} × ${this.height} to ${frame.width} × ${frame.height} meanwhile: measure again.`,
      );
    const reading = readClock(brightnessOf(frame));
    const drawn = reading && drawnFrame(reading);
    if (drawn) this.frames.push({ played, drawn });
    else this.unread += 1;
  }
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** An I420 picture at another size. */
function scaledI420(bytes: Bytes, from: Size, to: Size): Bytes {
  if (from.width === to.width && from.height === to.height) return bytes;
  const half = ({ width, height }: Size): Size => ({ width: Math.ceil(width / 2), height: Math.ceil(height / 2) });
  const into = new Uint8Array(i420Bytes(to.width, to.height));
  let read = 0;
  let written = 0;
  for (const [source, target] of [
    [from, to],
    [half(from), half(to)],
    [half(from), half(to)],
  ] as const) {
    const size = source.width * source.height;
    const plane = packedPlane(bytes.subarray(read, read + size), source.width, source.height);
    into.set(scaled(plane, target.width, target.height).bytes, written);
    read += size;
    written += target.width * target.height;
  }
  return into;
}
