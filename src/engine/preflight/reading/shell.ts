import { FullhouseError } from '../../../contract/calls';
import { startProgram } from '../../base/program';
import { isRemote, thisMachine, type FleetNode } from '../../fleet/node';

/** Somewhere a program can be run until it ends. */
export interface Place {
  run(argv: readonly string[], signal: AbortSignal): Promise<string>;
}

const timeoutMs = 25_000;
const maxBytes = 8 * 1024 * 1024;

/** The connection to a node's host. Rejects with a sentence where there is none. */
export async function placeOf(node: FleetNode): Promise<Place> {
  if (node.host === thisMachine) return here;
  if (!isRemote(node)) throw new FullhouseError('no-way', `${node.id} has no host to check.`);
  const link = await node.shell();
  return {
    run: async (argv, signal) => {
      const { code, stdout, stderr } = await link.run(argv, { timeoutMs, maxBytes, signal });
      if (code === 0) return stdout;
      const output = stderr.trim().split('\n')[0];
      throw new FullhouseError(
        'no-answer',
        code === null
          ? `The SSH connection to ${node.id} broke during the preflight; try again.`
          : `The shell of ${node.id} failed${output ? `: ${output.slice(0, 200)}` : ''}.`,
      );
    },
  };
}

const here: Place = {
  run: (argv, signal) =>
    new Promise((resolve, reject) => {
      if (process.platform !== 'linux')
        return reject(
          new FullhouseError('no-linux', 'This machine does not run Linux; the preflight checks Linux settings.'),
        );
      const [program = '', ...words] = argv;
      const child = startProgram(program, words, {
        stdio: ['ignore', 'pipe', 'ignore'],
        signal,
        timeout: timeoutMs,
      });
      const chunks: Buffer[] = [];
      let bytes = 0;
      child.stdout?.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= maxBytes) chunks.push(chunk);
        else {
          child.kill('SIGKILL');
          reject(new FullhouseError('too-long', `This machine returned more than ${maxBytes} bytes.`));
        }
      });
      child.on('error', (error) =>
        reject(
          signal.aborted
            ? new FullhouseError('aborted', 'The preflight was cancelled.')
            : new FullhouseError('no-shell', `This machine could not be checked: ${error.message}.`),
        ),
      );
      child.on('close', (code) =>
        code === 0
          ? resolve(Buffer.concat(chunks).toString())
          : reject(new FullhouseError('no-answer', 'This machine could not be checked within 25 s.')),
      );
    }),
};
