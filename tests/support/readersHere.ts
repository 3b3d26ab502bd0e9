import { serveJobs } from '../../src/engine/savedRuns/serveJobs';
import type { StartReader } from '../../src/engine/savedRuns/startReader';
import { serveWriting } from '../../src/engine/savedRuns/writing/serveWriting';

/** The processes that read and write run files, served within this one. */
export const readersHere: StartReader = () => {
  let isOver = false;
  const messages: Array<(message: unknown) => void> = [];
  const exits: Array<(how: string) => void> = [];
  const answer = (message: unknown): void =>
    queueMicrotask(() => {
      if (!isOver) for (const listener of messages) listener(structuredClone(message));
    });
  const takes = [serveJobs(answer), serveWriting(answer)];
  return {
    // Limits of memory are those of a process of its own.
    pid: undefined,
    send: (message) =>
      queueMicrotask(() => {
        if (!isOver) for (const take of takes) take(structuredClone(message));
      }),
    onMessage: (listener) => void messages.push(listener),
    onExit: (listener) => void exits.push(listener),
    kill: () => {
      if (isOver) return;
      isOver = true;
      for (const listener of exits) listener('SIGKILL');
    },
  };
};
