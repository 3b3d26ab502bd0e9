import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { inRoot } from '../../../scripts/setup/paths.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** An outage that the run found must begin and end within this of the truth. */
const toleranceMs = 1000;

/**
 * A soak with a fault of the server each minute, in a real run with a real audience: how many of the outages that the
 * agent's own records show are in the verdict with their length.
 * @param {{ minutes?: number, viewers?: number, log?: (line: string) => void }} [options]
 */
export async function runOutagesBench({ minutes = 30, viewers = 100, log = () => undefined } = {}) {
  await build({ configFile: here('./vite.config.mts'), logLevel: 'warn' });
  const child = spawn(
    process.execPath,
    [here('../../../out/outages-bench/engine.js'), inRoot(), JSON.stringify({ minutes, viewers })],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const out = [];
  child.stdout.on('data', (data) => out.push(data));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The run ended with ${code}.`);
  const result = JSON.parse(Buffer.concat(out).toString().trim().split('\n').at(-1));
  const truth = outagesOf(result);
  const found = result.outages?.list ?? [];
  const matched = truth.filter(({ fromMs, toMs }) =>
    found.some((each) => isSame(each, fromMs - result.startedMs, toMs - result.startedMs)),
  );
  for (const line of result.sentences) log(typeof line === 'string' ? line : line.sentence);
  for (const { fromMs, toMs } of truth.filter((each) => !matched.includes(each)))
    log(`not found: ${(fromMs - result.startedMs) / 1000} s to ${(toMs - result.startedMs) / 1000} s`);
  return {
    faults: result.faults.length,
    publications: result.faults.filter(({ kind }) => kind !== 'refuses').length,
    publisherOutages: result.publisherOutages.length,
    truth: truth.length,
    matched: matched.length,
    found: result.outages?.count ?? 0,
    result,
  };
}

const isSame = ({ fromS, toS }, fromMs, toMs) =>
  Math.abs(fromS * 1000 - fromMs) <= toleranceMs && Math.abs(toS * 1000 - toMs) <= toleranceMs;

/** Intervals in which fewer than 99 % of the viewers were connected, between the first and the last time that all were. */
function outagesOf({ seen, viewers }) {
  const isFull = ({ connected }) => connected >= 0.99 * viewers;
  const held = seen.slice(seen.findIndex(isFull), seen.findLastIndex(isFull) + 1);
  const outages = [];
  let fromMs;
  for (const each of held) {
    if (!isFull(each)) fromMs ??= each.timeMs;
    else if (fromMs !== undefined) {
      outages.push({ fromMs, toMs: each.timeMs });
      fromMs = undefined;
    }
  }
  return outages;
}
