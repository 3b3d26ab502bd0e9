import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { photoDelays } from '../../domain/clock/photoDelays';
import { damaged, drawnPage, exposed, place, randomOf } from '../../../tests/support/clockPhotos';
import type { PageFrame } from '../clockPage/page/draw';
import { codesOfFile, codesOfImage, codesOfPixels, type Luma } from './readCodes';

const refreshMs = 1000 / 60;
const startMs = 1_795_260_764_000;

interface Taken {
  readonly photo: Luma;
  /** From the frame that the source displayed to that of the player's picture. */
  readonly delayMs: number;
  /** Each code that was drawn on a screen, as `slot time`. */
  readonly drawn: ReadonlySet<string>;
}

/** A photo of both screens; `severity` from 0 to 1. */
function photoOf(seed: number, severity: number): Taken {
  const random = randomOf(seed);
  const between = (from: number, to: number): number => from + (to - from) * random();
  const shown = Math.floor(between(1000, 100_000));
  const behind = Math.floor(between(1, 600));
  const frame = (index: number): PageFrame => ({
    ...{ source: 52, uncertaintyMs: 1.2, refreshMs, timeMs: startMs + index * refreshMs },
    slot: index % 2 === 0 ? 0 : 1,
  });
  const page = (index: number): Luma => drawnPage(480, [frame(index - 1), frame(index)]);
  const photo: Luma = { width: 720, height: 168, luma: new Uint8Array(720 * 168).fill(between(20, 110)) };
  const tilt = 30 * (0.4 + 0.6 * severity);
  const screen = (picture: Luma, x: number) => ({
    ...{ picture, x, y: between(104, 116), width: between(300, 345) },
    ...{ yaw: between(-tilt, tilt), pitch: between(-tilt, tilt) / 2, roll: between(-8, 8) * severity },
  });
  place(photo, screen(exposed(page(shown), page(shown + 1), between(0, 0.5) * severity), 180));
  place(photo, screen(page(shown - behind), 540));
  const damage = {
    moire: { px: between(1.7, 3.3), degrees: between(-20, 20), depth: between(0, 0.75) * severity },
    ...{ blur: Math.round(between(0, 2.4) * severity), noise: between(4, 8 + 50 * severity) },
    jpeg: seed % 3 > 0 ? 0 : between(0.3, 0.5 + 1.5 * severity),
  };
  const frames = [shown - 1, shown, shown + 1, shown - behind - 1, shown - behind].map(frame);
  return {
    photo: damaged(photo, damage, random),
    delayMs: behind * refreshMs,
    drawn: new Set(frames.map(({ slot, timeMs }) => `${slot} ${Math.round(timeMs)}`)),
  };
}

it('500 photos of both screens are read or refused, never read wrongly', async () => {
  let [read, mild] = [0, 0];
  for (let seed = 1; seed <= 500; seed += 1) {
    const isMild = seed % 5 === 0;
    const { photo, delayMs, drawn } = photoOf(seed, isMild ? 0.1 : (seed % 100) / 100);
    const codes = await codesOfPixels(photo);
    for (const { source, slot, timeMs } of codes) {
      expect(source).toBe(52);
      expect(drawn, `photo ${seed}`).toContain(`${slot} ${timeMs}`);
    }
    const { delays, problem } = photoDelays(codes);
    expect(delays.length > 0, `photo ${seed}`).toBe(problem === undefined);
    for (const delay of delays) {
      expect(Math.abs(delay.delayMs - delayMs), `photo ${seed}`).toBeLessThanOrEqual(delay.uncertaintyMs);
      expect(delay.uncertaintyMs).toBeLessThanOrEqual(4 * Math.ceil(refreshMs));
    }
    read += delays.length;
    mild += isMild ? delays.length : 0;
  }
  expect(read).toBeGreaterThan(350);
  expect(read).toBeLessThan(500);
  expect(mild).toBeGreaterThan(90);
}, 120_000);

/** CRC-32 as in PNG. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** A grey PNG; `width` may state another one than its pixels have. */
function pngOf({ luma, ...size }: Luma, width = size.width): Buffer {
  const part = (name: string, data: Buffer): Buffer => {
    const content = Buffer.concat([Buffer.from(name), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(content));
    return Buffer.concat([length, content, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(size.height, 4);
  header[8] = 8;
  const lines = Array.from({ length: size.height }, (_, y) =>
    Buffer.concat([Buffer.from([0]), luma.subarray(y * size.width, (y + 1) * size.width)]),
  );
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...[part('IHDR', header), part('IDAT', deflateSync(Buffer.concat(lines))), part('IEND', Buffer.alloc(0))],
  ]);
}

it('refuses a mirrored picture with a sentence', async () => {
  const { photo } = photoOf(5, 0.1);
  const { width, height, luma } = photo;
  expect(await codesOfPixels(photo)).not.toEqual([]);
  const mirrored = luma.map((_, at) => luma[at - (at % width) + (width - 1 - (at % width))] ?? 0);
  await expect(codesOfPixels({ width, height, luma: mirrored })).rejects.toThrow('It is mirrored');
});

it('reads files of pictures, and refuses other ones before they are decoded', async () => {
  const { photo } = photoOf(5, 0);
  const png = pngOf(photo);
  expect(await codesOfImage(png)).toHaveLength(4);
  expect(await codesOfImage(png.subarray(0, png.length / 2))).toEqual([]);
  await expect(codesOfImage(pngOf(photo, 500_000))).rejects.toThrow(
    'It has 500000 x 168 pixels in 1 MB; a picture may',
  );
  const webp = Buffer.from('RIFF\0\0\0\0WEBPVP8 ');
  for (const other of [webp, Buffer.alloc(0), Buffer.from([0xff, 0xd8, 0xff]), Buffer.from([0xff, 0xd8, 1, 2, 3, 4])])
    await expect(codesOfImage(other)).rejects.toThrow('It is neither a PNG nor a JPEG picture');
});

it('reads nothing of what is no regular file, or larger than a picture may be', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-photo-'));
  try {
    const path = join(folder, 'photo.png');
    writeFileSync(path, pngOf(photoOf(5, 0).photo));
    expect(await codesOfFile(path)).toHaveLength(4);
    truncateSync(path, 3e9);
    await expect(codesOfFile(path)).rejects.toThrow('It has 3000 MB; a picture may have 40 MB');
    for (const other of ['/dev/zero', folder])
      await expect(codesOfFile(other)).rejects.toThrow('It is neither a PNG nor a JPEG picture');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('refuses a PNG whose size is not in its first part', async () => {
  const png = pngOf(photoOf(5, 0).photo);
  const [start, rest] = [png.subarray(0, 8), png.subarray(8)];
  const text = Buffer.concat([Buffer.from([0, 0, 0, 8]), Buffer.from('tEXta\0small!'), Buffer.alloc(4)]);
  await expect(codesOfImage(Buffer.concat([start, text, rest]))).rejects.toThrow('neither a PNG nor a JPEG');
});
