import { FullhouseError } from '../../contract/calls';
import type { DecoderResult, DelayOrder, DelayView } from '../../contract/delayCalls';
import type { VideoCodec } from '../../domain/model/videoCodecs';
import { Emitter } from '../base/emitter';
import type { DecoderLink } from './decoderLink';
import { DelayTest, type DelayDeps, type TestScope, type Under } from './delayTest';

/** Conducts delay tests: one at a time, path after path, all paths again in each repeat. */
export class DelayTests {
  readonly changed = new Emitter<DelayView>();
  private current: DelayTest | undefined;

  constructor(private readonly deps: DelayDeps) {}

  get view(): DelayView | undefined {
    return this.current?.view;
  }

  /** What the decoder of a running test may use; undefined for another one. */
  scope(test: string): TestScope | undefined {
    return this.running(test)?.scope;
  }

  /** Throws `busy` while another test runs, or a run is active that the load would disturb. */
  start(order: DelayOrder, under?: Under): { readonly test: string } {
    if (this.current && this.current.view.state !== 'ended')
      throw new FullhouseError('busy', 'A delay test is running; cancel it, or wait for its end.');
    if ((under !== undefined || order.viewers !== undefined) && this.deps.runs.activeRun)
      throw new FullhouseError(
        'busy',
        'A run is active, which the load of the delay test would disturb; stop it first.',
      );
    // Not after all that is measured without load.
    if (under) this.deps.requireAllowed(under);
    const node = this.deps.node(order.node);
    const test = new DelayTest(this.deps, node, order, under, (view) => this.changed.emit(view));
    this.current = test;
    void test.measure();
    return { test: test.id };
  }

  next(test: string, encodes: readonly VideoCodec[], result?: DecoderResult): ReturnType<DecoderLink['next']> {
    return this.running(test)?.decoder.next(encodes, result) ?? Promise.resolve(null);
  }

  progress(test: string, step: string, share: number): boolean {
    return this.running(test)?.decoder.progress(step, share) ?? false;
  }

  /** Ends the current test; what was measured is kept. */
  cancel(): void {
    this.current?.cancel();
  }

  /** The page that plays for a test is gone. */
  decoderLost(test: string): void {
    this.running(test)?.decoder.end('What played the pictures has closed.');
  }

  /** Resolves when the current test has ended and its table is kept. */
  async close(): Promise<void> {
    this.cancel();
    await this.current?.ended;
  }

  private running(test: string): DelayTest | undefined {
    return this.current?.id === test && this.current.view.state !== 'ended' ? this.current : undefined;
  }
}
