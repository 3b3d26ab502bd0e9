import type { Engine } from './connection';

/** After this time a stop that is still under way offers to force. */
const forceAfterMs = 2000;

/** Stop all: first properly, the second time by force. */
export class Stopping {
  /** Asked for and not yet finished. */
  isAsked = $state(false);
  /** The proper way takes long; the button now says Force. */
  offersForce = $state(false);
  readonly #engine: Engine;
  readonly #onProblem: (error: unknown) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(engine: Engine, onProblem: (error: unknown) => void) {
    this.#engine = engine;
    this.#onProblem = onProblem;
  }

  async stop(atOnce = false): Promise<void> {
    const force = atOnce || this.isAsked;
    this.isAsked = true;
    this.#timer ??= setTimeout(() => (this.offersForce = true), forceAfterMs);
    try {
      await this.#engine.call('runs.stopAll', { force });
    } catch (error) {
      this.finished();
      this.#onProblem(error);
    }
  }

  /** Nothing runs any more. */
  finished(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.isAsked = false;
    this.offersForce = false;
  }
}
