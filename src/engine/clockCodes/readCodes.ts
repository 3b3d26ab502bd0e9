import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type * as zxing from 'zxing-wasm/reader';
import { FullhouseError } from '../../contract/calls';
import { decodePhotoCode } from '../../domain/clock/photoCode';
import type { FoundCode } from '../../domain/clock/photoDelays';
import { photoLimits } from '../../domain/clock/photoLimits';
import { imageSize } from './imageSize';

/** Brightness of each pixel from left to right and top to bottom. */
export interface Luma {
  readonly width: number;
  readonly height: number;
  readonly luma: Uint8Array;
}

type Reader = typeof zxing;

/** Loaded with the first picture; its program is part of ours: by default it would be fetched. */
let reader: Promise<Reader> | undefined;
const loaded = (): Promise<Reader> =>
  (reader ??= (async () => {
    const [program, { default: wasm }] = await Promise.all([
      import('zxing-wasm/reader'),
      import('zxing-wasm/reader/zxing_reader.wasm?url&inline'),
    ]);
    const bytes = Buffer.from(wasm.slice(wasm.indexOf(',') + 1), 'base64');
    program.prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(bytes).buffer } });
    return program;
  })());

const options = { formats: ['QRCode'], tryInvert: false, tryDenoise: true, maxNumberOfSymbols: 32 } as const;

/**
 * All codes of clock pages in a picture's file, of which no more is read than a picture may have. Rejects with a
 * sentence, without the file's name.
 */
export async function codesOfFile(path: string): Promise<FoundCode[]> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    // What is open, not what is at its path by now. A device or a pipe has no end.
    const about = await file.stat();
    if (!about.isFile()) throw noPicture();
    if (about.size > photoLimits.fileBytes)
      throw new FullhouseError(
        'too-large',
        `It has ${Math.ceil(about.size / 1e6)} MB; a picture may have ${photoLimits.fileBytes / 1e6} MB. Make it smaller.`,
      );
    const bytes = new Uint8Array(about.size);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return await codesOfImage(bytes.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

const noPicture = (): FullhouseError =>
  new FullhouseError(
    'no-picture',
    'It is neither a PNG nor a JPEG picture; convert it, or drop it on the clock page dialog of the window.',
  );

/** All codes of clock pages in a PNG or JPEG file. Rejects with a sentence, without the file's name. */
export async function codesOfImage(bytes: Uint8Array): Promise<FoundCode[]> {
  const size = imageSize(bytes);
  if (!size) throw noPicture();
  if (size.width * size.height > photoLimits.pixels || bytes.length > photoLimits.fileBytes)
    throw new FullhouseError(
      'too-large',
      `It has ${size.width} x ${size.height} pixels in ${Math.ceil(bytes.length / 1e6)} MB; a picture may have ${photoLimits.pixels / 1e6} million in ${photoLimits.fileBytes / 1e6} MB. Make it smaller.`,
    );
  return codesIn(Uint8Array.from(bytes));
}

/** All codes of clock pages among these pixels. */
export async function codesOfPixels({ width, height, luma }: Luma): Promise<FoundCode[]> {
  const data = new Uint8ClampedArray(4 * width * height);
  for (let at = 0; at < luma.length; at += 1) data[4 * at] = data[4 * at + 1] = data[4 * at + 2] = luma[at] ?? 0;
  return codesIn({ data, width, height });
}

async function codesIn(picture: Uint8Array | { data: Uint8ClampedArray; width: number; height: number }) {
  const { readBarcodes } = await loaded();
  const found = await readBarcodes(picture as Uint8Array, { ...options, formats: [...options.formats] });
  // In which the codes of one screen are not where they belong.
  if (found.some(({ isMirrored }) => isMirrored))
    throw new FullhouseError(
      'mirrored',
      'It is mirrored, as selfie cameras and some sources do: turn that off, and take it again.',
    );
  return found.flatMap(({ text, isValid, position: { topLeft, topRight, bottomRight, bottomLeft } }): FoundCode[] => {
    const code = isValid ? decodePhotoCode(text) : undefined;
    return code ? [{ ...code, corners: [topLeft, topRight, bottomRight, bottomLeft] }] : [];
  });
}
