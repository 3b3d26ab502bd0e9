import { expect, it } from 'vitest';
import { StallStills, type StillPicture } from './stallStills';

const picture: StillPicture = { mime: 'image/png', data: new Uint8Array([1]) };

function counting(): { take: () => Promise<StillPicture>; taken: () => number } {
  let taken = 0;
  return {
    take: () => {
      taken += 1;
      return Promise.resolve(picture);
    },
    taken: () => taken,
  };
}

it('captures one picture per stall and returns it when the stall has ended', async () => {
  const stills = new StallStills();
  const { take, taken } = counting();
  for (const nowMs of [600, 700, 800]) stills.watch({ startMs: 100, lengthMs: nowMs - 100 }, nowMs, take);
  expect(taken()).toBe(1);
  expect(await stills.release({ startMs: 100, lengthMs: 730 })).toBe(picture);
  expect(stills.release({ startMs: 100, lengthMs: 730 })).toBeUndefined();
});

it('captures none of stalls that follow too soon, and returns no picture of another stall', () => {
  const stills = new StallStills();
  const { take, taken } = counting();
  stills.watch({ startMs: 100, lengthMs: 500 }, 600, take);
  stills.watch({ startMs: 3000, lengthMs: 500 }, 3500, take);
  expect(taken()).toBe(1);
  expect(stills.release({ startMs: 3000, lengthMs: 500 })).toBeUndefined();
  stills.watch({ startMs: 9000, lengthMs: 500 }, 9500, take);
  expect(taken()).toBe(2);
});

it('drops the picture at the end of a connection', () => {
  const stills = new StallStills();
  stills.watch({ startMs: 100, lengthMs: 500 }, 600, counting().take);
  stills.forget();
  expect(stills.release({ startMs: 100, lengthMs: 900 })).toBeUndefined();
});
