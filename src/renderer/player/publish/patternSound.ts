import { burstSamples } from '../../../domain/clock/toneBurst';

/** No divisor of the usual block lengths, so that over time all phases of a block are seen. */
const pollMs = 13;
const secondMs = 1000;
/** Time between scheduling a burst and its start: longer than the blocks and pauses of the window. */
const leadMs = 200;
/** More than the drift of an audio clock in a second; a larger difference is an interruption of the audio. */
const maxDriftMs = 2;

/**
 * When an AudioContext hands over its samples, by the window's clock. It renders in blocks, and its time stands still in
 * between: of the gaps between both times the lowest counts, as seen when a block has just been rendered.
 */
export class ContextClock {
  #gapMs = Number.POSITIVE_INFINITY;
  #previousMs: number | undefined;

  /** Notes both times, read together. */
  note(nowMs: number, contextMs: number): void {
    this.#gapMs = Math.min(this.#gapMs, nowMs - contextMs);
  }

  /**
   * Ends a period of notes. Returns the gap of the last two periods in ms; undefined after the first one, and after an
   * interruption of the audio.
   */
  next(): number | undefined {
    const [now, before] = [this.#gapMs, this.#previousMs];
    this.#gapMs = Number.POSITIVE_INFINITY;
    this.#previousMs = now;
    return before === undefined || !(Math.abs(now - before) <= maxDriftMs) ? undefined : Math.min(now, before);
  }
}

/** The sound of a test pattern: at each full second of the window's clock a burst of tones that encodes it. */
export class PatternSound {
  readonly #context = new AudioContext();
  readonly #output = this.#context.createMediaStreamDestination();
  readonly #clock = new ContextClock();
  readonly #timer: ReturnType<typeof setInterval>;
  #second: number | undefined;

  constructor(private readonly source: number) {
    // Without an active source nothing is rendered, and the track would have gaps.
    const silence = new ConstantSourceNode(this.#context, { offset: 0 });
    silence.connect(this.#output);
    silence.start();
    this.#timer = setInterval(() => this.#poll(performance.now()), pollMs);
  }

  get track(): MediaStreamTrack | undefined {
    return this.#output.stream.getAudioTracks()[0];
  }

  stop(): void {
    clearInterval(this.#timer);
    this.track?.stop();
    void this.#context.close();
  }

  #poll(nowMs: number): void {
    const { currentTime, state } = this.#context;
    // Its time begins when it runs.
    if (state !== 'running' || currentTime === 0) return;
    this.#clock.note(nowMs, currentTime * secondMs);
    const second = Math.floor((performance.timeOrigin + nowMs + leadMs) / secondMs);
    if (second === this.#second) return;
    this.#second = second;
    const gapMs = this.#clock.next();
    if (gapMs !== undefined) this.#play(second, second * secondMs - performance.timeOrigin - gapMs);
  }

  #play(second: number, contextMs: number): void {
    const { sampleRate } = this.#context;
    const samples = burstSamples(this.source, second, sampleRate);
    const buffer = this.#context.createBuffer(1, samples.length, sampleRate);
    buffer.copyToChannel(samples, 0);
    const node = new AudioBufferSourceNode(this.#context, { buffer });
    node.connect(this.#output);
    // A start in the past would be late without a sign of it.
    if (contextMs / secondMs > this.#context.currentTime) node.start(contextMs / secondMs);
  }
}
