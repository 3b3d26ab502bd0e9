import { bitsOf, checkBits, checked, valueOf, withCheck } from './bits';
import { maxSources, sourceBits } from './sources';

/**
 * The machine-readable sound of a test pattern: each second a burst of 238 ms that encodes the second in which it
 * starts, for the delay of audio.
 *
 * It begins with a linear sweep, whose correlation has a peak of half a ms, so that its start is found to a fraction of
 * a sample. 11 tones of 3 bits follow: 6 bits of source number, 11 bits of the second (it wraps after 34 minutes, far
 * beyond any delay), 16 bits of checksum. One tone at a time, because codecs of speech and of music keep single tones
 * even at low bitrates, and no phases, because decoders conceal losses without regard to them. All is between 700 and
 * 2500 Hz, which every sample rate and codec passes. The tones are of a pentatonic scale, of which any sequence is
 * consonant; the nearest two are 129 Hz apart, more than twice the resolution of their 18 ms.
 */
const timeBits = 11;
const wrapS = 2 ** timeBits;
const bitsPerTone = 3;
export const tones = (sourceBits + timeBits + checkBits) / bitsPerTone;

export const sweep = { lengthMs: 40, fromHz: 700, toHz: 2500 } as const;
export const toneMs = 18;
export const burstMs = sweep.lengthMs + tones * toneMs;
/** A5 to D7 in semitones above A4 (440 Hz). */
export const toneHz: readonly number[] = [12, 15, 17, 19, 22, 24, 27, 29].map((above) => 440 * 2 ** (above / 12));
/** -20 dBFS, the level of a line-up tone. */
const level = 0.1;
/** Fade at both ends, so that they do not click. */
const fadeMs = 4;

/**
 * Place of the bursts of a media file within its seconds, which they encode: a file begins and ends in silence, so that
 * its loop is seamless.
 */
export const fileBurstMs = 500;

export interface BurstReading {
  readonly source: number;
  /** Low 11 bits of the second. */
  readonly secondLow: number;
}

/** The tones of a burst, as places in `toneHz`. `second` is a whole number, e.g. of Unix time. */
export function encodeBurst(source: number, second: number): number[] {
  const low = ((second % wrapS) + wrapS) % wrapS;
  const bits = withCheck([...bitsOf(source % maxSources, sourceBits), ...bitsOf(low, timeBits)]);
  return Array.from({ length: tones }, (_, tone) => valueOf(bits.slice(tone * bitsPerTone, (tone + 1) * bitsPerTone)));
}

/** Undefined if not the tones of a burst, or misread. */
export function decodeBurst(places: readonly number[]): BurstReading | undefined {
  const payload = checked(places.flatMap((place) => bitsOf(place, bitsPerTone)));
  if (!payload) return undefined;
  return { source: valueOf(payload.slice(0, sourceBits)), secondLow: valueOf(payload.slice(sourceBits)) };
}

/** Age at `nowMs` of the start of a burst, by the clock that scheduled it. */
export function burstAgeMs(reading: BurstReading, nowMs: number): number {
  const wrapMs = wrapS * 1000;
  return (((nowMs - reading.secondLow * 1000) % wrapMs) + wrapMs) % wrapMs;
}

/** Phase of the sweep in radians, `timeS` after its start. */
export function sweepPhase(timeS: number): number {
  const { lengthMs, fromHz, toHz } = sweep;
  return 2 * Math.PI * (fromHz + ((toHz - fromHz) * timeS) / (2 * (lengthMs / 1000))) * timeS;
}

/** The burst as audio samples, -1 to 1. */
export function burstSamples(source: number, second: number, sampleRateHz: number): Float32Array<ArrayBuffer> {
  const places = encodeBurst(source, second);
  const samples = new Float32Array(Math.round((burstMs / 1000) * sampleRateHz));
  let phase = 0;
  samples.forEach((_, index) => {
    const timeMs = (index * 1000) / sampleRateHz;
    if (timeMs < sweep.lengthMs) phase = sweepPhase(timeMs / 1000);
    else {
      // The phase continues, so that changes between tones do not click.
      const place = places[Math.min(tones - 1, Math.floor((timeMs - sweep.lengthMs) / toneMs))] ?? 0;
      phase += (2 * Math.PI * (toneHz[place] ?? 0)) / sampleRateHz;
    }
    const fade = Math.min(1, timeMs / fadeMs, (burstMs - timeMs) / fadeMs);
    samples[index] = level * Math.sin(phase) * Math.sin((Math.PI / 2) * fade) ** 2;
  });
  return samples;
}
