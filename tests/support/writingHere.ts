import type { ReaderProcess, StartReader } from '../../src/engine/savedRuns/startReader';
import { serveWriting } from '../../src/engine/savedRuns/writing/serveWriting';

interface Here {
  isFrozen: boolean;
  readonly waiting: Array<() => void>;
  readonly exit: (how: string) => void;
}

/** Processes that write run files, served within this one: a unit test can freeze their disk, and end them. */
export class WritingHere {
  private readonly started: Here[] = [];
  private deaf: string | undefined;

  readonly start: StartReader = () => {
    let isOver = false;
    const messages: Array<(message: unknown) => void> = [];
    const exits: Array<(how: string) => void> = [];
    const here: Here = {
      isFrozen: false,
      waiting: [],
      exit: (how) => {
        if (isOver) return;
        isOver = true;
        for (const listener of exits) listener(how);
      },
    };
    let current = '';
    const serve = serveWriting((message) => {
      if (this.deaf === current) {
        this.deaf = undefined;
        here.exit('SIGKILL');
      }
      if (!isOver) for (const listener of messages) listener(structuredClone(message));
    });
    const later = (act: () => void): void =>
      queueMicrotask(() => (here.isFrozen ? void here.waiting.push(act) : act()));
    this.started.push(here);
    const process: ReaderProcess = {
      pid: globalThis.process.pid,
      send: (message) => {
        const copy = structuredClone(message);
        later(() => {
          current = 'request' in copy ? copy.request : '';
          if (!isOver) serve(copy);
        });
      },
      onMessage: (listener) => void messages.push(listener),
      onExit: (listener) => void exits.push(listener),
      // As the system does: the end of a process waits for a disk that does not answer.
      kill: () => later(() => here.exit('SIGKILL')),
    };
    return process;
  };

  get starts(): number {
    return this.started.length;
  }

  /** The disk of the running processes answers nothing until `thaw`. */
  freeze(): void {
    for (const here of this.started) here.isFrozen = true;
  }

  thaw(): void {
    for (const here of this.started) {
      here.isFrozen = false;
      for (const act of here.waiting.splice(0)) act();
    }
  }

  /** The latest process ends; what it was sent and had not taken is lost with it. */
  die(): void {
    this.started.at(-1)?.exit('SIGKILL');
  }

  /** The process that serves such a request next ends before it answers: what it wrote is in the file. */
  dieAfter(request: string): void {
    this.deaf = request;
  }
}
