import { StringDecoder } from 'node:string_decoder';

/** The usual bound of a line; a longer one is skipped. */
export const maxLineCharacters = 1024 * 1024;

/** Splits a stream of bytes into lines of UTF-8 text without line ends. */
export class LineSplitter {
  private readonly decoder = new StringDecoder('utf8');
  private rest = '';

  constructor(
    private readonly take: (line: string) => void,
    private readonly maxCharacters: number,
    private readonly tooLong: () => void,
  ) {}

  push(chunk: Buffer): void {
    this.cut(this.decoder.write(chunk));
  }

  /** The last line may lack its line end. */
  finish(): void {
    this.cut(this.decoder.end());
    if (this.rest) this.take(this.rest);
    this.rest = '';
  }

  /** A log that was truncated while its program kept its place starts with as many NULs as it was long. */
  private cut(raw: string): void {
    const text = raw.includes('\0') ? raw.replaceAll('\0', '') : raw;
    if (text.includes('\n')) {
      const parts = (this.rest + text).split('\n');
      this.rest = parts.pop() ?? '';
      for (const part of parts) this.take(part.endsWith('\r') ? part.slice(0, -1) : part);
    } else this.rest += text; // not searched again: a long line may arrive byte by byte
    if (this.rest.length <= this.maxCharacters) return;
    this.rest = '';
    this.tooLong();
  }
}
