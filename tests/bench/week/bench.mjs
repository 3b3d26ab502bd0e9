import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const built = here('../../../out/week-bench');
const reader = here('../../../out/cli/runReader.js');

/**
 * A week of 20 nodes with 40 series as it is kept, ranges of it read, and the cost of recording. Takes some minutes,
 * most of them to write the week.
 * @param {{ log?: (line: string) => void }} [options]
 */
export async function runWeekBench({ log = () => undefined } = {}) {
  if (!existsSync(reader)) throw new Error('Build the command line first: npm run build.');
  await build({ configFile: here('./vite.config.mts'), logLevel: 'warn' });
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-week-bench-'));
  try {
    log('watch: recording 20 nodes for a minute ...');
    const record = await figures('record.js', [folder, reader, '60'], log);
    log('watch: writing a week of 20 nodes ...');
    const week = join(folder, 'week');
    mkdirSync(week);
    return { record, ...(await figures('week.js', [week], log)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The JSON on the last line of a program's output. */
function figures(program, args, log) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(built, program), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text) => log(text.trim()));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0
        ? resolve(JSON.parse(out.trim().split('\n').at(-1) ?? '{}'))
        : reject(new Error(`${program} ended with ${code}.`)),
    );
  });
}
