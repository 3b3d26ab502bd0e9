import { readFileSync } from 'node:fs';
import { every, systemClock, type Cancel, type Clock } from '../base/clock';
import { openedBy, type OpenedFile } from './markerFile';
import { fromReader, type FromReader, type ToReader } from './messages';
import type { ReaderProcess, StartReader } from './startReader';

export interface LaneLimits {
  /** For one job. */
  readonly timeMs: number;
  readonly memoryMb: number;
}

/** The outcome of a job: a response, or the end of the process that worked on it. */
export type Outcome =
  | Exclude<FromReader, { kind: 'progress' }>
  | {
      readonly kind: 'ended';
      readonly cause: string;
      /** The run file that was open then. */
      readonly opened: OpenedFile;
      /** False: the end may have a cause other than the file. */
      readonly isCertain: boolean;
    }
  /** The reader waits for its disk: no file is to blame. */
  | { readonly kind: 'silent'; readonly waitedMs: number };

const watchEveryMs = 200;
/** An idle reader releases its memory. */
const idleMs = 60_000;

/** One reader and its queue of jobs. Starts the process on demand. */
export class Lane {
  private reader: ReaderProcess | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private lastId = 0;
  private cancelIdle: Cancel = () => undefined;
  private isClosed = false;
  private settle: ((outcome: Outcome) => void) | undefined;
  private cancelDeadline: Cancel = () => undefined;

  constructor(
    private readonly start: StartReader,
    private readonly limits: LaneLimits,
    private readonly markerFile: string,
    private readonly onProgress: (done: number, total: number) => void = () => undefined,
    private readonly clock: Clock = systemClock,
  ) {}

  /** `make` returns the message when its turn has come. Never rejects. */
  run(make: () => Omit<ToReader, 'id' | 'markerFile'>): Promise<Outcome> {
    const outcome = this.last.then(() => this.work(make()));
    this.last = outcome;
    return outcome;
  }

  get pid(): number | undefined {
    return this.reader?.pid;
  }

  close(): void {
    this.isClosed = true;
    this.end('Fullhouse is closing', false);
  }

  private work(message: Omit<ToReader, 'id' | 'markerFile'>): Promise<Outcome> {
    if (this.isClosed)
      return Promise.resolve({
        kind: 'ended',
        cause: 'Fullhouse is closing',
        opened: { path: '', stamp: '' },
        isCertain: false,
      });
    this.cancelIdle();
    let stopWatching: Cancel = () => undefined;
    return new Promise<Outcome>((resolve) => {
      this.settle = resolve;
      this.lastId += 1;
      this.reader ??= this.started();
      this.reader.send({ ...message, id: this.lastId, markerFile: this.markerFile });
      this.startDeadline();
      stopWatching = every(this.clock, watchEveryMs, () => this.watchMemory());
    }).finally(() => {
      this.cancelDeadline();
      stopWatching();
      this.settle = undefined;
      this.cancelIdle = this.clock.after(idleMs, () => this.end('idle', false), 'background');
    });
  }

  /** A job that goes from file to file has this time for each. */
  private startDeadline(): void {
    const { timeMs } = this.limits;
    this.cancelDeadline();
    this.cancelDeadline = this.clock.after(timeMs, () => this.endLate(timeMs));
  }

  private started(): ReaderProcess {
    const reader = this.start();
    reader.onMessage((raw) => {
      const parsed = fromReader.safeParse(raw);
      if (!parsed.success || parsed.data.id !== this.lastId || !this.settle) return;
      if (parsed.data.kind !== 'progress') return this.settle(parsed.data);
      this.startDeadline();
      this.onProgress(parsed.data.done, parsed.data.total);
    });
    reader.onExit((how) => {
      if (this.reader === reader) this.lose(how, false);
    });
    return reader;
  }

  private end(cause: string, isCertain: boolean): void {
    const { reader } = this;
    this.lose(cause, isCertain);
    reader?.kill();
  }

  private endLate(timeMs: number): void {
    if (isWaitingForDisk(this.reader?.pid)) this.settle?.({ kind: 'silent', waitedMs: timeMs });
    this.end(`it took longer than ${timeMs / 1000} s`, true);
  }

  private lose(cause: string, isCertain: boolean): void {
    this.reader = undefined;
    const { settle } = this;
    if (settle)
      void openedBy(this.markerFile).then((file) => settle({ kind: 'ended', cause, opened: file, isCertain }));
  }

  /** Where the system reports it (Linux); elsewhere only the limits of SQLite and the heap apply. */
  private watchMemory(): void {
    try {
      const status = readFileSync(`/proc/${this.reader?.pid}/status`, 'utf8');
      const megabytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1000;
      if (megabytes > this.limits.memoryMb) this.end(`it needed more than ${this.limits.memoryMb} MB`, true);
    } catch {
      // The process has just ended, or this is not Linux.
    }
  }
}

/** Whether a process is in the kernel and can't be ended, as far as the system reports it (Linux). */
function isWaitingForDisk(pid: number | undefined): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('D');
  } catch {
    return false;
  }
}
