import { degradedRule } from '../../domain/degraded';
import type { Freeze } from './frameClock';
import type { StillPicture } from './stillCapture';

type Taking = Promise<StillPicture | undefined>;

/** Between two pictures that freezes take by themselves: a run that goes badly must not fill its file with them. */
const pauseMs = 5000;

/**
 * The picture of a freeze has to be taken while it stands, but how long it stood is known only afterwards: so it is held
 * here until then. A freeze that follows another within 5 s takes none.
 */
export class FreezeStills {
  #held: { readonly startMs: number; readonly picture: Taking } | undefined;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** Takes the picture of an open freeze, once. */
  watch(freeze: Freeze, nowMs: number, take: () => Taking): void {
    if (this.#held?.startMs === freeze.startMs || nowMs - this.#lastMs < pauseMs) return;
    this.#lastMs = nowMs;
    this.#held = { startMs: freeze.startMs, picture: take() };
  }

  /** The picture of a freeze that has ended; undefined when none was taken. */
  release(freeze: Freeze): Taking | undefined {
    const held = this.#held;
    if (!held || Math.abs(held.startMs - freeze.startMs) > degradedRule.freezeMs) return undefined;
    this.#held = undefined;
    return held.picture;
  }

  /** Drops the picture of a freeze that will not end, since the connection did. */
  forget(): void {
    this.#held = undefined;
  }
}
