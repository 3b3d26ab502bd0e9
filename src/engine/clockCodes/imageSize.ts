export interface ImageSize {
  readonly kind: 'PNG' | 'JPEG';
  readonly width: number;
  readonly height: number;
}

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Size of a PNG or JPEG picture by its header, before any of it is decoded; undefined for any other file. */
export function imageSize(bytes: Uint8Array): ImageSize | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // A reader takes the size from IHDR wherever it is; a file in which that is not the first part, as it has to be, is no PNG.
  if (file.length >= 24 && file.subarray(0, 8).equals(pngStart) && file.toString('latin1', 12, 16) === 'IHDR')
    return { kind: 'PNG', width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
  return file.length >= 4 && file.readUInt16BE(0) === 0xffd8 ? jpegSize(file) : undefined;
}

/** Goes from segment to segment up to that with the size (SOF). */
function jpegSize(file: Buffer): ImageSize | undefined {
  let at = 2;
  while (at + 9 <= file.length) {
    if (file[at] !== 0xff) return undefined;
    const marker = file[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isSize = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isSize) return { kind: 'JPEG', height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) };
    at += 2 + file.readUInt16BE(at + 2);
  }
  return undefined;
}
