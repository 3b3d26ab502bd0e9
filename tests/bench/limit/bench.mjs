import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { inRoot } from '../../../scripts/setup/paths.mjs';
import { ordersOf } from './orders.mjs';
import { limitTable } from './table.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Viewers that all runs of a moment may have together at their largest: more would make the machine the limit. */
const mostViewersAtOnce = 1000;
/** Engines at once, however small. */
const mostRunsAtOnce = 4;
/** Above its ceiling a search looks at up to twice as many. */
const peakOf = ({ ceiling, mostViewers }) => Math.min(2 * ceiling, mostViewers);

/**
 * Whether the limit that is found is true: labs with a made ceiling, a real run of the real engine with a real audience each, and how many of the
 * ceilings lie in the interval that was found. Some 15 minutes on two cores.
 * @param {{ runs?: number, seed?: number, only?: readonly number[], over?: object, log?: (line: string) => void }} [options] `only`: places of the runs to make.
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

/** The largest first, and beside them what there is room for. */
async function allOf(orders, log) {
  const waiting = [...orders].sort((a, b) => peakOf(b) - peakOf(a));
  const underWay = new Map();
  const rows = [];
  while (waiting.length > 0 || underWay.size > 0) {
    const busy = [...underWay.keys()].reduce((sum, order) => sum + peakOf(order), 0);
    const fits = (order) => underWay.size === 0 || busy + peakOf(order) <= mostViewersAtOnce;
    const next = underWay.size < mostRunsAtOnce ? waiting.find(fits) : undefined;
    if (next) {
      waiting.splice(waiting.indexOf(next), 1);
      underWay.set(
        next,
        runOne(next).then((row) => ({ next, row })),
      );
      continue;
    }
    const { next: done, row } = await Promise.race(underWay.values());
    underWay.delete(done);
    rows.push(row);
    log(`limit: ${rows.length} of ${orders.length}: ceiling ${row.ceiling}: ${row.sentence}`);
  }
  return rows;
}

async function runOne(order) {
  const child = spawn(
    process.execPath,
    [here('../../../out/limit-bench/engine.js'), inRoot(), JSON.stringify(order)],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [out, errors] = [[], []];
  child.stdout.on('data', (data) => out.push(data));
  child.stderr.on('data', (data) => errors.push(data));
  await once(child, 'close');
  const line = Buffer.concat(out).toString().trim().split('\n').at(-1) ?? '';
  if (line.startsWith('{')) return JSON.parse(line);
  const said = Buffer.concat(errors).toString().trim().split('\n')[0];
  return {
    ...order,
    state: 'not made',
    isInside: false,
    trials: 0,
    repeats: 0,
    tookMs: 0,
    sentence: said || 'It ended without a word.',
  };
}
