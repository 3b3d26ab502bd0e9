import { describe, expect, it } from 'vitest';
import { degradedCause, type ViewerWindow } from './degraded';

const healthy: ViewerWindow = {
  longestGapMs: 60,
  frameRate: 25,
  nominalFrameRate: 25,
  lossPercent: 0,
  connectedForMs: 60_000,
};

describe('a degraded viewer', () => {
  it('is not one with good playback', () => {
    expect(degradedCause(healthy)).toBeUndefined();
  });

  it.each([
    ['a gap of 500 ms', { longestGapMs: 500 }, 'stall'],
    ['a gap of 499 ms', { longestGapMs: 499 }, undefined],
    ['just 80 % of the frames', { frameRate: 20 }, undefined],
    ['less than 80 % of the frames', { frameRate: 19.9 }, 'frame-rate'],
    ['just 2 % missing', { lossPercent: 2 }, undefined],
    ['more than 2 % missing', { lossPercent: 2.1 }, 'loss'],
    ['few frames of a stream of unknown frame rate', { frameRate: 3, nominalFrameRate: 0 }, undefined],
  ] as const)('with %s', (_title, seen, cause) => {
    expect(degradedCause({ ...healthy, ...seen })).toBe(cause);
  });

  it('is judged by rate and loss only over a full window, but by a freeze immediately', () => {
    const justConnected = { ...healthy, connectedForMs: 1000, frameRate: 5, lossPercent: 50 };
    expect(degradedCause(justConnected)).toBeUndefined();
    expect(degradedCause({ ...justConnected, longestGapMs: 700 })).toBe('stall');
  });
});
