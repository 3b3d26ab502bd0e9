import { FullhouseError } from '../../../contract/calls';
import type { ReaderProcess, StartReader } from '../startReader';
import { fromWriter, type WriterRequest, type WriterRequests, type Written } from './messages';

/** The process that writes a run's file has ended. */
export class WriterEnded extends Error {}

interface Pending {
  readonly resolve: (written: Written) => void;
  readonly reject: (error: Error) => void;
}

/** The process that writes the file of one run, as seen by the engine. */
export class WriterProcess {
  private readonly process: ReaderProcess;
  private readonly pending = new Map<number, Pending>();
  private last = 0;
  private ended: WriterEnded | undefined;
  private onStarted: () => void = () => undefined;
  /** Resolves when the process runs: until then its silence says nothing about the disk. */
  readonly started = new Promise<void>((resolve) => (this.onStarted = resolve));
  /** Whether the system has reported its end, which waits for the disk. */
  hasExited = false;

  constructor(start: StartReader, onProblem: (sentence: string) => void) {
    this.process = start();
    this.process.onMessage((raw) => {
      const parsed = fromWriter.safeParse(raw);
      if (!parsed.success) return;
      const message = parsed.data;
      this.onStarted();
      if (message.kind === 'started') return;
      if (message.kind === 'problem') return onProblem(message.sentence);
      const request = this.pending.get(message.writing);
      this.pending.delete(message.writing);
      if (message.kind === 'written') request?.resolve(message);
      else request?.reject(new FullhouseError(message.code, message.message));
    });
    this.process.onExit((how) => {
      this.hasExited = true;
      this.lose(how);
    });
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /** Rejects with the process's own `FullhouseError`, or with `WriterEnded`. */
  request<N extends WriterRequest>(request: N, input: WriterRequests[N]): Promise<Written> {
    if (this.ended) return Promise.reject(this.ended);
    this.last += 1;
    const writing = this.last;
    return new Promise((resolve, reject) => {
      this.pending.set(writing, { resolve, reject });
      this.process.send({ writing, request, input });
    });
  }

  /** A process that waits for a disk ends when that answers. */
  kill(): void {
    this.lose('it was ended');
    this.process.kill();
  }

  private lose(how: string): void {
    this.ended ??= new WriterEnded(how);
    this.onStarted();
    for (const { reject } of this.pending.values()) reject(this.ended);
    this.pending.clear();
  }
}
