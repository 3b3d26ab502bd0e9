import { write } from 'node:fs';
import { inTime, systemClock } from '../engine/base/clock';
import type { ProgressOutput } from './progress';

/** More is not kept for an output that takes nothing. */
const maxWaiting = 1 << 20;
/** An output that is full and does not block its writers is tried again after this long. */
const retryMs = 20;

interface Stream {
  readonly fd: number;
  readonly isTTY: boolean;
  readonly columns: number;
}

/**
 * Standard error while a run is active. Node.js writes to terminals, files and pipes synchronously: a paused terminal, or
 * a file on a disk that does not answer, would stop the run. So each write is made by another thread, one at a time.
 */
export class BackgroundOutput implements ProgressOutput {
  private waiting = '';
  private isWriting = false;
  private whenEmpty: Array<() => void> = [];

  constructor(private readonly stream: Stream) {}

  get isTTY(): boolean {
    return this.stream.isTTY;
  }

  get columns(): number {
    return this.stream.columns;
  }

  write(text: string): void {
    if (this.waiting.length < maxWaiting) this.waiting += text;
    if (!this.isWriting) this.next(Buffer.alloc(0));
  }

  /** Resolves when all is written, or after the limit. */
  async drained(limitMs: number): Promise<void> {
    if (this.isWriting)
      await inTime(systemClock, new Promise<void>((resolve) => this.whenEmpty.push(resolve)), limitMs);
  }

  private next(rest: Buffer): void {
    const bytes = rest.length > 0 ? rest : Buffer.from(this.waiting);
    if (rest.length === 0) this.waiting = '';
    this.isWriting = bytes.length > 0;
    if (!this.isWriting) return this.whenEmpty.splice(0).forEach((resolve) => resolve());
    write(this.stream.fd, bytes, 0, bytes.length, null, (error, written) => {
      if (error?.code === 'EAGAIN') systemClock.after(retryMs, () => this.next(bytes));
      // A closed output does not end the run.
      else this.next(error ? Buffer.alloc(0) : bytes.subarray(written));
    });
  }
}
