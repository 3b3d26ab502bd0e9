import { expect, it } from 'vitest';
import { ReportBounds } from './reportBounds';

const viewer = { number: 0, stalledMs: 0, stalls: 0 } as const;

it('accepts what browser viewers of a long run display', () => {
  const bounds = new ReportBounds();
  for (let second = 1; second <= 600; second += 1) {
    // Four places, each with its next viewer after 20 s; the second one is frozen all the time.
    const viewers = [0, 1, 2, 3].map((place) => ({
      ...{ number: place + 4 * Math.floor(second / 20), firstFrameMs: 900, frameRate: 60, jitterBufferMs: 80 },
      ...(place === 1 ? { stalledMs: 1000, stalls: 1, freezeCount: 1, freezeDurationMs: 900 } : viewerOf(place)),
    }));
    expect(bounds.take(viewers, 4, second * 1000)).toBeUndefined();
  }
});

const viewerOf = (place: number) => ({ stalledMs: place, stalls: 0, pauseCount: 0, concealedPercent: 3 });

it.each([
  [{ firstFrameMs: 1e9 }, 'a first frame after 1000000000 ms'],
  [{ frameRate: 1e6 }, '1000000 frames per second'],
  [{ stalledMs: 20_000 }, '20000 ms of stalls'],
  [{ freezeDurationMs: 20_000 }, '20000 ms of stalls'],
  [{ stalls: 1000 }, '1000 stalls'],
  [{ freezeCount: 100_000 }, '100000 freezes'],
  [{ pauseCount: 100_000 }, '100000 freezes'],
  [{ jitterBufferMs: 1e7 }, 'a jitter buffer of 10000000 ms'],
  [{ concealedPercent: 300 }, '300 % concealed'],
  [{ delaysMs: Array.from({ length: 301 }, () => 100) }, '301 delays in a second'],
  [{ delayJitterMs: 70_000 }, 'a delay of more than a minute'],
  [{ pipelineDelayMs: -70_000 }, 'a delay of more than a minute'],
  [{ rttMs: 70_000 }, 'a delay of more than a minute'],
  [{ number: 5000 }, 'viewer 5000'],
])('refuses %o after 10 s', (figures, fault) => {
  expect(new ReportBounds().take([{ ...viewer, ...figures }], 2, 10_000)).toBe(fault);
});

it('refuses more viewers and more reports than there can be, and sums beyond the time', () => {
  const three = [0, 1, 2].map((number) => ({ ...viewer, number }));
  expect(new ReportBounds().take(three, 2, 10_000)).toBe('3 viewers of 2');
  expect(new ReportBounds().take([viewer, viewer], 2, 10_000)).toBe('a viewer twice');
  const often = new ReportBounds();
  const faults = Array.from({ length: 30 }, () => often.take([viewer], 2, 1000));
  expect(faults.filter((fault) => fault === 'more than one report a second')).toHaveLength(22);
  const frozen = new ReportBounds();
  const sums = Array.from({ length: 10 }, (_, second) =>
    frozen.take([{ ...viewer, stalledMs: 3000 }], 2, second * 1000),
  );
  expect(sums.some((each) => each?.endsWith('ms of stalls'))).toBe(true);
});
