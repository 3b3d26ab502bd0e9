import { randomBytes } from 'node:crypto';
import { quoteWord } from './quote';

/**
 * Start files of a login shell that print something (`.bashrc` with an echo is a known trap) would precede a
 * command's own output. So the shell first prints a unique mark, and everything up to it is dropped.
 */
export function newMark(): string {
  return `fullhouse-${randomBytes(9).toString('hex')}`;
}

/**
 * The command line for the remote shell, which prints its process id after the mark: sshd makes it the leader of its
 * own process group, by which the program can be ended. Programs run in the C locale, so that their output is the same
 * everywhere.
 */
export function markedCommand(mark: string, quoted: string): string {
  // In sh, because the login shell may have another syntax, as fish does.
  return `exec sh -c ${quoteWord(`echo ${mark} $$; echo ${mark} >&2; LC_ALL=C ${quoted}`)}`;
}

/** Takes the chunks of one stream and returns what follows the mark. */
export class OutputAfterMark {
  /** The shell's process id, from the mark's line. */
  pid: number | undefined;
  /** More output before the mark than any start files print. */
  isEndless = false;
  private waiting: Buffer | undefined = Buffer.alloc(0);
  private dropped = 0;

  constructor(private readonly mark: string) {}

  /** Whether the mark was found. */
  get seen(): boolean {
    return this.waiting === undefined;
  }

  /** The output before the mark so far, for a shell that never ran the command. */
  get noise(): string {
    return this.waiting?.toString() ?? '';
  }

  take(chunk: Buffer): Buffer {
    if (!this.waiting) return chunk;
    const received = Buffer.concat([this.waiting, chunk]);
    const at = received.indexOf(this.mark);
    const end = at < 0 ? -1 : received.indexOf('\n', at);
    if (end >= 0) {
      this.waiting = undefined;
      this.pid = Number(received.toString('latin1', at + this.mark.length, end)) || undefined;
      return received.subarray(end + 1);
    }
    this.dropped += chunk.length;
    this.isEndless = this.dropped > maxDroppedBytes;
    this.waiting = received.subarray(Math.max(0, received.length - maxNoiseBytes));
    return Buffer.alloc(0);
  }
}

/** Max kept of the start files' output. */
const maxNoiseBytes = 64 * 1024;
/** Max read of it. */
const maxDroppedBytes = 1024 * 1024;
