import { inRange, numberOption } from './numberOption';
import { UsageError } from './usageError';

/** Codecs of video, with the extension of their files. */
export const sampleCodecs = { h264: 'h264', h265: 'h265', vp8: 'ivf', vp9: 'ivf', av1: 'ivf' } as const;
export type SampleCodec = keyof typeof sampleCodecs;

export interface SampleCommand {
  readonly command: 'sample';
  readonly codec: SampleCodec;
  readonly width: number;
  readonly height: number;
  readonly kbps: number;
  /** Length of the loop. */
  readonly seconds: number;
  /** The folder of the files. */
  readonly out: string;
}

export const sampleOptions = {
  codec: { type: 'string' },
  size: { type: 'string' },
  seconds: { type: 'string' },
} as const;

interface SampleValues {
  readonly codec?: string | undefined;
  readonly size?: string | undefined;
  readonly kbps?: string | undefined;
  readonly seconds?: string | undefined;
  readonly out?: string | undefined;
}

export const usualSample = { codec: 'h264', size: '1280x720', kbps: 1500, seconds: 12 } as const;

export function readSample(values: SampleValues): SampleCommand {
  const codec = values.codec ?? usualSample.codec;
  if (!isCodec(codec))
    throw new UsageError(`Unknown codec "${codec}". Codecs: ${Object.keys(sampleCodecs).join(', ')}.`);
  const size = /^(\d{2,4})x(\d{2,4})$/.exec(values.size ?? usualSample.size);
  const [width, height] = [Number(size?.[1]), Number(size?.[2])];
  if (!(inRange(width, 64, 7680) && inRange(height, 64, 4320) && width % 2 === 0 && height % 2 === 0))
    throw new UsageError(`--size is "${values.size}"; it must be two even numbers from 64x64 to 7680x4320.`);
  return {
    command: 'sample',
    codec,
    width,
    height,
    kbps: numberOption('--kbps', values.kbps, usualSample.kbps, 20, 100_000),
    seconds: numberOption('--seconds', values.seconds, usualSample.seconds, 2, 600),
    out: values.out ?? '.',
  };
}

const isCodec = (text: string): text is SampleCodec => Object.hasOwn(sampleCodecs, text);
