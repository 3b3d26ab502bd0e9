import { describe, expect, it } from 'vitest';
import { JpegFrames } from './jpegFrames';

/** A picture: an APP1 with a thumbnail, tables, and a scan with a stuffed 0xff and a restart marker. */
const thumbnail = [0xff, 0xd8, 0xff, 0xd9];
const picture = [
  ...[0xff, 0xd8],
  ...[0xff, 0xe1, 0x00, 2 + thumbnail.length, ...thumbnail],
  ...[0xff, 0xdb, 0x00, 0x04, 0xff, 0xd9],
  ...[0xff, 0xda, 0x00, 0x03, 0x01, 0x12, 0xff, 0x00, 0xff, 0xd3, 0x34],
  ...[0xff, 0xd9],
];
const text = (words: string): number[] => [...new TextEncoder().encode(words)];
const part = (length: number): number[] =>
  text(`\r\n--frame\r\nContent-Type: image/jpeg\r\nContent-Length: ${length}\r\n\r\n`);
const stream = [...part(picture.length), ...picture, ...part(picture.length), ...picture, ...text('\r\n--frame--\r\n')];

describe('JPEG pictures of a stream', () => {
  it.each([1, 2, 3, 7, stream.length])('are cut at their ends, however the stream is split (%i bytes)', (size) => {
    const frames = new JpegFrames();
    const cut: number[][] = [];
    for (let at = 0; at < stream.length; at += size)
      for (const frame of frames.take(Uint8Array.from(stream.slice(at, at + size)))) cut.push([...frame]);
    expect(cut).toEqual([picture, picture]);
  });

  it('are found without headers between them', () => {
    expect(new JpegFrames().take(Uint8Array.from([...picture, ...picture, ...picture]))).toHaveLength(3);
  });

  it('are forgotten when they never end', () => {
    const frames = new JpegFrames();
    frames.take(Uint8Array.from([0xff, 0xd8, 0xff, 0xda, 0x00, 0x02]));
    for (let at = 0; at < 21; at += 1) expect(frames.take(new Uint8Array(1_000_000))).toEqual([]);
    expect(frames.take(Uint8Array.from(picture))).toHaveLength(1);
  });
});
