import { spawn } from 'node:child_process';
import { FullhouseError } from '../../../contract/calls';
import { isRemote, thisMachine, type FleetNode } from '../../fleet/node';

/** Somewhere that a program can be run to its end. */
export interface Place {
  run(argv: readonly string[], signal: AbortSignal): Promise<string>;
}

const timeoutMs = 25_000;
const mostBytes = 8 * 1024 * 1024;

/** The way to a node's host. Rejects with a sentence where there is none. */
export async function placeOf(node: FleetNode): Promise<Place> {
  if (node.host === thisMachine) return here;
  if (!isRemote(node)) throw new FullhouseError('no-way', `${node.id} has no host that could be looked at.`);
  const link = await node.shell();
  return {
    run: async (argv, signal) => {
      const { code, stdout, stderr } = await link.run(argv, { timeoutMs, mostBytes, signal });
      if (code === 0) return stdout;
      const said = stderr.trim().split('\n')[0];
      throw new FullhouseError(
        'no-answer',
        code === null
          ? `The SSH connection to ${node.id} broke while it was looked at; try again.`
          : `The shell of ${node.id} could not be asked${said ? `; it says: ${said.slice(0, 200)}` : ''}.`,
      );
    },
  };
}

const here: Place = {
  run: (argv, signal) =>
    new Promise((resolve, reject) => {
      if (process.platform !== 'linux')
        return reject(
          new FullhouseError('no-linux', 'This machine runs no Linux, whose settings these are.'),
        );
      const [program = '', ...words] = argv;
      const child = spawn(program, words, {
        stdio: ['ignore', 'pipe', 'ignore'],
        signal,
        timeout: timeoutMs,
      });
      const chunks: Buffer[] = [];
      let bytes = 0;
      child.stdout.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= mostBytes) chunks.push(chunk);
        else {
          child.kill('SIGKILL');
          reject(new FullhouseError('too-long', `This machine answers with more than ${mostBytes} bytes.`));
        }
      });
      child.on('error', (error) =>
        reject(
          signal.aborted
            ? new FullhouseError('aborted', 'The look was called off.')
            : new FullhouseError('no-shell', `This machine could not be looked at: ${error.message}.`),
        ),
      );
      child.on('close', (code) =>
        code === 0
          ? resolve(Buffer.concat(chunks).toString())
          : reject(new FullhouseError('no-answer', 'This machine could not be looked at within 25 s.')),
      );
    }),
};
