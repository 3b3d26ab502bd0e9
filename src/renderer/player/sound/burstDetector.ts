import {
  burstMs,
  type BurstReading,
  decodeBurst,
  sweep,
  sweepPhase,
  toneHz,
  toneMs,
  tones,
} from '../../../domain/clock/toneBurst';

export interface DetectedBurst {
  readonly reading: BurstReading;
  /** Where it begins, in samples since the first one, with fractions. */
  readonly start: number;
}

/** Squared correlation with the sweep, 0 to 1, above which a burst may begin; noise as loud as the burst leaves 0.5. */
const minCorrelation = 0.3;
/** Mean power below which there is nothing to find: -65 dBFS. */
const silence = 10 ** -6.5;
/** The highest of several peaks within this time is the start. */
const peakMs = 5;

interface Peak {
  /** Start of the sweep, in samples of the lower rate. */
  at: number;
  value: number;
  before: number;
  after: number;
}

/** A pair of templates: their correlations are independent of phase. */
interface Templates {
  readonly cosine: Float32Array;
  readonly sine: Float32Array;
}

function templates(length: number, phase: (index: number) => number, weight: (index: number) => number): Templates {
  const indices = Array.from({ length }, (_, index) => index);
  return {
    cosine: Float32Array.from(indices, (index) => weight(index) * Math.cos(phase(index))),
    sine: Float32Array.from(indices, (index) => weight(index) * Math.sin(phase(index))),
  };
}

/** Finds and decodes the bursts in audio of one channel, at max 1 % of a core: at a rate of 8 to 16 kHz. */
export class BurstDetector {
  readonly #decimator: Decimator;
  readonly #sweep: Templates;
  readonly #tones: readonly Templates[];
  readonly #sweepLength: number;
  readonly #burstLength: number;
  readonly #peakLength: number;
  /** The recent samples; the first one has this number. */
  #samples: Float32Array;
  #count = 0;
  #first = 0;
  /** Position of the next window to correlate, its energy, and the correlation of the previous one. */
  #at = 0;
  #energy = 0;
  #previous = 0;
  #peak: Peak | undefined;
  /** Starts whose burst is not complete yet. */
  #starts: number[] = [];

  constructor(sampleRateHz: number) {
    this.#decimator = new Decimator(sampleRateHz);
    const { rateHz } = this.#decimator;
    const samplesOf = (ms: number): number => Math.round((ms / 1000) * rateHz);
    this.#sweepLength = samplesOf(sweep.lengthMs);
    this.#burstLength = samplesOf(burstMs);
    this.#peakLength = samplesOf(peakMs);
    this.#sweep = templates(
      this.#sweepLength,
      (index) => sweepPhase(index / rateHz),
      () => 1,
    );
    const toneLength = samplesOf(toneMs);
    this.#tones = toneHz.map((hz) =>
      templates(
        toneLength,
        (index) => (2 * Math.PI * hz * index) / rateHz,
        (index) => Math.sin((Math.PI * (index + 0.5)) / toneLength) ** 2,
      ),
    );
    this.#samples = new Float32Array(8 * this.#burstLength);
  }

  /** Takes the next samples; returns the bursts that they complete. */
  push(samples: Float32Array): DetectedBurst[] {
    this.#append(this.#decimator.push(samples));
    const end = this.#first + this.#count;
    while (this.#at + this.#sweepLength <= end) this.#correlate();
    const complete = this.#starts.filter((start) => start + this.#burstLength <= end);
    this.#starts = this.#starts.filter((start) => start + this.#burstLength > end);
    return complete.flatMap((start) => {
      const reading = this.#decode(start);
      const { factor, delay } = this.#decimator;
      return reading ? [{ reading, start: start * factor + delay }] : [];
    });
  }

  #append(samples: Float32Array): void {
    // What a burst that is not complete yet may need.
    const keep = 2 * this.#burstLength;
    if (this.#count + samples.length > this.#samples.length) {
      const dropped = Math.max(0, this.#count - keep);
      this.#samples.copyWithin(0, dropped, this.#count);
      this.#first += dropped;
      this.#count -= dropped;
    }
    if (this.#count + samples.length > this.#samples.length) {
      const larger = new Float32Array(2 * (this.#count + samples.length));
      larger.set(this.#samples.subarray(0, this.#count));
      this.#samples = larger;
    }
    this.#samples.set(samples, this.#count);
    this.#count += samples.length;
  }

  /** Correlates the next window with the sweep, and notes the peaks. */
  #correlate(): void {
    const from = this.#at - this.#first;
    const length = this.#sweepLength;
    // Summed anew at times, since rounding errors add up.
    if (this.#at % length === 0) this.#energy = this.#energyOf(from);
    let value = 0;
    if (this.#energy > silence * length)
      value = power(this.#sweep, this.#samples, from) / (this.#energy * (length / 2));
    this.#notePeak(this.#at, value);
    this.#previous = value;
    this.#energy += (this.#samples[from + length] ?? 0) ** 2 - (this.#samples[from] ?? 0) ** 2;
    this.#at += 1;
  }

  #energyOf(from: number): number {
    let energy = 0;
    for (let index = from; index < from + this.#sweepLength; index += 1) energy += (this.#samples[index] ?? 0) ** 2;
    return energy;
  }

  #notePeak(at: number, value: number): void {
    const peak = this.#peak;
    if (peak && at === peak.at + 1) peak.after = value;
    if (value >= minCorrelation && value > (peak?.value ?? 0))
      this.#peak = { at, value, before: this.#previous, after: 0 };
    else if (peak && at - peak.at > this.#peakLength) {
      // The vertex of the parabola through the peak and its neighbours.
      const bend = peak.before - 2 * peak.value + peak.after;
      this.#starts.push(peak.at + (bend < 0 ? (peak.before - peak.after) / (2 * bend) : 0));
      this.#peak = undefined;
    }
  }

  #decode(start: number): BurstReading | undefined {
    const rate = this.#decimator.rateHz / 1000;
    const places = Array.from({ length: tones }, (_, tone) => {
      const from = Math.round(start + (sweep.lengthMs + tone * toneMs) * rate) - this.#first;
      const powers = this.#tones.map((tone) => power(tone, this.#samples, from));
      return powers.indexOf(Math.max(...powers));
    });
    return decodeBurst(places);
  }
}

/** Squared magnitude of the correlation of the samples from `from` on. */
function power({ cosine, sine }: Templates, samples: Float32Array, from: number): number {
  let real = 0;
  let imaginary = 0;
  for (let index = 0; index < cosine.length; index += 1) {
    const sample = samples[from + index] ?? 0;
    real += (cosine[index] ?? 0) * sample;
    imaginary += (sine[index] ?? 0) * sample;
  }
  return real ** 2 + imaginary ** 2;
}

/** The lowest rate that keeps the bursts. */
const minRateHz = 8000;
/** Filter length per input sample of an output sample: passes 2500 Hz, stops what would alias onto it. */
const reach = 9;

/** Reduces the sample rate by a whole number, after a filter that removes what would alias, a constant and hum. */
class Decimator {
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
