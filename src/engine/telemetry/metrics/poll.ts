import { type Clock, everySecond } from '../../base/clock';
import { Emitter } from '../../base/emitter';
import type { HostSample } from '../hostSource';
import { errorText } from '../../../domain/text/errorText';

/** Polls once a second, one request at a time; reports problems. */
export class Poll {
  private readonly samples = new Emitter<HostSample>();
  private readonly problems = new Emitter<string | undefined>();
  private problem: string | undefined;
  private requestedMs: number | undefined;
  private isClosed = false;
  private readonly stop: () => void;

  constructor(options: {
    readonly clock: Clock;
    /** Reported when a response takes longer than the interval. */
    readonly slow: string;
    /** One poll; rejects with a message. Passes its result to `sample`. */
    readonly ask: () => Promise<void>;
  }) {
    this.stop = everySecond(options.clock, (nowMs) => {
      if (this.requestedMs !== undefined) return this.report(options.slow);
      this.requestedMs = nowMs;
      options
        .ask()
        .then(
          () => {
            if (options.clock.now() - (this.requestedMs ?? 0) < 1000) this.report(undefined);
          },
          (error: unknown) => this.report(errorText(error)),
        )
        .finally(() => {
          this.requestedMs = undefined;
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

  private report(sentence: string | undefined): void {
    if (sentence === this.problem || this.isClosed) return;
    this.problem = sentence;
    this.problems.emit(sentence);
  }
}
