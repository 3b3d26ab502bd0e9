/** Elements of EBML (RFC 8794) and Matroska (RFC 9559, section 5) that recordings of MediaRecorder contain. */
export const ids = {
  ebml: 0x1a45dfa3,
  ebmlVersion: 0x4286,
  ebmlReadVersion: 0x42f7,
  ebmlMaxIdLength: 0x42f2,
  ebmlMaxSizeLength: 0x42f3,
  docType: 0x4282,
  docTypeVersion: 0x4287,
  docTypeReadVersion: 0x4285,
  void: 0xec,
  crc32: 0xbf,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  muxingApp: 0x4d80,
  writingApp: 0x5741,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  trackType: 0x83,
  codecId: 0x86,
  codecPrivate: 0x63a2,
  contentEncodings: 0x6d80,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  referenceBlock: 0xfb,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cueTime: 0xb3,
  cueTrackPositions: 0xb7,
  cueTrack: 0xf7,
  cueClusterPosition: 0xf1,
  tags: 0x1254c367,
} as const;

/** Start of an element: its content begins at `contentAt`. */
export interface ElementHead {
  readonly id: number;
  /** Undefined: unknown (RFC 8794, section 6.2). */
  readonly size: number | undefined;
  readonly contentAt: number;
}

/** A variable-size integer (RFC 8794, section 4). `isUnknown`: all bits of its value are 1. */
export interface VariableInteger {
  readonly value: number;
  readonly length: number;
  readonly isUnknown: boolean;
}

/** Reads one of up to `most` bytes; undefined if it isn't complete yet. With `keepsMarker` it is an element's ID. */
export function readVint(bytes: Uint8Array, at: number, most = 8, keepsMarker = false): VariableInteger | undefined {
  const first = bytes[at];
  if (first === undefined) return undefined;
  const length = Math.clz32(first) - 23;
  if (length > most) throw new Error(`a number of ${length} bytes`);
  if (at + length > bytes.length) return undefined;
  let value = keepsMarker ? first : first & ((1 << (8 - length)) - 1);
  let isUnknown = (first & (0xff >> length)) === 0xff >> length;
  for (let index = 1; index < length; index += 1) {
    const byte = bytes[at + index] ?? 0;
    isUnknown &&= byte === 0xff;
    value = value * 256 + byte;
  }
  if (!isUnknown && !Number.isSafeInteger(value)) throw new Error('a number above 2^53');
  return { value, length, isUnknown };
}

/** Reads the start of an element; undefined if it isn't complete yet. */
export function readHead(bytes: Uint8Array, at: number): ElementHead | undefined {
  const id = readVint(bytes, at, 4, true);
  const size = id && readVint(bytes, at + id.length);
  if (!id || !size) return undefined;
  return {
    id: id.value,
    size: size.isUnknown ? undefined : size.value,
    contentAt: at + id.length + size.length,
  };
}

export interface Element {
  readonly id: number;
  readonly content: Uint8Array;
}

/** The elements of a complete content. */
export function childrenOf(content: Uint8Array): Element[] {
  const children: Element[] = [];
  let at = 0;
  while (at < content.length) {
    const head = readHead(content, at);
    const end = head?.size === undefined ? Number.POSITIVE_INFINITY : head.contentAt + head.size;
    if (!head || end > content.length) throw new Error('an element that exceeds its parent');
    children.push({ id: head.id, content: content.subarray(head.contentAt, end) });
    at = end;
  }
  return children;
}

/** Value of an element of the type unsigned integer. */
export function unsigned(content: Uint8Array): number {
  const value = content.reduce((sum, byte) => sum * 256 + byte, 0);
  if (!Number.isSafeInteger(value)) throw new Error('a number above 2^53');
  return value;
}

/** Value of an element of the type string. */
export const text = (content: Uint8Array): string => String.fromCharCode(...content).replace(/\0+$/, '');

export const bytesOfText = (value: string): Uint8Array =>
  Uint8Array.from(value, (character) => character.charCodeAt(0));

/** Big-endian, in `length` bytes or as few as possible. */
export function bytesOfNumber(value: number, length?: number): Uint8Array {
  const bytes: number[] = [];
  for (
    let rest = value;
    bytes.length < (length ?? 1) || (length === undefined && rest > 0);
    rest = Math.floor(rest / 256)
  )
    bytes.unshift(rest % 256);
  return Uint8Array.from(bytes);
}

export const bytesOfFloat = (value: number): Uint8Array => {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return bytes;
};

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** An element with its ID and its size, in 4 bytes, before its content. */
export function element(id: number, ...content: readonly Uint8Array[]): Uint8Array {
  const size = content.reduce((sum, part) => sum + part.length, 0);
  if (size >= 2 ** 28 - 1) throw new Error(`an element of ${size} bytes`);
  return joined([bytesOfNumber(id), bytesOfNumber(size + 0x1000_0000, 4), ...content]);
}
