/** Writes messages of protocol buffers, as far as the exposition of metrics needs them. */
export class ProtobufWriter {
  private readonly bytes: number[] = [];

  /** Field of type `string`. */
  string(field: number, text: string): void {
    this.raw(field, new TextEncoder().encode(text));
  }

  /** Field of type `double`. */
  double(field: number, value: number): void {
    this.tag(field, 1);
    const data = new DataView(new ArrayBuffer(8));
    data.setFloat64(0, value, true);
    this.append(new Uint8Array(data.buffer));
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
    this.raw(field, packed.bytes);
  }

  /** Field of a message type. */
  message(field: number, write: (message: ProtobufWriter) => void): void {
    const message = new ProtobufWriter();
    write(message);
    this.raw(field, message.bytes);
  }

  /** Another message, preceded by its length: an item of a stream of them. */
  delimited(write: (message: ProtobufWriter) => void): void {
    const message = new ProtobufWriter();
    write(message);
    this.varint(message.bytes.length);
    this.append(message.bytes);
  }

  finish(): Uint8Array {
    return Uint8Array.from(this.bytes);
  }

  private raw(field: number, bytes: ArrayLike<number> & Iterable<number>): void {
    this.tag(field, 2);
    this.varint(bytes.length);
    this.append(bytes);
  }

  private tag(field: number, wireType: number): void {
    this.varint(field * 8 + wireType);
  }

  /** Bit operations would end at 32 bits. */
  private varint(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.bytes.push((rest % 128) + 128);
    this.bytes.push(rest);
  }

  private append(bytes: Iterable<number>): void {
    for (const byte of bytes) this.bytes.push(byte);
  }
}

const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
