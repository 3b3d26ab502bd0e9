/** 8-bit samples of one component of a picture, within a larger buffer. */
export interface Plane {
  readonly bytes: Uint8Array;
  /** Offset of the first sample. */
  readonly offset: number;
  /** Bytes per line. */
  readonly stride: number;
  readonly width: number;
  readonly height: number;
}

/** A plane whose samples are not adjacent: interleaved chroma, or a component of RGB. */
export interface SteppedPlane extends Plane {
  /** Bytes from one sample to the next of its line. */
  readonly step: number;
}

/** A plane whose samples are adjacent, without unused bytes. */
export function packedPlane(bytes: Uint8Array, width: number, height: number): Plane {
  return { bytes, offset: 0, stride: width, width, height };
}

/** Lines per band: a multiple of every block size of common codecs. */
const bandLines = 32;
/** Samples that are analysed per picture: cost must not grow with its size. */
const maxSamples = 256_000;

/** The whole plane, or of a large one horizontal bands spread over its height, each from a multiple of 16 lines. */
export function bandsOf(plane: Plane): readonly Plane[] {
  const { width, height, offset, stride } = plane;
  if (width * height <= maxSamples) return [plane];
  const count = Math.max(1, Math.floor(maxSamples / (width * bandLines)));
  return Array.from({ length: count }, (_, band) => {
    const top = 16 * Math.floor(((band + 0.5) * height) / count / 16 - bandLines / 32);
    const from = Math.max(0, top);
    return { ...plane, offset: offset + from * stride, height: Math.min(bandLines, height - from) };
  });
}
