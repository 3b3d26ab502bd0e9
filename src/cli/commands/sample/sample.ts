import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { startFfmpeg } from '../../../engine/base/ffmpeg';
import { command, form } from '../../command';
import { exitCodes } from '../../exitCodes';
import { choice, kbps, out, seconds, text, withDefault } from '../../options';
import { inRange, numberOf } from '../../optionValues';
import { print, printStatus } from '../../print';
import { UsageError } from '../../usageError';
import {
  audioArgs,
  clockRows,
  fps,
  type Sample,
  type SampleCodec,
  sampleCodecs,
  toneBursts,
  videoArgs,
} from './sampleRecipe';
import { variable } from '../../../engine/base/variables';

const codecs = Object.keys(sampleCodecs);
const usual = { codec: 'h264', size: '1280x720', kbps: '1500', seconds: '12' } as const;

export const sample = command({
  name: 'sample',
  options: {
    codec: withDefault(choice('CODEC', 'codec of the video', codecs), usual.codec),
    size: withDefault(text('WIDTHxHEIGHT', 'size of the video'), usual.size),
    kbps: withDefault(kbps, usual.kbps),
    seconds: withDefault(seconds, usual.seconds),
    out: withDefault(out, '.'),
  },
  forms: [
    form(
      `[--codec ${codecs.join('|')}] [--size ${usual.size}] [--kbps ${usual.kbps}] [--seconds ${usual.seconds}] [--out DIR]`,
      'make test media with ffmpeg, as a loop to publish: clock and frame counter, also machine-readable',
    ),
  ],
  examples: ['sample --codec vp9 --size 640x360 --kbps 400 --out media'],
  read: ({ values }): SampleInput => {
    const { codec } = values;
    if (!isCodec(codec)) throw new UsageError(`Unknown codec "${codec}". Codecs: ${codecs.join(', ')}.`);
    const size = /^(\d{2,4})x(\d{2,4})$/.exec(values.size);
    const [width, height] = [Number(size?.[1]), Number(size?.[2])];
    if (!(inRange(width, 64, 7680) && inRange(height, 64, 4320) && width % 2 === 0 && height % 2 === 0))
      throw new UsageError(`--size is "${values.size}"; it must be two even numbers from 64x64 to 7680x4320.`);
    return {
      ...{ codec, width, height },
      kbps: numberOf('--kbps', values.kbps, 20, 100_000),
      seconds: numberOf('--seconds', values.seconds, 2, 600),
      out: values.out,
    };
  },
  run: makeSample,
});

interface SampleInput extends Sample {
  /** The folder of the files. */
  readonly out: string;
}

const isCodec = (typed: string): typed is SampleCodec => Object.hasOwn(sampleCodecs, typed);

/** Monospaced fonts where systems have them; `FONT` names another. */
const fonts = [
  '/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf',
  '/usr/share/fonts/dejavu-sans-mono-fonts/DejaVuSansMono-Bold.ttf',
  '/usr/share/fonts/TTF/DejaVuSansMono-Bold.ttf',
  '/System/Library/Fonts/Supplemental/Courier New Bold.ttf',
];

/** Makes test media with this machine's ffmpeg; prints the path of the video, which is what plans and agents take. */
async function makeSample(input: SampleInput): Promise<number> {
  const name = join(input.out, `${input.codec}-${input.width}x${input.height}-${input.kbps}k`);
  const video = `${name}.${sampleCodecs[input.codec]}`;
  const font = variable('FONT') ?? fonts.find(existsSync);
  if (font === undefined)
    printStatus('No monospaced font was found, so the picture has no clock to read: set FONT to a TrueType file.');
  mkdirSync(input.out, { recursive: true });
  const audio = `${name}.ogg`;
  await runFfmpeg(videoArgs(input, font, video), [clockRows(input.seconds, fps)], video);
  await runFfmpeg(audioArgs(input.seconds, audio), toneBursts(input.seconds), audio);
  print(video);
  return exitCodes.pass;
}

/** Runs ffmpeg with this input; a file that it could not complete is removed. */
async function runFfmpeg(args: readonly string[], input: Iterable<Buffer>, file: string): Promise<void> {
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
