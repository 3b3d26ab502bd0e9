import { spawn } from 'node:child_process';
import { SetupProblem } from '../setup/problem.mjs';

/**
 * A separate display for the tests, on a free number chosen by the X server.
 * @returns {Promise<{ name: string, stop: () => Promise<void> }>}
 */
export async function startDisplay({ width = 1920, height = 1080 } = {}) {
  const args = ['-displayfd', '3', '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp', '-noreset'];
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  let output = '';
  server.stderr.on('data', (chunk) => (output += chunk));
  const ended = new Promise((resolve) => {
    server.once('error', (error) => resolve(error.message));
    server.once('exit', (code) => resolve(`exit code ${code}`));
  });
  const number = await Promise.race([
    new Promise((resolve) => server.stdio[3].once('data', (chunk) => resolve(Number.parseInt(String(chunk), 10)))),
    ended.then((why) => {
      throw new SetupProblem(`Xvfb did not start (${why}). Is the package xvfb installed?\n${output.trim()}`);
    }),
  ]);
  return {
    name: `:${number}`,
    stop: async () => {
      server.kill();
      await ended;
    },
  };
}
