import { parseArgs } from 'node:util';
import { SetupProblem, runScript } from './setup/problem.mjs';
import { checkGo } from './setup/versions.mjs';
import { fuzz, minPerSecond, listTargets } from './testing/fuzzTargets.mjs';

/**
 * Fuzzes the agent's parsers one after the other: `npm run fuzz`, `npm run fuzz -- --seconds 20 FuzzAMF` for some of
 * them. With `--memory` only those that watch memory: inputs that allocate more are kept, and the most expensive one of
 * each is printed. Exit code 1 when one found a failure or stalled; failing inputs are in its package's
 * `testdata/fuzz`.
 */
await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seconds: { type: 'string', default: '60' }, memory: { type: 'boolean', default: false } },
  });
  const seconds = Number(values.seconds);
  if (!Number.isInteger(seconds) || seconds < 1)
    throw new SetupProblem(`--seconds must be a whole number above 0, not "${values.seconds}".`);
  await checkGo();
  const targets = await listTargets();
  const unknown = positionals.find((name) => !targets.some((target) => target.name === name));
  if (unknown)
    throw new SetupProblem(
      `Unknown fuzz target "${unknown}". Available: ${targets.map((target) => target.name).join(', ')}.`,
    );
  let failed = 0;
  for (const target of targets) {
    if (positionals.length > 0 && !positionals.includes(target.name)) continue;
    if (values.memory && !target.watchesMemory) continue;
    const result = await fuzz(target, seconds, values.memory);
    const stalled = result.executions < minPerSecond * seconds;
    const remark = !result.passed ? 'FAILED' : stalled ? 'stalled' : '';
    console.log(
      `${target.name.padEnd(26)} ${target.package.replace('fullhouse/agent/', '').padEnd(26)} ` +
        `${String(result.executions).padStart(10)} executions ` +
        `${String(result.newInputs).padStart(5)} new inputs ${result.most ?? ''} ${remark}`,
    );
    if (!result.passed) console.error(result.output);
    if (remark) failed += 1;
  }
  return failed === 0 ? 0 : 1;
});
