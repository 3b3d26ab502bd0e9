import type { ClockPageState, ClockPageView } from '../../../contract/clockPageCalls';
import { errorText } from '../../../domain/text/errorText';
import type { WindowClient } from '../../client/connection';
import { age } from '../../ui/format/times';

const pollMs = 1000;
/** Pages report once a second. */
const reportedWithinMs = 5000;
export type ClockPagePlace = 'here' | 'lan';

/** To how many ms an open page draws the console's time, `± 1.3 ms`, or why that is not known. */
export function uncertaintyText({ sinceMs, untilMs, uncertaintyMs }: ClockPageView, nowMs: number): string {
  if (nowMs - untilMs > reportedWithinMs) return `no report for ${age(untilMs, nowMs)}`;
  return untilMs > sinceMs ? `± ${uncertaintyMs.toFixed(1)} ms` : 'being measured';
}

/** Serves the clock page; its state is polled while the dialog is open. */
export class ClockPage {
  state = $state.raw<ClockPageState>({ urls: [], isLan: false, pages: [] });
  /** Why it could not be started or stopped. */
  #failed = $state<string>();
  /** Why its state is not known now. */
  #lost = $state<string>();
  isBusy = $state(false);
  readonly #engine: WindowClient;

  constructor(engine: WindowClient) {
    this.#engine = engine;
  }

  get isOn(): boolean {
    return this.state.urls.length > 0;
  }

  get problem(): string | undefined {
    return this.#failed ?? this.#lost;
  }

  /** Returns the function that ends it. */
  follow(): () => void {
    const ask = (): void => void this.#poll();
    ask();
    const timer = setInterval(ask, pollMs);
    return () => clearInterval(timer);
  }

  async start(place: ClockPagePlace): Promise<void> {
    const address = place === 'lan' ? '0.0.0.0' : '127.0.0.1';
    await this.#change(() => this.#engine.call('clockPage.start', { address, port: 0 }));
  }

  async stop(): Promise<void> {
    await this.#change(() => this.#engine.call('clockPage.stop', {}));
  }

  async #change(call: () => Promise<ClockPageState>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.#failed = undefined;
    try {
      this.state = await call();
    } catch (error) {
      this.#failed = errorText(error);
    } finally {
      this.isBusy = false;
    }
  }

  async #poll(): Promise<void> {
    try {
      this.state = await this.#engine.call('clockPage.state', {});
      this.#lost = undefined;
    } catch (error) {
      this.#lost = errorText(error);
    }
  }
}
