import { describe, expect, it } from 'vitest';
import { burstSamples } from '../../../domain/clock/toneBurst';
import { BurstDetector, type DetectedBurst } from './burstDetector';

const source = 9;
const count = 8;
const startS = 0.25;

let seed = 1;
const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
const gaussian = (): number => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());

/** One burst a second, each a quarter of a second after its full second, plus a fraction of a sample. */
function bursts(rateHz: number, fraction = 0): Float32Array {
  // A burst that begins at a fraction of a sample is one of a rate 64 times as high.
  const fine = fraction === 0 ? 1 : 64;
  const samples = new Float32Array(rateHz * (count + 1));
  for (let second = 0; second < count; second += 1) {
    const burst = burstSamples(source, second, rateHz * fine).filter(
      (_, index) => index % fine === Math.round((1 - fraction) * fine) % fine,
    );
    samples.set(burst, (second + startS) * rateHz + Math.ceil(fraction));
  }
  return samples;
}

function detect(samples: Float32Array, rateHz: number, chunk = Math.round(rateHz / 100)): DetectedBurst[] {
  const detector = new BurstDetector(rateHz);
  const found: DetectedBurst[] = [];
  for (let at = 0; at < samples.length; at += chunk) found.push(...detector.push(samples.subarray(at, at + chunk)));
  return found;
}

/** All bursts were read; returns the largest error of their starts. */
function errorMs(found: readonly DetectedBurst[], rateHz: number): number {
  expect(found.map(({ reading }) => reading)).toEqual(
    Array.from({ length: count }, (_, secondLow) => ({ source, secondLow })),
  );
  return Math.max(...found.map(({ start, reading }) => 1000 * Math.abs(start / rateHz - startS - reading.secondLow)));
}

/** Linear interpolation: what a cheap resampler does. */
function resampled(samples: Float32Array, factor: number): Float32Array {
  return Float32Array.from({ length: Math.floor((samples.length - 1) * factor) }, (_, index) => {
    const at = index / factor;
    const before = samples[Math.floor(at)] ?? 0;
    return before + (at % 1) * ((samples[Math.floor(at) + 1] ?? 0) - before);
  });
}

/** A moving average: the crudest of band limits. */
function averaged(samples: Float32Array, length: number): Float32Array {
  return samples.map((_, index) => samples.subarray(index, index + length).reduce((sum, one) => sum + one, 0) / length);
}

describe('burst detector', () => {
  it.each([8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000])('reads bursts at %i Hz', (rateHz) => {
    expect(errorMs(detect(bursts(rateHz), rateHz), rateHz)).toBeLessThan(0.05);
  });

  it('finds the start to a fraction of a sample', () => {
    const found = detect(bursts(8000, 0.5), 8000);
    for (const { start, reading } of found) expect(start - (startS + reading.secondLow) * 8000).toBeCloseTo(0.5, 1);
  });

  it.each([1, 128, 441, 1024, 4800, 1_000_000])('reads bursts in blocks of %i samples', (chunk) => {
    expect(errorMs(detect(bursts(16_000), 16_000, chunk), 16_000)).toBeLessThan(0.05);
  });

  const channels: readonly [string, (samples: Float32Array) => Float32Array][] = [
    ['noise as loud as the burst', (samples) => samples.map((sample) => sample + 0.07 * gaussian())],
    ['a gain of -40 dB', (samples) => samples.map((sample) => sample / 100)],
    ['inverted phase', (samples) => samples.map((sample) => -sample)],
    ['clipping', (samples) => samples.map((sample) => Math.max(-0.02, Math.min(0.02, sample)))],
    ['a constant', (samples) => samples.map((sample) => sample + 0.3)],
    ['8 bits per sample', (samples) => samples.map((sample) => Math.round(sample * 128) / 128)],
    ['hum', (samples) => samples.map((sample, index) => sample + 0.2 * Math.sin((2 * Math.PI * 50 * index) / 48_000))],
    ['an echo', (samples) => samples.map((sample, index) => sample + 0.4 * (samples[index - 3000] ?? 0))],
    ['a band limit', (samples) => averaged(samples, 9).map((_, index, all) => all[index - 4] ?? 0)],
    ['48 to 44.1 to 48 kHz', (samples) => resampled(resampled(samples, 44_100 / 48_000), 48_000 / 44_100)],
    ['a clock that is 300 ppm fast', (samples) => resampled(samples, 1.0003)],
  ];
  it.each(channels)('reads bursts after %s', (name, channel) => {
    // The bursts after a wrong clock begin later and later.
    const allowedMs = name.includes('ppm') ? 0.3 * count : 0.1;
    expect(errorMs(detect(channel(bursts(48_000)), 48_000), 48_000)).toBeLessThanOrEqual(allowedMs);
  });

  it('reads bursts with lost packets of 20 ms correctly or not at all', () => {
    const rateHz = 16_000;
    const intact = bursts(rateHz);
    let read = 0;
    for (let round = 0; round < 30; round += 1) {
      // Concealed by silence, or by the packet before.
      const damaged = intact.slice();
      for (let at = 320; at < damaged.length; at += 320)
        if (random() < 0.1) damaged.set(random() < 0.5 ? new Float32Array(320) : damaged.slice(at - 320, at), at);
      for (const { reading, start } of detect(damaged, rateHz)) {
        expect(reading).toEqual({ source, secondLow: Math.floor(start / rateHz) });
        read += 1;
      }
    }
    // There are 240 packets; a burst is 12 packets long.
    expect(read).toBeGreaterThan(50);
    expect(read).toBeLessThan(190);
  });

  it('finds nothing in noise, tones and music', () => {
    const music = (at: number): number =>
      Math.sin(at * 0.06 * (1 + Math.floor(at / 6000) / 7)) * Math.exp(-(at % 6000) / 3000);
    for (const sound of [() => gaussian(), (at: number) => Math.sin(at / 7), music])
      expect(
        detect(
          Float32Array.from({ length: 300_000 }, (_, at) => 0.3 * sound(at)),
          48_000,
        ),
      ).toEqual([]);
  });
});
