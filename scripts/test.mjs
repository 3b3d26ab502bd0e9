import { ensureReady } from './setup.mjs';
import { SetupProblem, runScript } from './setup/problem.mjs';
import { stages, testParts } from './testing/parts.mjs';

/**
 * All tests but those on request only: `npm test`, or some parts: `npm test -- unit e2e`. The last line of stdout is `N passed, N failed`, the
 * exit code is 0 only if nothing failed.
 */
await runScript(async () => {
  const asked = process.argv.slice(2);
  const unknown = asked.filter((name) => !Object.hasOwn(testParts, name));
  if (unknown.length > 0)
    throw new SetupProblem(`Unknown test part "${unknown[0]}". Available: ${Object.keys(testParts).join(', ')}.`);
  const names = Object.keys(testParts).filter((name) =>
    asked.length === 0 ? !testParts[name].isOnRequest : asked.includes(name),
  );

  const results = [];
  for (const stage of stages) {
    const now = stage.filter((name) => names.includes(name));
    results.push(...(await Promise.all(now.map(runPart))));
  }
  report(results);
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

function report(results) {
  console.log('');
  for (const { name, passed, failed, notes, seconds } of results) {
    console.log(
      `${name.padEnd(12)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${seconds.toFixed(1).padStart(7)} s`,
    );
    for (const note of notes) console.log(`  ${note}`);
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
}
