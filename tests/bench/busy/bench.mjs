import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { orderOf } from './order.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
/** A burner exits when a run exceeds its time limit. */
const longestRunSeconds = 90;

/**
 * Runs of the lab while other programs keep 0, 1 or 2 processors busy: no verdict may be a fail of the origin, which is
 * not the cause.
 * @param {{ runs?: number, log?: (line: string) => void }} [options]
 */
export async function runBusyBench({ runs = 200, log = () => undefined } = {}) {
  await build({ configFile: here('./vite.config.mts'), logLevel: 'warn' });
  const engine = spawn(process.execPath, [here('../../../out/busy-bench/runs.js'), here('../../..')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();
  const answer = async () => {
    const { value, done } = await answers.next();
    if (done) throw new Error('The engine of the benchmark ended; see the output above.');
    return JSON.parse(value);
  };
  const rows = [];
  try {
    await answer();
    for (const { viewers, burners } of orderOf(runs)) {
      const processes = await Promise.all(Array.from({ length: burners }, startBurner));
      try {
        engine.stdin.write(`${JSON.stringify({ viewers })}\n`);
        const row = { burners, ...(await answer()) };
        rows.push(row);
        log(`busy ${rows.length} of ${runs}: ${burners} busy, ${viewers} viewers: ${row.verdict}, ${row.sentence}`);
      } finally {
        await Promise.all(processes.map(endBurner));
      }
    }
  } finally {
    engine.stdin.end();
    await once(engine, 'exit');
  }
  return { rows };
}

async function startBurner() {
  const burner = spawn(process.execPath, [here('./burner.mjs'), `${longestRunSeconds}`, `${process.pid}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(burner.stdout, 'data');
  return burner;
}

async function endBurner(burner) {
  if (burner.exitCode !== null || burner.signalCode !== null) return;
  const ended = once(burner, 'exit');
  burner.kill('SIGKILL');
  await ended;
}
