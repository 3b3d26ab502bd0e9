/** Numbers as bytes, growing as needed. Integers take as few bytes as possible (7 bits each). */
export class ByteWriter {
  private buffer: Buffer;
  private length = 0;

  constructor(expectedBytes = 4096) {
    this.buffer = Buffer.allocUnsafe(expectedBytes);
  }

  /** An integer from 0 to 2^53 - 1. */
  unsigned(value: number): void {
    this.reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      this.buffer[this.length++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.buffer[this.length++] = rest;
  }

  /** An integer of at most 2^52 either way; small ones stay short whatever their sign. */
  signed(value: number): void {
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value);
  }

  float(value: number): void {
    this.reserve(8);
    this.length = this.buffer.writeDoubleLE(value, this.length);
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  bytes(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.length + more));
    this.buffer.copy(grown, 0, 0, this.length);
    this.buffer = grown;
  }
}

const tooShort = 'The packed bytes end too early.';

/** Reads the output of a `ByteWriter`. Throws when the bytes end too early. */
export class ByteReader {
  private offset = 0;

  constructor(private readonly buffer: Buffer) {}

  get left(): number {
    return this.buffer.length - this.offset;
  }

  unsigned(): number {
    let value = 0;
    for (let place = 1; ; place *= 0x80) {
      const byte = this.buffer[this.offset++];
      if (byte === undefined) throw new Error(tooShort);
      value += (byte & 0x7f) * place;
      if (value > Number.MAX_SAFE_INTEGER) throw new Error('A packed number is too large.');
      if (byte < 0x80) return value;
    }
  }

  signed(): number {
    const value = this.unsigned();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  /** How many items follow that take at least `bytesEach`: no more than there are bytes for. */
  count(bytesEach: number): number {
    const count = this.unsigned();
    if (count > this.left / bytesEach) throw new Error(tooShort);
    return count;
  }

  float(): number {
    if (this.left < 8) throw new Error(tooShort);
    const value = this.buffer.readDoubleLE(this.offset);
    this.offset += 8;
    return value;
  }

  /** UTF-8. */
  text(length: number): string {
    const start = this.offset;
    this.skip(length);
    return this.buffer.toString('utf8', start, this.offset);
  }

  skip(length: number): void {
    if (length > this.left) throw new Error(tooShort);
    this.offset += length;
  }
}
