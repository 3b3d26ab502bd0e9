import { describe, expect, it } from 'vitest';
import { codeDistance, codeModules } from './pageLayout';
import { photoDelays, type FoundCode } from './photoDelays';
import { photoDelayLine } from './photoText';
import { recordingDelays } from './recordingDelays';

const startMs = 1_795_260_764_000;

interface Spot {
  readonly slot?: 0 | 1;
  readonly timeMs?: number;
  readonly source?: number;
  readonly left?: number;
}

/** A code of 210 x 210 pixels. */
function code({ slot = 0, timeMs = 0, source = 52, left = 0 }: Spot): FoundCode {
  const [from, to] = [left, left + 10 * codeModules];
  const [top, bottom] = [300, 300 + 10 * codeModules];
  return {
    ...{ source, slot, timeMs: startMs + timeMs, refreshMs: 17 },
    corners: [
      { x: from, y: top },
      { x: to, y: top },
      { x: to, y: bottom },
      { x: from, y: bottom },
    ],
  };
}

/** Both codes of a page. */
const page = (left: number, timeMs: number, source = 52): FoundCode[] => [
  code({ left, timeMs: timeMs - 17, source }),
  code({ slot: 1, left: left + 10 * codeDistance, timeMs, source }),
];

describe('delays in a photo', () => {
  it('are those between the newest screen and each older one', () => {
    const { delays, codes, problem } = photoDelays([...page(2000, 258), ...page(0, 1000), ...page(1000, 640)]);
    expect(delays.map(({ delayMs, uncertaintyMs }) => [delayMs, uncertaintyMs])).toEqual([
      [360, 34],
      [742, 34],
    ]);
    expect([codes, problem]).toEqual([6, undefined]);
  });

  it('say which screen is taken as the page, and what their uncertainty does not contain', () => {
    const [delay] = photoDelays([...page(0, 1000), ...page(2000, 258)]).delays;
    expect(photoDelayLine(delay!)).toMatch(
      /^clock 52: 742 ± 34 ms, and up to a frame of the stream \(\S+ beside \S+; the newest readable screen is taken as the clock page, which must be in the picture\)$/,
    );
  });

  it('are less certain where one code of a screen is not readable', () => {
    const [left] = page(2000, 258);
    const { delays } = photoDelays([...page(0, 1000), left!]);
    expect(delays).toMatchObject([{ delayMs: 759, uncertaintyMs: 51, source: 52 }]);
    const two = photoDelays([page(0, 1000)[0]!, left!]);
    expect(two.delays).toMatchObject([{ delayMs: 742, uncertaintyMs: 68 }]);
  });

  it('are none without two screens of one page', () => {
    expect(photoDelays([]).problem).toMatch(/^No code of a clock page/);
    expect(photoDelays(page(0, 1000)).problem).toMatch(/^Only one screen is readable/);
    expect(photoDelays([code({})]).problem).toMatch(/^Only one screen is readable/);
    expect(photoDelays([...page(0, 1000), ...page(2000, 258, 57)]).problem).toMatch(/^The screens show different/);
    expect(photoDelays([...page(0, 70_000), ...page(2000, 258)])).toMatchObject({
      ...{ delays: [], problem: 'Two screens are more than 60 s apart: one of them shows a recording.' },
    });
  });

  it('are none where two codes may be of one screen or of two', () => {
    // Where the other code of the screen would be, but 400 ms older; and near that place.
    const left = code({ timeMs: 1000 });
    for (const place of [10 * codeDistance, 10 * codeDistance + 200]) {
      const { delays, problem } = photoDelays([left, code({ slot: 1, left: place, timeMs: 600 })]);
      expect(delays).toEqual([]);
      expect(problem).toMatch(/^Two codes may be of one screen or of two/);
    }
    expect(photoDelays([left, code({ slot: 1, left: 2000, timeMs: 600 })]).delays).toHaveLength(1);
  });
});

it('delays of a recording are the median over the pictures in which all screens are readable', () => {
  const reading = (...delays: number[]) =>
    photoDelays([...page(0, 5000), ...delays.flatMap((delayMs, index) => page(1000 * (index + 1), 5000 - delayMs))]);
  const all = [reading(100, 700), reading(), reading(120, 690), reading(690), reading(140, 650)];
  expect(recordingDelays(all)).toEqual([
    { source: 52, medianMs: 120, minMs: 100, maxMs: 140, uncertaintyMs: 34, pictures: 3 },
    { source: 52, medianMs: 690, minMs: 650, maxMs: 700, uncertaintyMs: 34, pictures: 3 },
  ]);
  expect(recordingDelays([reading()])).toEqual([]);
});
