import type { ClockPageState } from '../../../contract/clockPageCalls';
import { errorText } from '../../../domain/text/errorText';
import type { WindowClient } from '../../client/connection';

const pollMs = 1000;
export type ClockPagePlace = 'here' | 'lan';

/** Serves the clock page; its state is polled while the dialog is open. */
export class ClockPage {
  state = $state.raw<ClockPageState>({ urls: [], isLan: false, pages: [] });
  problem = $state<string>();
  isBusy = $state(false);
  readonly #engine: WindowClient;

  constructor(engine: WindowClient) {
    this.#engine = engine;
  }

  get isOn(): boolean {
    return this.state.urls.length > 0;
  }

  /** Returns the function that ends it. */
  follow(): () => void {
    const ask = (): void => void this.#take(() => this.#engine.call('clockPage.state', {}));
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
    this.problem = undefined;
    await this.#take(call);
    this.isBusy = false;
  }

  async #take(call: () => Promise<ClockPageState>): Promise<void> {
    try {
      this.state = await call();
    } catch (error) {
      this.problem = errorText(error);
    }
  }
}
