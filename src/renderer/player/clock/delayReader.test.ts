import { describe, expect, it } from 'vitest';
import { secondDelays } from './delayReader';
import { DelaySamples } from './delaySamples';

/** Frames each 40 ms until 10 s, with a delay of 100 ms and from 9 s on of 140 ms. */
function picture(): DelaySamples {
  const samples = new DelaySamples(10);
  for (let timeMs = 0; timeMs < 10_000; timeMs += 40)
    samples.add({ timeMs, delayMs: timeMs < 9000 ? 100 : 140, uncertaintyMs: 8 });
  return samples;
}

function soundUntil(lastMs: number): DelaySamples {
  const samples = new DelaySamples(3);
  for (let timeMs = lastMs - 3000; timeMs <= lastMs; timeMs += 1000)
    samples.add({ timeMs, delayMs: 90, uncertaintyMs: 2 });
  return samples;
}

describe('delays of a second', () => {
  it('compare a burst with the frames that were played with it', () => {
    expect(secondDelays(picture(), soundUntil(8700), 10_000)).toEqual({
      delayMs: 140,
      audioDelayMs: 90,
      avOffset: { ms: 10, uncertaintyMs: 10 },
      hasSoundClock: true,
    });
    expect(secondDelays(picture(), soundUntil(9300), 10_000).avOffset?.ms).toBe(50);
  });

  it('have no offset without frames', () => {
    expect(secondDelays(new DelaySamples(10), soundUntil(9500), 10_000)).toEqual({
      delayMs: undefined,
      audioDelayMs: 90,
      avOffset: undefined,
      hasSoundClock: true,
    });
  });

  it('are a gap while bursts are missing for some seconds, and then without a clock in the sound', () => {
    expect(secondDelays(picture(), soundUntil(8000), 10_000)).toEqual({ delayMs: 140, hasSoundClock: true });
    expect(secondDelays(picture(), soundUntil(-1000), 10_000)).toEqual({ delayMs: 140, hasSoundClock: false });
    expect(secondDelays(picture(), new DelaySamples(3), 10_000).hasSoundClock).toBe(false);
  });
});
