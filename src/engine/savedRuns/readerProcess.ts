import { serveJobs } from './serveJobs';

/**
 * The program of the process that reads run files: a child of Node.js (messages over IPC) or an Electron utility
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

const { parentPort } = process as unknown as { parentPort?: ParentPort };
if (parentPort)
  parentPort.on('message', ({ ports: [port] }) => {
    if (!port) return;
    const take = serveJobs((message) => port.postMessage(message));
    port.on('message', ({ data }) => take(data));
    port.start();
  });
else {
  process.on(
    'message',
    serveJobs((message) => process.send?.(message)),
  );
  process.on('disconnect', () => process.exit());
}
