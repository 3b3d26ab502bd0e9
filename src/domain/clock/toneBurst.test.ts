import { describe, expect, it } from 'vitest';
import { burstAgeMs, burstMs, burstSamples, decodeBurst, encodeBurst, toneHz } from './toneBurst';

const second = 1_795_260_764;

describe('tone burst', () => {
  it('encodes source and second', () => {
    const reading = decodeBurst(encodeBurst(37, second));
    expect(reading?.source).toBe(37);
    expect(reading && burstAgeMs(reading, second * 1000 + 218)).toBe(218);
  });

  it('computes the age across the wrap of its 11 bits', () => {
    const reading = decodeBurst(encodeBurst(0, 2 ** 11 - 1));
    expect(reading && burstAgeMs(reading, 2 ** 11 * 1000 + 25)).toBe(1025);
  });

  it('rejects any misread of up to five adjacent tones', () => {
    const places = encodeBurst(5, second);
    for (let from = 0; from < places.length; from += 1)
      for (let count = 1; count <= Math.min(5, places.length - from); count += 1)
        for (let error = 1; error < toneHz.length; error += 1) {
          const misread = places.map((place, tone) =>
            tone >= from && tone < from + count ? (place + error) % toneHz.length : place,
          );
          expect(decodeBurst(misread)).toBeUndefined();
        }
  });

  it('reads all intact bursts, and of 100,000 damaged ones no more than the checksum lets pass', () => {
    let seed = 1;
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    let [misread, accepted] = [0, 0];
    for (let burst = 0; burst < 100_000; burst += 1) {
      const source = Math.floor(random() * 64);
      const intact = encodeBurst(source, burst);
      expect(decodeBurst(intact)).toEqual({ source, secondLow: burst % 2 ** 11 });
      const damaged = intact.map((place) => (random() < 0.5 ? Math.floor(random() * toneHz.length) : place));
      if (damaged.every((place, tone) => place === intact[tone])) continue;
      misread += 1;
      if (decodeBurst(damaged)) accepted += 1;
    }
    // One in 65,536 is expected: 1.5, and with a probability of 99.9 % max 7.
    expect(misread).toBeGreaterThan(99_000);
    expect(accepted).toBeLessThanOrEqual(7);
  });

  it('sounds at -20 dBFS, without clicks', () => {
    const samples = burstSamples(5, second, 48_000);
    expect(samples).toHaveLength(burstMs * 48);
    const steps = samples.map((sample, index) => Math.abs(sample - (samples[index - 1] ?? 0)));
    expect(Math.max(...samples)).toBeCloseTo(0.1, 3);
    expect(Math.abs(samples.at(-1) ?? 1)).toBeLessThan(1e-3);
    // No step is larger than those of the highest frequency.
    expect(Math.max(...steps)).toBeLessThan(0.1 * ((2 * Math.PI * 2500) / 48_000) * 1.01);
  });
});
