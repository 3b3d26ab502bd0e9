import { FullhouseError } from '../../contract/calls';
import type { DecoderOrder, DecoderResult } from '../../contract/delayCalls';
import type { VideoCodec } from '../../domain/model/videoCodecs';
import type { Cancel, Clock } from '../base/clock';

/** A decoder that has not asked for its first order by then does not exist. */
const connectWithinMs = 60_000;

/** Code of what failed because the publication has ended by itself. */
export const publicationEnded = 'publication-ended';

interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The orders of a delay test to the page that publishes, plays and reads the pictures. The page asks for each by
 * `delayDecoder.next`, with the result of the one before.
 */
export class DecoderLink {
  /** What the decoder encodes, once it is there. */
  readonly ready: Promise<readonly VideoCodec[]>;
  private readonly cancelLimit: Cancel;
  private asked: Waiting<DecoderOrder | null> | undefined;
  private running: Waiting<DecoderResult> | undefined;
  private waiting: DecoderOrder | undefined;
  private ended: Error | undefined;
  private setReady: Waiting<readonly VideoCodec[]> | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly onProgress: (step: string, share: number) => void,
  ) {
    this.ready = new Promise((resolve, reject) => (this.setReady = { resolve, reject }));
    this.ready.catch(() => undefined); // reported to what waits for it
    this.cancelLimit = clock.after(connectWithinMs, () =>
      this.end('Nothing that plays has connected within a minute.'),
    );
  }

  /** Has it done; rejects when the decoder reports a failure, is gone, or needs longer than `limitMs`. */
  async do(order: DecoderOrder, limitMs: number): Promise<DecoderResult> {
    if (this.ended) throw this.ended;
    const done = new Promise<DecoderResult>((resolve, reject) => (this.running = { resolve, reject }));
    const cancel = this.clock.after(limitMs, () =>
      this.end(`The decoder has not finished within ${Math.round(limitMs / 1000)} s.`),
    );
    if (this.asked) this.give(order);
    else this.waiting = order;
    try {
      const result = await done;
      if (result.failed !== undefined)
        throw new FullhouseError(result.hasEnded ? publicationEnded : 'not-measured', result.failed);
      return result;
    } finally {
      cancel();
    }
  }

  /** The page's request for its next order. */
  next(encodes: readonly VideoCodec[], result: DecoderResult | undefined): Promise<DecoderOrder | null> {
    this.cancelLimit();
    this.setReady?.resolve(encodes);
    const { running } = this;
    if (result && running) {
      this.running = undefined;
      running.resolve(result);
    }
    if (this.ended) return Promise.resolve(null);
    // A page asks once at a time.
    this.asked?.resolve(null);
    return new Promise((resolve, reject) => {
      this.asked = { resolve, reject };
      if (this.waiting) this.give(this.waiting);
    });
  }

  /** Whether the order is still wanted. */
  progress(step: string, share: number): boolean {
    if (this.ended || !this.running) return false;
    this.onProgress(step, share);
    return true;
  }

  /** Gives no further orders. What waits for the current one is rejected with the sentence. */
  end(sentence: string): void {
    if (this.ended) return;
    this.cancelLimit();
    this.ended = new FullhouseError('no-decoder', sentence);
    this.setReady?.reject(this.ended);
    this.running?.reject(this.ended);
    this.running = undefined;
    this.asked?.resolve(null);
    this.asked = undefined;
  }

  private give(order: DecoderOrder): void {
    this.waiting = undefined;
    this.asked?.resolve(order);
    this.asked = undefined;
  }
}
