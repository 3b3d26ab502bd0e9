import type { Clock } from '../../clock';
import { everySecond } from '../../clock';
import { Emitter } from '../../emitter';
import type { HostSample } from '../hostSource';

/** Asks once a second, and not again before the answer is there; keeps what is told about it. */
export class Poll {
  private readonly samples = new Emitter<HostSample>();
  private readonly problems = new Emitter<string | undefined>();
  private problem: string | undefined;
  private askedMs: number | undefined;
  private isClosed = false;
  private readonly stop: () => void;

  constructor(options: {
    readonly clock: Clock;
    /** Said when an answer takes longer than a beat. */
    readonly slow: string;
    /** One question; rejects with a sentence. What it finds goes to `sample`. */
    readonly ask: () => Promise<void>;
  }) {
    this.stop = everySecond(options.clock, (nowMs) => {
      if (this.askedMs !== undefined) return this.tell(options.slow);
      this.askedMs = nowMs;
      options
        .ask()
        .then(
          () => {
            if (options.clock.now() - (this.askedMs ?? 0) < 1000) this.tell(undefined);
          },
          (error: unknown) => this.tell(error instanceof Error ? error.message : String(error)),
        )
        .finally(() => {
          this.askedMs = undefined;
        });
    });
  }

  sample(sample: HostSample): void {
    if (!this.isClosed) this.samples.emit(sample);
  }

  onSample(listener: (sample: HostSample) => void): () => void {
    return this.samples.on(listener);
  }

  onProblem(listener: (sentence: string | undefined) => void): () => void {
    return this.problems.on(listener);
  }

  close(): void {
    this.isClosed = true;
    this.stop();
  }

  private tell(sentence: string | undefined): void {
    if (sentence === this.problem || this.isClosed) return;
    this.problem = sentence;
    this.problems.emit(sentence);
  }
}
