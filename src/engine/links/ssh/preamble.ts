import { randomBytes } from 'node:crypto';
import { quoteWord } from './quote';

/**
 * Start files of a login shell that print something (`.bashrc` with an echo is a known trap) would stand in front of a
 * command's own output. So the shell first prints a mark that nothing else can print, and all up to it is dropped.
 */
export function newMark(): string {
  return `fullhouse-${randomBytes(9).toString('hex')}`;
}

/**
 * The command line for the remote shell, which says its process id behind the mark: sshd makes it the leader of a process group
 * of its own, by which the program can be ended. Programs run in the C locale, so that their figures and messages are the same everywhere.
 */
export function markedCommand(mark: string, quoted: string): string {
  // In sh, because a login shell may be one that speaks otherwise, as fish does.
  return `exec sh -c ${quoteWord(`echo ${mark} $$; echo ${mark} >&2; LC_ALL=C ${quoted}`)}`;
}

/** Takes the chunks of one stream and gives out what follows the mark. */
export class AfterMark {
  /** The shell's process, where the mark tells it. */
  pid: number | undefined;
  /** More came before the mark than any start files print. */
  isEndless = false;
  private waiting: Buffer | undefined = Buffer.alloc(0);
  private dropped = 0;

  constructor(private readonly mark: string) {}

  /** Whether the mark has come by. */
  get seen(): boolean {
    return this.waiting === undefined;
  }

  /** What came before the mark so far, for a shell that never ran the command. */
  get noise(): string {
    return this.waiting?.toString() ?? '';
  }

  take(chunk: Buffer): Buffer {
    if (!this.waiting) return chunk;
    const heard = Buffer.concat([this.waiting, chunk]);
    const at = heard.indexOf(this.mark);
    const end = at < 0 ? -1 : heard.indexOf('\n', at);
    if (end >= 0) {
      this.waiting = undefined;
      this.pid = Number(heard.toString('latin1', at + this.mark.length, end)) || undefined;
      return heard.subarray(end + 1);
    }
    this.dropped += chunk.length;
    this.isEndless = this.dropped > mostDroppedBytes;
    this.waiting = heard.subarray(Math.max(0, heard.length - mostNoiseBytes));
    return Buffer.alloc(0);
  }
}

/** Of what start files print, no more is kept than this. */
const mostNoiseBytes = 64 * 1024;
/** And no more of it is listened to than this. */
const mostDroppedBytes = 1024 * 1024;
