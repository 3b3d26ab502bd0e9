import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { orderOf } from './order.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
/** A burner ends by itself when a run takes longer than any should. */
const longestRunSeconds = 90;

/**
 * Runs of the lab while other programs keep 0, 1 or 2 processors busy: whatever the verdict is, it must not blame the origin, which has
 * nothing to do with it.
 * @param {{ runs?: number, log?: (line: string) => void }} [options]
 */
export async function runHonestyBench({ runs = 200, log = () => undefined } = {}) {
  await build({ configFile: here('./vite.config.mts'), logLevel: 'warn' });
  const engine = spawn(process.execPath, [here('../../../out/honesty-bench/runs.js'), here('../../..')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();
  const answer = async () => {
    const { value, done } = await answers.next();
    if (done) throw new Error('The engine of the measurement ended; see the lines before.');
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
        log(
          `honesty ${rows.length} of ${runs}: ${burners} busy, ${viewers} viewers: ${row.verdict}, ${row.sentence}`,
        );
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
