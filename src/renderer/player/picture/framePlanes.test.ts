import { describe, expect, it } from 'vitest';
import { brightnessOf, chromaOf, i420Of, lumaOf, type CopiedFrame } from './framePlanes';

const width = 4;
const height = 2;

/** A frame of one colour, as a browser copies it. */
function rgbFrame(format: string, [r, g, b]: readonly [number, number, number]): CopiedFrame {
  const pixel = format.startsWith('B') ? [b, g, r, 255] : [r, g, b, 255];
  const bytes = Uint8Array.from({ length: 4 * width * height }, (_, at) => pixel[at % 4] ?? 0);
  return { format, bytes, layout: [{ offset: 0, stride: 4 * width }], width, height };
}

const i420: CopiedFrame = {
  format: 'I420',
  bytes: Uint8Array.from([1, 2, 3, 4, 0, 5, 6, 7, 8, 0, 20, 21, 30, 31]),
  layout: [
    { offset: 0, stride: 5 },
    { offset: 10, stride: 2 },
    { offset: 12, stride: 2 },
  ],
  width,
  height,
};
const nv12: CopiedFrame = {
  format: 'NV12',
  bytes: Uint8Array.from([1, 2, 3, 4, 0, 5, 6, 7, 8, 0, 20, 30, 21, 31]),
  layout: [
    { offset: 0, stride: 5 },
    { offset: 10, stride: 4 },
  ],
  width,
  height,
};
const noBuffer = (): Uint8Array => {
  throw new Error('Only RGB needs a buffer.');
};

describe('planes of a frame', () => {
  // What Chromium 108 decodes of bars of these colours that it has encoded, whatever the codec.
  it.each([
    [
      [191, 191, 191],
      [180, 128, 128],
    ],
    [
      [191, 191, 0],
      [161, 44, 141],
    ],
    [
      [0, 191, 191],
      [131, 156, 44],
    ],
    [
      [0, 191, 0],
      [112, 72, 57],
    ],
    [
      [191, 0, 191],
      [84, 183, 198],
    ],
    [
      [191, 0, 0],
      [65, 99, 211],
    ],
    [
      [0, 0, 191],
      [35, 211, 114],
    ],
  ] as const)('of the colour %j are those of a browser', (rgb, [y, u, v]) => {
    for (const format of ['RGBX', 'BGRX']) {
      const frame = rgbFrame(format, rgb);
      expect([...lumaOf(frame, () => new Uint8Array(8)).bytes]).toEqual(new Array(8).fill(y));
      expect([...(i420Of(frame) ?? [])]).toEqual([...new Array<number>(8).fill(y), u, u, v, v]);
      expect(chromaOf(frame)).toBeUndefined();
    }
  });

  it('of I420 and NV12 are read in place', () => {
    for (const frame of [i420, nv12]) {
      expect(lumaOf(frame, noBuffer)).toMatchObject({ bytes: frame.bytes, offset: 0, stride: 5, width, height });
      expect([...(i420Of(frame) ?? [])]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 20, 21, 30, 31]);
      const samples = chromaOf(frame)?.map(({ bytes, offset, step, width: count }) =>
        Array.from({ length: count }, (_, at) => bytes[offset + at * step]),
      );
      expect(samples).toEqual([
        [20, 21],
        [30, 31],
      ]);
    }
  });

  it('of 4:4:4 have no I420', () => {
    const bytes = new Uint8Array(24);
    const layout = [0, 8, 16].map((offset) => ({ offset, stride: width }));
    expect(i420Of({ format: 'I444', bytes, layout, width, height })).toBeUndefined();
    expect(chromaOf({ format: 'I444', bytes, layout, width, height })?.[0]).toMatchObject({ width, height });
  });

  it('have the green of RGB as brightness', () => {
    const { bytes, offset, step } = brightnessOf(rgbFrame('RGBA', [1, 77, 3]));
    expect(bytes[offset + step]).toBe(77);
  });
});
