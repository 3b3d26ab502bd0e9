import { connect } from 'node:net';

/** Resolves when the port accepts a connection, which is closed at once; rejects with the system's error otherwise. */
export function connectTo(host: string, port: number, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('timeout', () => socket.destroy(Object.assign(new Error('no response'), { code: 'ETIMEDOUT' })));
    socket.once('error', reject);
  });
}
