import { z } from 'zod';
import type { VmafResult } from '../../contract/vmafCalls';
import { parseForeignJson } from '../../domain/budget/foreignJson';

const pooled = z.object({ mean: z.number(), min: z.number(), harmonic_mean: z.number() });
/** The JSON log of libvmaf, which `vmaf` and ffmpeg write alike; versions name their features with or without a prefix. */
const vmafLog = z.object({
  version: z.string(),
  frames: z.array(z.object({ frameNum: z.number() })),
  pooled_metrics: z.object({ vmaf: pooled, psnr_y: pooled, float_ssim: pooled }),
});

export type VmafScores = Pick<VmafResult, 'vmaf' | 'psnrDb' | 'ssim' | 'frames'> & {
  /** Version of libvmaf. */
  readonly version: string;
};

/** Reads the log; undefined if it is not one of libvmaf with all scores. */
export function readVmafLog(text: string): VmafScores | undefined {
  let raw: unknown;
  try {
    raw = parseForeignJson(text);
  } catch {
    return undefined;
  }
  const parsed = vmafLog.safeParse(raw);
  if (!parsed.success) return undefined;
  const { version, frames, pooled_metrics: metrics } = parsed.data;
  const { mean, min, harmonic_mean: harmonicMean } = metrics.vmaf;
  return {
    version,
    frames: frames.length,
    vmaf: { mean, min, harmonicMean },
    psnrDb: metrics.psnr_y.mean,
    ssim: metrics.float_ssim.mean,
  };
}
