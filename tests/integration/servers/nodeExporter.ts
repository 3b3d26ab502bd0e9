import { spawn } from 'node:child_process';
import { later } from '../undo';
import { freePort } from './freePort';
import { until } from '../../support/until';

export interface RealProgram {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly pid: number;
  end(): void;
}

/** Starts a program that serves HTTP, and waits until `ready` returns 200. */
export async function startHttpProgram(
  program: string,
  args: readonly string[],
  url: string,
  ready: string,
): Promise<RealProgram> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-2000)));
  const end = (): void => void child.kill('SIGKILL');
  later(end);
  let isReady = false;
  const ask = setInterval(() => {
    void fetch(`${url}${ready}`).then(
      ({ ok }) => (isReady ||= ok),
      () => undefined,
    );
  }, 100);
  try {
    if (!(await until(() => isReady || child.exitCode !== null, 20_000)) || child.exitCode !== null)
      throw new Error(`${program} did not start: ${output}`);
  } finally {
    clearInterval(ask);
  }
  return { url, pid: child.pid ?? 0, end };
}

/** The real node_exporter of this host. */
export async function startNodeExporter(port?: number): Promise<RealProgram> {
  const address = `127.0.0.1:${port ?? (await freePort())}`;
  return startHttpProgram(
    'prometheus-node-exporter',
    [`--web.listen-address=${address}`],
    `http://${address}`,
    '/metrics',
  );
}
