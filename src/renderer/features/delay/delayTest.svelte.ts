import type { DelayOrder, DelayView } from '../../../contract/delayCalls';
import { remainingTestMs } from '../../../domain/delay/duration';
import type { DelayTable } from '../../../domain/delay/table';
import { errorText } from '../../../domain/text/errorText';
import type { WindowClient } from '../../client/connection';
import { decode } from '../../player/delay/decoder';

/** The delay test that the engine conducts, with this window as its decoder. */
export class DelayTest {
  /** The current or last test. */
  view = $state.raw<DelayView>();
  /** Why a test could not be started. */
  problem = $state<string>();
  /** The current or last test was cancelled here. */
  wasCancelled = $state(false);
  #isStarting = $state(false);
  readonly #unsubscribe: () => void;

  /** `onEnd`: of a test, with the table that was kept. */
  constructor(
    private readonly engine: WindowClient,
    onEnd: (table: DelayTable | undefined) => void,
  ) {
    this.#unsubscribe = engine.on('delays', (view) => {
      this.view = view;
      if (view.state === 'ended') onEnd(view.table);
    });
    engine.call('delays.state', {}).then(
      ({ view }) => (this.view ??= view ?? undefined),
      (error: unknown) => (this.problem = errorText(error)),
    );
  }

  get isRunning(): boolean {
    return this.#isStarting || (this.view !== undefined && this.view.state !== 'ended');
  }

  /** What is usually left, in ms; undefined if it is not known. */
  get remainingMs(): number | undefined {
    const { view } = this;
    if (view?.state !== 'running') return undefined;
    const isMeasuring = view.now?.step === 'measuring';
    const now = view.now && { row: view.now.row, share: isMeasuring ? view.now.share : 0 };
    return remainingTestMs(view.rows, view.repeats, view.measureMs, now);
  }

  /** Measures; `place`: where the pictures are played. Never rejects: what fails is in `problem` or the view. */
  async start(order: DelayOrder, place: HTMLElement): Promise<void> {
    if (this.isRunning) return;
    this.#isStarting = true;
    this.problem = undefined;
    this.wasCancelled = false;
    try {
      const { test } = await this.engine.call('delays.start', order);
      this.#isStarting = false;
      await decode(this.engine, test, place);
    } catch (error) {
      this.problem = errorText(error);
    } finally {
      this.#isStarting = false;
    }
  }

  /** What was measured is kept. */
  cancel(): void {
    this.wasCancelled = true;
    this.engine.call('delays.cancel', {}).catch((error: unknown) => (this.problem = errorText(error)));
  }

  /** Without the page's picture nothing can be measured: a running test ends. */
  dispose(): void {
    this.#unsubscribe();
    if (this.isRunning) this.cancel();
  }
}
