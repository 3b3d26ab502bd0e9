import { degradedRule } from '../../../domain/viewer/degraded';
import type { Freeze } from '../figures/frameClock';
import type { StillPicture } from './stillCapture';

type Taking = Promise<StillPicture | undefined>;

/** Min interval of automatic freeze pictures, to limit the file size of a bad run. */
const pauseMs = 5000;

/**
 * The picture of a freeze must be captured during the freeze, but its duration is known only afterwards, so it is held
 * until then. A freeze within 5 s of another captures none.
 */
export class FreezeStills {
  #captured: { readonly startMs: number; readonly picture: Taking } | undefined;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** Captures the picture of an open freeze, once. */
  watch(freeze: Freeze, nowMs: number, take: () => Taking): void {
    if (this.#captured?.startMs === freeze.startMs || nowMs - this.#lastMs < pauseMs) return;
    this.#lastMs = nowMs;
    this.#captured = { startMs: freeze.startMs, picture: take() };
  }

  /** The picture of a freeze that has ended; undefined if none was captured. */
  release(freeze: Freeze): Taking | undefined {
    const held = this.#captured;
    if (!held || Math.abs(held.startMs - freeze.startMs) > degradedRule.stallMs) return undefined;
    this.#captured = undefined;
    return held.picture;
  }

  /** Drops the picture of an open freeze when the connection ended. */
  forget(): void {
    this.#captured = undefined;
  }
}
