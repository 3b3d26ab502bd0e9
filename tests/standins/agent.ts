import { WebSocketServer, type WebSocket } from 'ws';
import type { AddressInfo } from 'node:net';
import { provesToken } from './provesToken';

/** A minimal agent with enough of the protocol for errors that the real one never causes. */
export interface StandinAgent {
  readonly address: string;
  /** The received `hello`s, oldest first. */
  readonly hellos: ReadonlyArray<{ readonly resumeAfter?: number }>;
  /** Simulates a restart: a new instance with these records. */
  restart(instance: string, records: number): void;
  /** Sends any text to all connections after their `hello`. */
  send(text: string): void;
  /** Closes all connections without notice. */
  drop(): void;
  close(): Promise<void>;
}

export function sampleRecord(sequence: number): string {
  return JSON.stringify({
    type: 'record',
    sequence,
    timeMs: Date.now(),
    kind: 'sample',
    sample: { process: { cpuPercent: 1 }, jobs: [] },
  });
}

export async function startStandinAgent(options: {
  readonly protocol: number;
  readonly records?: number;
  /** Default: 32 times x. */
  readonly token?: string;
}): Promise<StandinAgent> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, path: '/v1' });
  provesToken(server, options.token ?? 'x'.repeat(32));
  await new Promise((resolve) => server.once('listening', resolve));
  const hellos: Array<{ resumeAfter?: number }> = [];
  const greeted = new Set<WebSocket>();
  let instance = 'first';
  let records = options.records ?? 0;

  server.on('connection', (socket) => {
    socket.on('close', () => greeted.delete(socket));
    socket.on('message', (data) => {
      const { type, id, call, params } = JSON.parse((data as Buffer).toString('utf8')) as {
        type: string;
        id: number;
        call: string;
        params: { protocol: number; resumeAfter?: number };
      };
      if (type === 'proof') return;
      const answer = (result: unknown): void => socket.send(JSON.stringify({ type: 'response', id, ok: true, result }));
      if (call === 'ping') return answer({ nowMs: Date.now() });
      if (call !== 'hello') return answer({});
      hellos.push({ resumeAfter: params.resumeAfter });
      answer({
        protocol: options.protocol,
        agent: '9.9.9',
        role: 'audience',
        instance,
        pid: process.pid,
        nowMs: Date.now(),
        oldestSequence: 1,
        latestSequence: records,
        host: {
          system: 'linux',
          architecture: 'amd64',
          kernel: '6',
          cpuModel: 'x',
          cores: 1,
          memoryBytes: 1,
        },
        limits: { openFiles: 1000, viewers: 744 },
      });
      greeted.add(socket);
      for (let sequence = (params.resumeAfter ?? records) + 1; sequence <= records; sequence += 1)
        socket.send(sampleRecord(sequence));
    });
  });

  const drop = (): void => {
    for (const client of server.clients) client.terminate();
  };
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    hellos,
    restart: (name, count) => {
      instance = name;
      records = count;
      drop();
    },
    send: (text) => {
      for (const socket of greeted) socket.send(text);
    },
    drop,
    close: () => {
      drop();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
