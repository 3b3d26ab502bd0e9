import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { startFfmpeg } from '../engine/base/ffmpeg';
import { print, printStatus } from './print';
import { exitCodes } from './exitCodes';
import { sampleCodecs, type SampleCommand } from './sampleArgs';
import { clockRows, toneBursts } from './sampleClock';
import { audioArgs, fps, videoArgs } from './sampleRecipe';

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
    printStatus('No monospaced font was found, so the picture has no clock to read: set FONT to a TrueType file.');
  mkdirSync(sample.out, { recursive: true });
  const audio = `${name}.ogg`;
  await run(videoArgs(sample, font, video), [clockRows(sample.seconds, fps)], video);
  await run(audioArgs(sample.seconds, audio), toneBursts(sample.seconds), audio);
  print(video);
  return exitCodes.pass;
}

/** Runs ffmpeg with this input; a file that it could not complete is removed. */
async function run(args: readonly string[], input: Iterable<Buffer>, file: string): Promise<void> {
  const { child, closed } = startFfmpeg(args, {
    missing: 'ffmpeg was not found on this machine; install it.',
    ended: (words) => `ffmpeg failed: ${words}.`,
  });
  child.stdout.resume();
  Readable.from(input).pipe(child.stdin);
  const sentence = await closed;
  if (child.exitCode === 0) return;
  rmSync(file, { force: true });
  throw new Error(sentence);
}
