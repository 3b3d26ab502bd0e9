const encoder = new TextEncoder();
const double = new DataView(new ArrayBuffer(8));
const doubleBytes = new Uint8Array(double.buffer);

/** Writes messages of protocol buffers, as far as the exposition of metrics needs them. */
export class ProtobufWriter {
  private bytes = new Uint8Array(32);
  private length = 0;

  /** Field of type `string`. */
  string(field: number, text: string): void {
    this.raw(field, encoder.encode(text));
  }

  /** Field of type `double`. */
  double(field: number, value: number): void {
    this.tag(field, 1);
    double.setFloat64(0, value, true);
    this.append(doubleBytes);
  }

  /** Field of type `uint32`, `uint64` or of an enum. */
  unsigned(field: number, value: number): void {
    this.tag(field, 0);
    this.varint(value);
  }

  /** Field of type `sint32` or `sint64`. */
  signed(field: number, value: number): void {
    this.unsigned(field, zigzag(value));
  }

  /** Repeated field of type `sint64`, packed. */
  allSigned(field: number, values: readonly number[]): void {
    const packed = new ProtobufWriter();
    for (const value of values) packed.varint(zigzag(value));
    this.raw(field, packed.written);
  }

  /** Field of a message type. */
  message(field: number, write: (message: ProtobufWriter) => void): void {
    const message = new ProtobufWriter();
    write(message);
    this.raw(field, message.written);
  }

  /** Another message, preceded by its length: an item of a stream of them. */
  delimited(write: (message: ProtobufWriter) => void): void {
    const message = new ProtobufWriter();
    write(message);
    this.varint(message.length);
    this.append(message.written);
  }

  finish(): Uint8Array {
    return this.written;
  }

  private raw(field: number, bytes: Uint8Array): void {
    this.tag(field, 2);
    this.varint(bytes.length);
    this.append(bytes);
  }

  private tag(field: number, wireType: number): void {
    this.varint(field * 8 + wireType);
  }

  /** Bit operations would end at 32 bits. */
  private varint(value: number): void {
    this.reserve(10);
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.bytes[this.length++] = (rest % 128) + 128;
    this.bytes[this.length++] = rest;
  }

  private append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  private get written(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const grown = new Uint8Array(2 * (this.length + more));
    grown.set(this.written);
    this.bytes = grown;
  }
}

const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
