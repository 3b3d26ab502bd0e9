/** The lowest rate that keeps the bursts. */
const minRateHz = 8000;
/** Filter length per input sample of an output sample: passes 2500 Hz, stops what would alias onto it. */
const reach = 9;

/** Reduces the sample rate by a whole number, after a filter that removes what would alias, a constant and hum. */
export class Decimator {
  readonly factor: number;
  readonly rateHz: number;
  readonly #taps: Float32Array;
  /** The input that the next outputs still need. */
  #rest = new Float32Array(0);

  constructor(inputHz: number) {
    this.factor = Math.max(1, Math.floor(inputHz / minRateHz));
    this.rateHz = inputHz / this.factor;
    this.#taps = differences(lowPass(this.factor), this.factor);
  }

  /** Output samples; sample n is the filtered input at n * `factor` + `delay`. */
  push(input: Float32Array): Float32Array {
    const taps = this.#taps;
    const samples = new Float32Array(this.#rest.length + input.length);
    samples.set(this.#rest);
    samples.set(input, this.#rest.length);
    const count = Math.max(0, Math.floor((samples.length - taps.length) / this.factor) + 1);
    const output = new Float32Array(count);
    for (let at = 0; at < count; at += 1) {
      const from = at * this.factor;
      let sum = 0;
      for (let tap = 0; tap < taps.length; tap += 1) sum += (taps[tap] ?? 0) * (samples[from + tap] ?? 0);
      output[at] = sum;
    }
    this.#rest = samples.slice(count * this.factor);
    return output;
  }

  /** Delay of the filter, in input samples. */
  get delay(): number {
    return (this.#taps.length - 1) / 2;
  }
}

/** The filter followed by the difference of consecutive output samples. */
function differences(taps: Float32Array, factor: number): Float32Array {
  return Float32Array.from(
    { length: taps.length + factor },
    (_, index) => (taps[index] ?? 0) - (taps[index - factor] ?? 0),
  );
}

/** Windowed sinc that cuts at half the output rate; the sum of the taps is 1. */
function lowPass(factor: number): Float32Array {
  if (factor === 1) return Float32Array.of(1);
  const half = Math.ceil((reach * factor) / 2);
  const taps = Float32Array.from({ length: 2 * half + 1 }, (_, index) => {
    const at = (Math.PI * (index - half)) / factor;
    const sinc = at === 0 ? 1 : Math.sin(at) / at;
    return sinc * (0.54 + 0.46 * Math.cos((Math.PI * (index - half)) / half));
  });
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.map((tap) => tap / sum);
}
