import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { inRoot } from '../../../scripts/setup/paths.mjs';
import { ordersOf } from './orders.mjs';
import { limitTable } from './table.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Max viewers of all concurrent runs at their peak: with more the machine would be the limit. */
const maxViewersAtOnce = 1000;
/** Max concurrent engines. */
const maxRunsAtOnce = 4;
/** A search tries up to twice its limit. */
const peakOf = ({ ceiling, maxViewers }) => Math.min(2 * ceiling, maxViewers);

/**
 * Accuracy of the limit search: labs with an artificial limit, a real run of the real engine with a real audience each,
 * and the number of limits inside the interval found. About 15 minutes on two cores.
 * @param {{ runs?: number, seed?: number, only?: readonly number[], over?: object, log?: (line: string) => void }} [options] `only`: indices of the runs to execute.
 */
export async function runLimitBench({ runs = 20, seed = 1, only, over, log = () => undefined } = {}) {
  await build({ configFile: here('./vite.config.mts'), logLevel: 'warn' });
  const orders = ordersOf({ runs, seed, over }).filter((_, place) => !only || only.includes(place));
  const startedMs = performance.now();
  const rows = await allOf(orders, log);
  const result = {
    seed,
    inside: rows.filter(({ isInside }) => isInside).length,
    runs: rows.length,
    tookMs: Math.round(performance.now() - startedMs),
    rows: rows.sort((a, b) => a.ceiling - b.ceiling),
  };
  for (const line of limitTable(result)) log(line);
  return result;
}

/** The largest first, with smaller ones in parallel. */
async function allOf(orders, log) {
  const waiting = [...orders].sort((a, b) => peakOf(b) - peakOf(a));
  const activeRun = new Map();
  const rows = [];
  while (waiting.length > 0 || activeRun.size > 0) {
    const busy = [...activeRun.keys()].reduce((sum, order) => sum + peakOf(order), 0);
    const fits = (order) => activeRun.size === 0 || busy + peakOf(order) <= maxViewersAtOnce;
    const next = activeRun.size < maxRunsAtOnce ? waiting.find(fits) : undefined;
    if (next) {
      waiting.splice(waiting.indexOf(next), 1);
      activeRun.set(
        next,
        runOne(next).then((row) => ({ next, row })),
      );
      continue;
    }
    const { next: done, row } = await Promise.race(activeRun.values());
    activeRun.delete(done);
    rows.push(row);
    log(`limit: ${rows.length} of ${orders.length}: ceiling ${row.ceiling}: ${row.sentence}`);
  }
  return rows;
}

async function runOne(order) {
  const child = spawn(process.execPath, [here('../../../out/limit-bench/engine.js'), inRoot(), JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, errors] = [[], []];
  child.stdout.on('data', (data) => out.push(data));
  child.stderr.on('data', (data) => errors.push(data));
  await once(child, 'close');
  const line = Buffer.concat(out).toString().trim().split('\n').at(-1) ?? '';
  if (line.startsWith('{')) return JSON.parse(line);
  const firstError = Buffer.concat(errors).toString().trim().split('\n')[0];
  return {
    ...order,
    state: 'not executed',
    isInside: false,
    trials: 0,
    repeats: 0,
    tookMs: 0,
    sentence: firstError || 'It ended without a result.',
  };
}
