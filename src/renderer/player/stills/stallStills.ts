import { degradedRule } from '../../../domain/viewer/degraded';
import type { Stall } from '../figures/frameClock';
import type { StillPicture } from './stillCapture';

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
