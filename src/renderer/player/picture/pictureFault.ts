import type { PictureFault } from '../../../domain/model/pictureFault';
import type { Plane, SteppedPlane } from './plane';

/** Every so many samples of luma are read, in both directions. */
const lumaEvery = 4;
const chromaEvery = 2;
/** Share of a picture that is black or uniform. */
const wholeShare = 0.98;
/** Black: less than a tenth of the range above its lowest level. As in ffmpeg's blackdetect. */
const darkShare = 0.1;
/** Neither chroma of a legal picture is that low at the same time; memory that a decoder never wrote is 0. */
const emptyChroma = 16;
/** Share of a picture that a decoder has not written. */
const emptyShare = 0.1;
/** Levels between samples of one colour, after coding. */
const uniformLevels = 6;

export interface JudgedPlanes {
  readonly luma: Plane;
  readonly chroma: readonly [SteppedPlane, SteppedPlane] | undefined;
  /** Levels 0 to 255 instead of 16 to 235. */
  readonly isFullRange: boolean;
}

/** A picture that is black, green from memory that the decoder never wrote, or of a single colour. */
export function pictureFault({ luma, chroma, isFullRange }: JudgedPlanes): PictureFault | undefined {
  if (chroma && emptyChromaShare(chroma) >= emptyShare) return 'green';
  const levels = histogram({ ...luma, step: 1 }, lumaEvery);
  const [black, white] = isFullRange ? [0, 255] : [16, 235];
  if (shareWithin(levels, 0, black + darkShare * (white - black)) >= wholeShare) return 'black';
  const isUniform = [levels, ...(chroma ?? []).map((plane) => histogram(plane, chromaEvery))].every(
    (each) => densestShare(each) >= wholeShare,
  );
  return isUniform ? 'uniform' : undefined;
}

function emptyChromaShare([u, v]: readonly [SteppedPlane, SteppedPlane]): number {
  let all = 0;
  let empty = 0;
  for (let y = 0; y < u.height; y += chromaEvery)
    for (let x = 0; x < u.width; x += chromaEvery) {
      all += 1;
      const ofU = u.bytes[u.offset + y * u.stride + x * u.step] ?? 0;
      const ofV = v.bytes[v.offset + y * v.stride + x * v.step] ?? 0;
      if (ofU < emptyChroma && ofV < emptyChroma) empty += 1;
    }
  return empty / all;
}

/** Samples of each level. */
function histogram({ bytes, offset, stride, step, width, height }: SteppedPlane, every: number): Uint32Array {
  const levels = new Uint32Array(256);
  for (let y = 0; y < height; y += every)
    for (let x = 0; x < width; x += every) {
      const level = bytes[offset + y * stride + x * step] ?? 0;
      levels[level] = (levels[level] ?? 0) + 1;
    }
  return levels;
}

function shareWithin(levels: Uint32Array, from: number, to: number): number {
  let inside = 0;
  let all = 0;
  levels.forEach((count, level) => {
    all += count;
    if (level >= from && level <= to) inside += count;
  });
  return inside / all;
}

/** The largest share within a few levels. */
function densestShare(levels: Uint32Array): number {
  let highest = 0;
  levels.forEach((count, level) => {
    if (count > 0) highest = Math.max(highest, shareWithin(levels, level, level + uniformLevels));
  });
  return highest;
}
