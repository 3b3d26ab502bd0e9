import { z } from 'zod';
import { i420Bytes, vmafLimits } from '../domain/model/vmaf';
import * as s from './schemas';

/** VMAF of a control player's picture: the window sends frames, the engine has a program of this machine compare them. */

const done = z.object({ done: z.literal(true) });
const measurement = z.string().min(1).max(64);
const picture = s.bytes(i420Bytes(vmafLimits.width, vmafLimits.height));
const pooled = z.object({ mean: z.number(), min: z.number(), harmonicMean: z.number() });

export const vmafResult = z.object({
  /** With its version, e.g. `ffmpeg 7.1 (libvmaf 3.0.0)`. */
  program: z.string(),
  /** E.g. `vmaf_v0.6.1`. */
  model: z.string(),
  frames: z.number().int(),
  width: z.number().int(),
  height: z.number().int(),
  vmaf: pooled,
  /** Mean over the frames, of the luma. */
  psnrDb: z.number(),
  ssim: z.number(),
});
export type VmafResult = z.infer<typeof vmafResult>;

export const vmafCalls = {
  /**
   * Begins a measurement of pictures of this size. Rejects with what to install on a machine without a program for VMAF,
   * and during another measurement. `measurement` is a new id, chosen by the window.
   */
  'vmaf.open': {
    input: z.strictObject({
      measurement,
      width: z.number().int().min(vmafLimits.minSide).max(vmafLimits.width),
      height: z.number().int().min(vmafLimits.minSide).max(vmafLimits.height),
    }),
    output: done,
  },
  /** The next frame as I420, as displayed and as drawn. At most `vmafLimits.frames` of them. */
  'vmaf.frame': {
    input: z.strictObject({ measurement, played: picture, reference: picture }),
    output: done,
  },
  /** Compares the frames, ends the measurement, and records its result as an event of the active run, if any. */
  'vmaf.measure': { input: z.strictObject({ measurement }), output: vmafResult },
  /** Ends a measurement and removes its frames; one that has ended already is fine. */
  'vmaf.cancel': { input: z.strictObject({ measurement }), output: done },
} as const;
