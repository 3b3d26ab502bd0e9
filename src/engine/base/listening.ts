import type { Server } from 'node:http';
import { FullhouseError } from '../../contract/calls';

interface Listening {
  /** 0: any free port. */
  readonly port: number;
  readonly address: string;
  /** What is served, in the plural: `Metrics`. */
  readonly what: string;
}

/** Resolves when the server listens; rejects with what to do. */
export function listening(server: Server, { port, address, what }: Listening): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(failure(error, { port, address, what })));
    server.listen(port, address, resolve);
  });
}

function failure(error: NodeJS.ErrnoException, { port, address, what }: Listening): FullhouseError {
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} is already in use on this machine; choose another one.`,
    EACCES: `Port ${port} requires administrator rights; choose one above 1023.`,
    EADDRNOTAVAIL: `${address} is not an address of this machine; choose one of its addresses, or 0.0.0.0 for all.`,
    ENOTFOUND: `${address} is not an address of this machine; choose one of its addresses, or 0.0.0.0 for all.`,
  };
  return new FullhouseError(
    'no-endpoint',
    sentences[error.code ?? ''] ?? `${what} can't be served at ${address}:${port}: ${error.message}.`,
    { cause: error },
  );
}
