import { expect, it } from 'vitest';
import { WatchedFrames } from './watchedFrames';

/** 25 frames a second from 0 ms on, so that frame n is presented at 40 n ms. */
function watched(frames: number): WatchedFrames {
  const clock = new WatchedFrames();
  clock.frame(0, 1);
  clock.begin(0);
  for (let n = 1; n <= frames; n += 1) clock.frame(40 * n, n + 1);
  return clock;
}

it('measures a steady picture without the rest of its last frame', () => {
  const clock = watched(50);
  clock.end(2030);
  expect(clock.figures()).toEqual({ seconds: 2.03, freezes: 0, frozenMs: 0, longestFreezeMs: 0, fps: 25 });
});

it('counts a short freeze once the usual display time of a frame is known', () => {
  const early = watched(5);
  early.frame(500, 7);
  expect(early.figures().freezes).toBe(0);
  const late = watched(50);
  late.frame(2190, 52);
  late.frame(2379, 53);
  expect(late.figures()).toMatchObject({ freezes: 1, frozenMs: 190, longestFreezeMs: 190 });
});

it('counts a freeze that has not ended, and its time for the rate', () => {
  const clock = watched(25);
  clock.end(2000);
  expect(clock.figures()).toEqual({ seconds: 2, freezes: 1, frozenMs: 1000, longestFreezeMs: 1000, fps: 12.5 });
});

it('counts no freeze where only the callback was late', () => {
  const clock = watched(50);
  clock.frame(2800, 71);
  expect(clock.figures()).toMatchObject({ freezes: 0, fps: 25 });
});

it('counts a freeze whose end is reported together with the late frames after it', () => {
  const clock = watched(50);
  // Nothing for 700 ms, then five frames at once: on average 140 ms, less than the limit of 190.
  clock.frame(2700, 56);
  expect(clock.figures()).toMatchObject({ freezes: 1, frozenMs: 540 });
});

it('counts a freeze right at the start, before the frame rate is known', () => {
  const clock = watched(3);
  // Nothing for 690 ms, then five frames: three are known to be displayed for 40 ms, a burst at the start is not.
  clock.frame(880, 9);
  expect(clock.figures()).toMatchObject({ freezes: 1, frozenMs: 560 });
});

it('counts an interruption, after which another connection counts frames anew', () => {
  const clock = watched(50);
  clock.frame(5000, 1);
  clock.frame(5040, 2);
  clock.end(5040);
  expect(clock.figures()).toMatchObject({ seconds: 5.04, freezes: 1, frozenMs: 3000 });
});

it('does not count time in which the picture was covered or hidden', () => {
  const clock = watched(25);
  clock.end(1000);
  clock.frame(4000, 30);
  clock.begin(4010);
  clock.frame(4040, 31);
  clock.forget();
  expect(clock.watchedMs(9000)).toBe(1030);
  clock.frame(9000, 40);
  clock.frame(9040, 41);
  expect(clock.watchedMs(9050)).toBe(1080);
  clock.end(9050);
  expect(clock.figures()).toMatchObject({ seconds: 1.08, freezes: 0 });
});
