import type { WindowClient } from '../client/connection';

/** After this time a pending stop offers to force. */
const forceAfterMs = 2000;

/** Stop all: graceful first, forced the second time. */
export class Stopping {
  /** Requested and not yet finished. */
  isRequested = $state(false);
  /** The graceful stop takes long; the button is now Force. */
  offersForce = $state(false);
  /** Sessions were not closed at the server. */
  wasForced = false;
  readonly #engine: WindowClient;
  readonly #onProblem: (error: unknown) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(engine: WindowClient, onProblem: (error: unknown) => void) {
    this.#engine = engine;
    this.#onProblem = onProblem;
  }

  async stop(atOnce = false): Promise<void> {
    const force = atOnce || this.isRequested;
    this.wasForced ||= force;
    this.isRequested = true;
    this.#timer ??= setTimeout(() => (this.offersForce = true), forceAfterMs);
    try {
      await this.#engine.call('runs.stopAll', { force });
    } catch (error) {
      this.finished();
      this.#onProblem(error);
    }
  }

  /** Nothing is active any more. */
  finished(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.isRequested = false;
    this.offersForce = false;
    this.wasForced = false;
  }
}
