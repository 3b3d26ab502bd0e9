import { FullhouseError } from '../../contract/calls';
import { ffmpegCommand } from '../base/ffmpeg';
import { runProgram } from '../base/program';

/** The model for TV at a distance of three screen heights, which is built into libvmaf. */
export const vmafModel = 'vmaf_v0.6.1';
/** Names within the folder of a measurement: a path could need escapes in ffmpeg's options. */
export const vmafFiles = { played: 'played.y4m', reference: 'reference.y4m', log: 'vmaf.json' } as const;

const lookMs = 10_000;

/** A program of this machine that computes VMAF. */
export interface VmafProgram {
  /** With the version of libvmaf that its log names. */
  name(libvmaf: string): string;
  /** Compares the files of the current folder and writes the log. */
  readonly command: readonly [string, ...string[]];
}

const { played, reference, log } = vmafFiles;
const filter = `libvmaf=log_fmt=json:log_path=${log}:model=version=${vmafModel}:feature=name=psnr|name=float_ssim`;

async function ffmpegWithVmaf(): Promise<VmafProgram | undefined> {
  const print = (option: string): Promise<string> =>
    runProgram(ffmpegCommand(['-hide_banner', option]), { variables: {}, isTool: true, timeoutMs: lookMs });
  if (!/\slibvmaf\s/.test(await print('-filters'))) return undefined;
  const version = /^ffmpeg version (\S+)/.exec(await print('-version'))?.[1] ?? '';
  return {
    name: (libvmaf) => `ffmpeg ${version} (libvmaf ${libvmaf})`,
    command: ffmpegCommand(['-i', played, '-i', reference, '-lavfi', `[0:v][1:v]${filter}`, '-f', 'null', '-']),
  };
}

async function vmafItself(): Promise<VmafProgram> {
  await runProgram(['vmaf', '--version'], { variables: {}, isTool: true, timeoutMs: lookMs });
  const files = ['--reference', reference, '--distorted', played, '--output', log, '--json', '--quiet'];
  const features = ['--model', `version=${vmafModel}`, '--feature', 'psnr', '--feature', 'float_ssim'];
  return { name: (libvmaf) => `vmaf ${libvmaf}`, command: ['vmaf', ...files, ...features] };
}

/** ffmpeg with libvmaf, else `vmaf`. Throws a sentence that names what to install if this machine has neither. */
export async function findVmafProgram(): Promise<VmafProgram> {
  const reasons: string[] = [];
  for (const [name, find] of [
    ['ffmpeg', ffmpegWithVmaf],
    ['vmaf', vmafItself],
  ] as const)
    try {
      const found = await find();
      if (found) return found;
      reasons.push(`${name} has no libvmaf`);
    } catch (error) {
      reasons.push(`${name}: ${(error as Error).message.replace(/\.$/, '')}`);
    }
  throw new FullhouseError(
    'no-vmaf',
    `This machine has no program for VMAF (${reasons.join('; ')}). Install an ffmpeg built with libvmaf, or the program vmaf of libvmaf, and make it available on the PATH.`,
  );
}
