import { serveJobs } from './serveJobs';
import { serveWriting } from './writing/serveWriting';

/**
 * The program of the processes that read run files, and of those that write them, one for each run: a child of Node.js (messages over IPC) or an Electron utility
 * process (messages over a port that the main process passes). It ends with its parent.
 */
interface Port {
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  postMessage(message: unknown): void;
  start(): void;
}
interface ParentPort {
  on(event: 'message', listener: (event: { ports: Port[] }) => void): void;
}

// Ctrl-C in a terminal reaches every process of it; the parent decides when this one ends.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

/** Each takes its own messages and ignores the other's. */
function serve(answer: (message: unknown) => void): (message: unknown) => void {
  const takes = [serveJobs(answer), serveWriting(answer)];
  return (message) => takes.forEach((take) => take(message));
}

const { parentPort } = process as unknown as { parentPort?: ParentPort };
if (parentPort)
  parentPort.on('message', ({ ports: [port] }) => {
    if (!port) return;
    const take = serve((message) => port.postMessage(message));
    port.on('message', ({ data }) => take(data));
    port.start();
  });
else {
  process.on(
    'message',
    serve((message) => process.send?.(message)),
  );
  process.on('disconnect', () => process.exit());
}
