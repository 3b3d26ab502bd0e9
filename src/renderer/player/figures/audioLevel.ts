/** Peak levels per channel, from 0 (silence or below -60 dBFS) to 1 (full scale). */
export type AudioLevels = readonly number[];

/** Bottom of the scale, as in broadcast meters. */
const floorDb = -60;

/** Share of the meter that a peak fills, in decibels. */
export function meterShare(peak: number): number {
  if (peak <= 0) return 0;
  return Math.min(1, Math.max(0, 1 - (20 * Math.log10(peak)) / floorDb));
}

/** Reads the audio level of a stream, muted or not. */
export class LevelReader {
  readonly #context = new AudioContext({ latencyHint: 'playback' });
  readonly #source: MediaStreamAudioSourceNode;
  readonly #analysers: readonly AnalyserNode[];
  /** 170 ms at 48 kHz: longer than the read interval, so no peak is missed. */
  readonly #samples = new Float32Array(8192);

  constructor(stream: MediaStream) {
    this.#source = this.#context.createMediaStreamSource(stream);
    const splitter = this.#context.createChannelSplitter(2);
    this.#source.connect(splitter);
    this.#analysers = [0, 1].map((channel) => {
      const analyser = new AnalyserNode(this.#context, { fftSize: this.#samples.length });
      splitter.connect(analyser, channel);
      return analyser;
    });
  }

  /** Current levels; undefined while the audio context is not running, to distinguish silence from no data. */
  read(): AudioLevels | undefined {
    if (this.#context.state !== 'running') return undefined;
    return this.#analysers.map((analyser) => {
      analyser.getFloatTimeDomainData(this.#samples);
      let peak = 0;
      // Every fourth sample still catches audible peaks, at a quarter of the cost.
      for (let at = 0; at < this.#samples.length; at += 4) peak = Math.max(peak, Math.abs(this.#samples[at] ?? 0));
      return meterShare(peak);
    });
  }

  async close(): Promise<void> {
    this.#source.disconnect();
    if (this.#context.state !== 'closed') await this.#context.close();
  }
}
