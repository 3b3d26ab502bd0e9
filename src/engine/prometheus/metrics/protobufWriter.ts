import { ByteWriter } from '../../base/bytes';

const encoder = new TextEncoder();
/** Most nested messages are short. */
const expectedBytes = 32;

/** Writes messages of protocol buffers, as far as the exposition of metrics needs them. */
export class ProtobufWriter {
  private readonly out = new ByteWriter(expectedBytes);

  /** Field of type `string`. */
  string(field: number, text: string): void {
    this.raw(field, encoder.encode(text));
  }

  /** Field of type `double`. */
  double(field: number, value: number): void {
    this.tag(field, 1);
    this.out.float(value);
  }

  /** Field of type `uint32`, `uint64` or of an enum. */
  unsigned(field: number, value: number): void {
    this.tag(field, 0);
    this.out.unsigned(value);
  }

  /** Field of type `sint32` or `sint64`. */
  signed(field: number, value: number): void {
    this.tag(field, 0);
    this.out.signed(value);
  }

  /** Repeated field of type `sint64`, packed. */
  allSigned(field: number, values: readonly number[]): void {
    const packed = new ByteWriter(expectedBytes);
    for (const value of values) packed.signed(value);
    this.raw(field, packed.bytes());
  }

  /** Field of a message type. */
  message(field: number, write: (message: ProtobufWriter) => void): void {
    const message = new ProtobufWriter();
    write(message);
    this.raw(field, message.finish());
  }

  /** Another message, preceded by its length: an item of a stream of them. */
  delimited(write: (message: ProtobufWriter) => void): void {
    const message = new ProtobufWriter();
    write(message);
    this.withLength(message.finish());
  }

  finish(): Uint8Array {
    return this.out.bytes();
  }

  private raw(field: number, bytes: Uint8Array): void {
    this.tag(field, 2);
    this.withLength(bytes);
  }

  private withLength(bytes: Uint8Array): void {
    this.out.unsigned(bytes.length);
    this.out.append(bytes);
  }

  private tag(field: number, wireType: number): void {
    this.out.unsigned(field * 8 + wireType);
  }
}
