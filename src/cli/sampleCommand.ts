import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reasonOf } from '../engine/store/failure';
import { print, printStatus } from './print';
import { exitCodes } from './runCommand';
import { sampleCodecs, type SampleCommand } from './sampleArgs';
import { audioArgs, videoArgs } from './sampleRecipe';

const run = promisify(execFile);

/** Monospaced fonts where systems have them; `FONT` names another. */
const fonts = [
  '/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf',
  '/usr/share/fonts/dejavu-sans-mono-fonts/DejaVuSansMono-Bold.ttf',
  '/usr/share/fonts/TTF/DejaVuSansMono-Bold.ttf',
  '/System/Library/Fonts/Supplemental/Courier New Bold.ttf',
];

/** Makes test media with this machine's ffmpeg; prints the path of the video, which is what plans and agents take. */
export async function sampleCommand(sample: SampleCommand): Promise<number> {
  const name = join(sample.out, `${sample.codec}-${sample.width}x${sample.height}-${sample.kbps}k`);
  const video = `${name}.${sampleCodecs[sample.codec]}`;
  const font = process.env['FONT'] ?? fonts.find(existsSync);
  if (font === undefined)
    printStatus('No monospaced font was found, so the picture has no clock: set FONT to a TrueType file.');
  mkdirSync(sample.out, { recursive: true });
  const audio = `${name}.ogg`;
  for (const [file, args] of [
    [video, videoArgs(sample, font, video)],
    [audio, audioArgs(sample.seconds, audio)],
  ] as const)
    try {
      await run('ffmpeg', args, { maxBuffer: 1 << 20 });
    } catch (error) {
      rmSync(file, { force: true });
      const { code, stderr = '' } = error as { readonly code?: unknown; readonly stderr?: string };
      if (code === 'ENOENT') throw new Error('ffmpeg was not found on this machine; install it.', { cause: error });
      throw new Error(`ffmpeg failed: ${stderr.trim().split('\n').at(-1) || reasonOf(error)}`, { cause: error });
    }
  print(`${video}\n`);
  return exitCodes.pass;
}
