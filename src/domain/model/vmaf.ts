/** Bounds of one VMAF measurement: its frames take at most 415 MB of the temporary folder. */
export const vmafLimits = { minSide: 64, width: 1280, height: 720, frames: 150 } as const;

/** Bytes of a picture as I420: luma, and two planes of chroma at half the resolution. */
export function i420Bytes(width: number, height: number): number {
  return width * height + 2 * Math.ceil(width / 2) * Math.ceil(height / 2);
}
