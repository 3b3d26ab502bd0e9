import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Estimates from a tenth of the load or less compared with the real values: artificial limits of the lab, the limit
 * found by a search (`searched`), and the origin's figures at ten times the size.
 * @param {{ ceilings?: readonly number[], searched?: readonly number[], viewers?: number, holdMs?: number, log?: (line: string) => void }} [options]
 */
export async function runEstimateBench({
  ceilings = [50, 100, 200, 400, 800],
  viewers = 600,
  searched = [200],
  holdMs = 15_000,
  log = () => undefined,
} = {}) {
  await build({ configFile: here('./vite.config.mts'), logLevel: 'warn' });
  const order = JSON.stringify({ root: here('../../..'), ceilings, searched, viewers, holdMs });
  const child = spawn(process.execPath, [here('../../../out/estimate-bench/runs.js'), order], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const rows = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const row = JSON.parse(line);
    rows.push({
      ...row,
      isInside: row.estimate === undefined ? undefined : row.low <= row.truth && row.truth <= (row.high ?? Infinity),
      offPercent: row.estimate === undefined ? undefined : (row.estimate / row.truth - 1) * 100,
    });
    log(`estimate: ${row.what}, ${row.truth} viewers: ${row.estimate?.toFixed(0) ?? 'none'}`);
  }
  return { rows };
}

/** The rows as a table of Markdown. */
export function estimateTable({ rows }) {
  const grouped = (value) => (value === undefined ? '–' : Math.round(value).toLocaleString('en'));
  return [
    '| what | real value, viewers | measured up to | estimate (95 %) | error | in interval |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(
      ({ what, truth, seen, estimate, low, high, offPercent, isInside }) =>
        `| ${what} | ${grouped(truth)} | ${grouped(seen)} (${((100 * seen) / truth).toFixed(0)} %) | ${
          estimate === undefined
            ? 'none'
            : `${grouped(estimate)} (${grouped(low)} ${high === undefined ? 'or more' : `to ${grouped(high)}`})`
        } | ${offPercent === undefined ? '–' : `${(offPercent + 0).toFixed(1).replace('-0.0', '0.0')} %`} | ${isInside === undefined ? '–' : isInside ? 'yes' : 'no'} |`,
    ),
  ].join('\n');
}
