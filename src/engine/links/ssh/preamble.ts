import { randomBytes } from 'node:crypto';
import { quoteCommand } from './quote';

/**
 * Start files of a login shell that print something (`.bashrc` with an echo is a known trap) would precede a
 * command's own output. So the shell first prints a unique mark, and everything up to it is dropped.
 */
export function newMark(): string {
  return `fullhouse-${randomBytes(9).toString('hex')}`;
}

/**
 * All that a login shell has to read: one line without a line break, single quote, backslash or `!` inside its quotes, so
 * that sh, csh, fish and other shells read it alike. The sh that it starts prints the mark with its process id, which is
 * the leader of the group that sshd made, and takes the command itself from its standard input. `read` takes one byte at a
 * time, so what follows that line is the program's own input.
 */
export function bootstrapLine(mark: string): string {
  return `exec sh -c 'LC_ALL=C; export LC_ALL; echo ${mark} $$; echo ${mark} >&2; IFS= read -r line && eval "$line"'`;
}

/**
 * A program as the one line that the sh of `bootstrapLine` reads. It runs in the C locale, so that its output is the same
 * everywhere, and in place of the shell, so that signals and exit code are its own.
 */
export function commandLine(argv: readonly string[]): string {
  const words = quoteCommand(argv);
  if (!words.includes('\n')) return `exec ${words}\n`;
  // Command substitution drops line breaks at the end, hence the dot.
  return `n=$(printf "\\n."); n=\${n%.}; exec ${words.replaceAll('\n', `'"$n"'`)}\n`;
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
