import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './freePort';

export interface Coturn {
  /** For UDP and TCP. */
  readonly port: number;
  readonly username: string;
  readonly password: string;
  /** Allocations so far, by its own log. */
  allocations(): number;
  stop(): Promise<void>;
}

const startLimitMs = 20_000;

/** A real coturn on loopback, with one user. */
export async function startCoturn(): Promise<Coturn> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-coturn-'));
  const log = join(folder, 'log');
  const [username, password] = ['viewer', 'made-up-for-the-tests'];
  const child = spawn(
    'turnserver',
    [
      ...[
        '-n',
        '--listening-ip=127.0.0.1',
        '--relay-ip=127.0.0.1',
        '--allow-loopback-peers',
        `--listening-port=${port}`,
      ],
      ...[
        '--no-tls',
        '--no-dtls',
        '--no-cli',
        '--realm=example.org',
        '--lt-cred-mech',
        `--user=${username}:${password}`,
      ],
      ...[`--log-file=${log}`, '--simple-log', '--no-stdout-log', '--verbose', '--relay-threads=1'],
      ...[`--db=${join(folder, 'db')}`, `--pidfile=${join(folder, 'pid')}`],
    ],
    { cwd: folder, stdio: 'ignore' },
  );
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  for (const limitMs = Date.now() + startLimitMs; !(await accepts(port));) {
    if (child.exitCode !== null || Date.now() > limitMs) {
      await stop();
      throw new Error('coturn did not start.');
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    ...{ port, username, password, stop },
    allocations: () => readFileSync(log, 'utf8').split('ALLOCATE processed, success').length - 1,
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
