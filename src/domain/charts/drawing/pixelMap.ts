/** From a sample's time and value to pixels. */
export interface PixelMap {
  readonly x0: number;
  readonly xPerMs: number;
  readonly y0: number;
  readonly yPerUnit: number;
}

/** A plot in pixels with its ranges of time and value. */
export interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly low: number;
  readonly high: number;
}

/** `startedMs`: added to the times of the plot if those of the samples are Unix ms. */
export function pixelMapOf({ left, right, top, bottom, fromMs, toMs, low, high }: Plot, startedMs = 0): PixelMap {
  const xPerMs = (right - left) / (toMs - fromMs);
  const yPerUnit = (top - bottom) / (high - low);
  return { x0: left - (startedMs + fromMs) * xPerMs, xPerMs, y0: bottom - low * yPerUnit, yPerUnit };
}
