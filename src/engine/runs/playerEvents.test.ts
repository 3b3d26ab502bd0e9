import { expect, it } from 'vitest';
import { playerEvents, spotCheckEvent, vmafEvent } from './playerEvents';

it('reports a stall, and a fault of the picture when it begins and when it ends', () => {
  const faults = [
    { kind: 'green', lengthMs: 12_040, isOver: true },
    { kind: 'black', lengthMs: 1001, isOver: false },
  ] as const;
  expect(playerEvents({ stallMs: 800, faults: [...faults] })).toEqual([
    { mark: 'freeze', sentence: 'Picture stalled for 0.80 s' },
    { mark: 'none', sentence: 'Picture was green in large areas for about 12 s' },
    { mark: 'freeze', sentence: 'Picture is black' },
  ]);
  expect(playerEvents({})).toEqual([]);
});

it('reports VMAF with its program and model', () => {
  const event = vmafEvent({
    program: 'ffmpeg 7.1 (libvmaf 3.0.0)',
    model: 'vmaf_v0.6.1',
    ...{ frames: 124, width: 640, height: 360, psnrDb: 41.68, ssim: 0.99123 },
    vmaf: { mean: 93.14, min: 88.03, harmonicMean: 93.02 },
  });
  expect(event.sentence).toBe(
    'VMAF 93.1 (min 88.0, harmonic mean 93.0), PSNR 41.7 dB, SSIM 0.991: 124 frames of 640 × 360, ffmpeg 7.1 (libvmaf 3.0.0), vmaf_v0.6.1',
  );
});

it('reports a spot check, marked where the rating differs from the figures', () => {
  const spotCheck = {
    stream: 'cam',
    rating: 'smooth',
    measured: 'smooth',
    seconds: 10,
    freezes: 0,
    frozenMs: 0,
  } as const;
  expect(spotCheckEvent('lab', { ...spotCheck, fps: 25.04 })).toMatchObject({
    mark: 'none',
    sentence: 'Spot check of cam on lab: rated smooth; measured smooth, no freeze, 25.0 fps',
  });
  expect(spotCheckEvent('lab', { ...spotCheck, measured: 'bad', freezes: 2, frozenMs: 1400 })).toMatchObject({
    mark: 'note',
    sentence: 'Spot check of cam on lab: rated smooth; measured bad, 2 freezes of 1.4 s',
  });
});
