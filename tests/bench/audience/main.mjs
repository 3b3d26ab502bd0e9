import { cpus, loadavg, release, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { SetupProblem, runScript } from '../../../scripts/setup/problem.mjs';
import { measureBare } from './parts/bare.mjs';
import { measureHttp } from './parts/http.mjs';
import { measureRtmp } from './parts/rtmp.mjs';
import { measureWhep } from './parts/whep.mjs';
import { programsOf } from './programs/built.mjs';
import { withoutLeftovers } from './programs/children.mjs';
import { writeDocs } from './report/docs.mjs';
import { rowsOf } from './report/rows.mjs';
import { terminalTable } from './report/table.mjs';

const usage = `npm run bench:audience -- [options]: cost of an audience compared with other clients, on this machine (8 to 10 minutes).
  --only a,c,…  parts: a WHEP compared with a plain client, c time to connect, d TWCC and decryption, e 3,000 viewers,
                f RTMP, g growth, h receive-only program, i HLS and HTTP-FLV
  --quick       100 viewers and short windows, for trials; without verdicts
  --json        machine-readable results
  --write       the table and the plot into docs/performance.md
  --pprof       also CPU profiles of the agent and the plain client
  --agent PATH  another agent's program, --programs PATH another build of the bench's own`;
const allParts = [...'acdefghi'];
/** Above this load before the start the machine counts as busy. */
const quietLoad = 0.5;

/** One run, each part after the other; see `usage`. */
await runScript(async () => {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      pprof: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      agent: { type: 'string' },
      programs: { type: 'string' },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const parts = (values.only?.split(',') ?? allParts).map((part) => (part === 'b' ? 'a' : part));
  const unknown = parts.find((part) => !allParts.includes(part));
  if (unknown !== undefined) throw new SetupProblem(`There is no part "${unknown}".\n${usage}`);
  if (values.quick && values.write)
    throw new SetupProblem('--quick is for trials; its figures must not be written into the docs.');
  const isWanted = (part) => parts.includes(part);
  const log = (line) => console.error(line);

  const programs = await programsOf(values);
  const load = loadavg()[0];
  if (load > quietLoad)
    log(`This machine is busy (load ${load.toFixed(1)}): ratios are roughly valid, absolute figures are not.`);
  const pace = values.quick
    ? { viewers: 100, windows: 2, windowMs: 2000, settleMs: 1000 }
    : { viewers: 1000, windows: 3, windowMs: 10_000, settleMs: 5000 };
  const bench = { ...programs, ...pace, log, pprof: values.pprof };
  const results = await withoutLeftovers(async () => ({
    ...(['a', 'c', 'd'].some(isWanted) || values.pprof ? { whep: await measureWhep(bench, isWanted) } : {}),
    ...(['e', 'g', 'h'].some(isWanted) ? { bare: await measureBare(bench, isWanted) } : {}),
    ...(isWanted('i') ? { http: await measureHttp(bench) } : {}),
    ...(isWanted('f') ? { rtmp: await measureRtmp(bench) } : {}),
  }));

  const rows = rowsOf(results, bench);
  const machine = `${cpus().length} cores of ${cpus()[0]?.model.trim() ?? 'an unknown processor'}, ${Math.round(totalmem() / 1e9)} GB, Linux ${release()}, load ${load.toFixed(1)} before`;
  const date = new Date().toISOString().slice(0, 10);
  if (values.json) console.log(JSON.stringify({ date, machine, load, rows, results }));
  else for (const line of [...terminalTable(rows), '', machine, ...profilesOf(results)]) console.log(line);
  if (values.write) writeDocs(rows, results, { command: commandOf(values.only), date, machine });
  return rows.every(({ verdict }) => ['', 'ok', 'not available'].includes(verdict)) ? 0 : 1;
});

function profilesOf({ whep }) {
  return (whep?.profiles ?? []).flatMap(({ of, top }) => ['', `Top 10 of ${of}:`, top]);
}

function commandOf(only) {
  return `npm run bench:audience -- ${only ? `--only ${only} ` : ''}--write`;
}
