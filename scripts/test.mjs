import { ensureReady } from './setup.mjs';
import { SetupProblem, runScript } from './setup/problem.mjs';
import { changeSince } from './testing/change.mjs';
import { readFlaky } from './testing/flaky.mjs';
import { stages, testParts } from './testing/parts.mjs';
import { chooseParts } from './testing/rings.mjs';
import { summaryOf } from './testing/summary.mjs';

/**
 * The tests, in three rings: `npm test` is the gate, `npm test -- changed [BASE]` adds the parts whose paths a change
 * touches, `npm test -- all` runs everything; `npm test -- unit e2e` runs some parts. The last line of stdout is
 * `N passed, N failed`, the exit code is 0 only if nothing failed.
 */
await runScript(async () => {
  const isRoot = process.getuid?.() === 0;
  const { parts, lines } = await chooseParts(process.argv.slice(2), { changeSince, isRoot });
  for (const line of lines) console.log(line);

  const results = [];
  for (const stage of stages) {
    const waiting = stage.parts.filter((name) => parts.includes(name));
    const work = async () => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) results.push(await runPart(name));
    };
    await Promise.all(Array.from({ length: stage.atOnce }, work));
  }
  results.push(...(await flakyResult()));
  console.log(['', ...summaryOf(results)].join('\n'));
  return results.some((result) => result.failed > 0) ? 1 : 0;
});

/** A part that cannot be prepared counts as failed; the others still run. */
async function runPart(name) {
  console.error(`\n=== ${name}`);
  const startMs = Date.now();
  const result = await testParts[name].needs
    .reduce((ready, need) => ready.then(() => ensureReady([need])), Promise.resolve())
    .then(() => testParts[name].run())
    .catch((error) => {
      console.error(error instanceof SetupProblem ? error.message : error);
      return { passed: 0, failed: 1, notes: ['It could not run; see above.'] };
    });
  return { name, ...result, seconds: (Date.now() - startMs) / 1000 };
}

/** The list of flaky tests as a result of its own, if something is wrong with it: an entry that has ended is red. */
async function flakyResult() {
  await ensureReady(['dependencies']);
  const { problems } = await readFlaky();
  return problems.length > 0
    ? [{ name: 'flaky', passed: 0, failed: problems.length, notes: problems, seconds: 0 }]
    : [];
}
