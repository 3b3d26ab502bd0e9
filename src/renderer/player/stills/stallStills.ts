import { degradedRule } from '../../../domain/viewer/degraded';
import type { Stall } from '../figures/frameClock';

type Taking = Promise<StillPicture | undefined>;

/** Min interval of automatic stall pictures, to limit the file size of a bad run. */
const pauseMs = 5000;

/**
 * The picture of a stall must be captured during the stall, but its duration is known only afterwards, so it is held
 * until then. A stall within 5 s of another captures none.
 */
export class StallStills {
  #captured: { readonly startMs: number; readonly picture: Taking } | undefined;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** Captures the picture of an open stall, once. */
  watch(stall: Stall, nowMs: number, take: () => Taking): void {
    if (this.#captured?.startMs === stall.startMs || nowMs - this.#lastMs < pauseMs) return;
    this.#lastMs = nowMs;
    this.#captured = { startMs: stall.startMs, picture: take() };
  }

  /** The picture of a stall that has ended; undefined if none was captured. */
  release(stall: Stall): Taking | undefined {
    const held = this.#captured;
    if (!held || Math.abs(held.startMs - stall.startMs) > degradedRule.stallMs) return undefined;
    this.#captured = undefined;
    return held.picture;
  }

  /** Drops the picture of an open stall when the connection ended. */
  forget(): void {
    this.#captured = undefined;
  }
}

/** A picture of the video, ready for `runs.saveStill`. */
export interface StillPicture {
  readonly mime: 'image/png' | 'image/jpeg';
  readonly data: Uint8Array;
}

/** PNG keeps every pixel; above this many the size gets too large and JPEG is used. */
const maxPngPixels = 1280 * 720;
const jpegQuality = 0.92;

/** Captures the current frame; undefined if none exists. Rejects if it can't be encoded. */
export async function captureStill(video: HTMLVideoElement): Promise<StillPicture | undefined> {
  const { videoWidth: width, videoHeight: height } = video;
  if (width === 0 || height === 0) return undefined;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The still could not be drawn: no canvas to draw on.');
  // Drawn before the first await, to capture exactly this frame.
  context.drawImage(video, 0, 0, width, height);
  const mime = width * height <= maxPngPixels ? 'image/png' : 'image/jpeg';
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, mime, jpegQuality));
  if (!blob) throw new Error(`The still of ${width} × ${height} could not be encoded as ${mime}.`);
  return { mime, data: new Uint8Array(await blob.arrayBuffer()) };
}
