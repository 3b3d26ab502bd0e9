/** Strings and numbers in the format of SSH messages (RFC 4251, section 5). */
export function sshString(value: Buffer | string): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Reads such values in sequence; throws a `RangeError` when the bytes end too early. */
export class WireReader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  number(): number {
    const value = this.bytes.readUInt32BE(this.at);
    this.at += 4;
    return value;
  }

  string(): Buffer {
    const length = this.number();
    if (length > this.bytes.length - this.at) throw new RangeError('The message ends too early.');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  /** What has not been read yet. */
  rest(): Buffer {
    return this.bytes.subarray(this.at);
  }
}
