import type { ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { systemClock, type Clock } from '../../../engine/base/clock';

/** Sends one export; its promise is fulfilled with the reason in words if it failed. Never rejects. */
export type SendMetrics = (metrics: ResourceMetrics) => Promise<string | undefined>;

export interface OtlpPushOptions {
  readonly send: SendMetrics;
  /** The figures of the active run, or of the one that has just ended; undefined without a run. */
  readonly collect: (which: 'active' | 'ended') => ResourceMetrics | undefined;
  /** For messages. */
  readonly url: string;
  readonly everyMs: number;
  readonly say: (sentence: string) => void;
  readonly clock?: Pick<Clock, 'after'>;
}

/** How long the end of a run waits for its last export. */
const flushMs = 15_000;

/**
 * Sends a run's figures to an OTLP receiver, again and again until `stop`. Exports never overlap: while one is retried the
 * next is skipped, whose sums and histograms are contained in later ones.
 */
export class OtlpPush {
  private sending: Promise<string | undefined> | undefined;
  private isFailing = false;
  private cancel: () => void = () => undefined;
  private readonly clock: Pick<Clock, 'after'>;

  constructor(private readonly options: OtlpPushOptions) {
    this.clock = options.clock ?? systemClock;
    this.next();
  }

  /** Sends the last figures of the run that has ended; resolves after 15 s at the latest. */
  async flush(): Promise<void> {
    const { url, say } = this.options;
    let end: () => void = () => undefined;
    const timeout = new Promise<string>((resolve) => {
      end = this.clock.after(flushMs, () => resolve(`no response within ${flushMs / 1000} s`));
    });
    const last = (async () => {
      await this.sending;
      const metrics = this.options.collect('ended');
      return metrics && this.options.send(metrics);
    })();
    const failure = await Promise.race([last, timeout]);
    end();
    if (failure !== undefined)
      say(
        `OTLP: the last metrics of the run could not be sent to ${url}: ${failure}. The saved run contains all of them.`,
      );
  }

  stop(): void {
    this.cancel();
    this.cancel = () => undefined;
  }

  private next(): void {
    this.cancel = this.clock.after(this.options.everyMs, () => {
      this.next();
      if (!this.sending) void this.push();
    });
  }

  private async push(): Promise<void> {
    const { url, say, everyMs } = this.options;
    const metrics = this.options.collect('active');
    if (!metrics) return;
    this.sending = this.options.send(metrics);
    const failure = await this.sending;
    this.sending = undefined;
    if (failure !== undefined && !this.isFailing)
      say(
        `OTLP: metrics could not be sent to ${url}: ${failure}. The run continues; retrying every ${everyMs / 1000} s.`,
      );
    if (failure === undefined && this.isFailing) say(`OTLP: metrics are being sent to ${url} again.`);
    this.isFailing = failure !== undefined;
  }
}
