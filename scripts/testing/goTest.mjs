import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { inRoot } from '../setup/paths.mjs';
import { goTestRuns } from './goTestRuns.mjs';

/** Runs `go test` over the agent and counts tests and subtests. Prints the output of failed ones. */
export async function runGoTests() {
  const tally = newTally();
  let code = 0;
  for (const args of goTestRuns(readPackages())) code = (await goTest(tally, ...args)) || code;
  for (const output of tally.failures()) process.stderr.write(output);
  return tally.count(code);
}

/** The Go files of the agent by package. */
function readPackages() {
  const packages = new Map();
  for (const name of readdirSync(inRoot('agent'), { recursive: true })) {
    if (!name.endsWith('.go')) continue;
    const path = `./${dirname(name).split(sep).join('/')}`;
    packages.set(path, [
      ...(packages.get(path) ?? []),
      { name: relative(dirname(name), name), text: readFileSync(join(inRoot('agent'), name), 'utf8') },
    ]);
  }
  return packages;
}

async function goTest(tally, ...args) {
  const child = spawn('go', ['test', '-json', '-timeout', '300s', ...args], {
    cwd: inRoot('agent'),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, CGO_ENABLED: '1' },
  });
  createInterface({ input: child.stdout }).on('line', (line) => tally.add(line));
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`go could not be started: ${error.message}`);
      resolve(127);
    });
    child.once('close', resolve);
  });
}

/** Counts the events of `go test -json`. */
export function newTally() {
  let passed = 0;
  /** One note per failed test. */
  const notes = [];
  const outputs = new Map();
  const failures = [];
  const durations = [];
  return {
    add(line) {
      let event;
      try {
        event = JSON.parse(line);
      } catch {
        return void failures.push(`${line}\n`);
      }
      const key = `${event.ImportPath ?? event.Package} ${event.Test ?? ''}`;
      if (event.Output) outputs.set(key, (outputs.get(key) ?? '') + event.Output);
      if (event.Action === 'fail' || event.Action === 'build-fail')
        failures.push(outputs.get(key) ?? `${key} failed\n`);
      if (event.Action === 'build-fail') notes.push(`${event.ImportPath} did not compile.`);
      if (event.Test === undefined) return;
      if (event.Action === 'pass') passed += 1;
      if (event.Action === 'fail') notes.push(`${event.Package} ${event.Test} failed.`);
      if (event.Action === 'skip') notes.push(`${event.Package} ${event.Test} was skipped, which counts as failed.`);
      // The time of a test includes its subtests.
      if (event.Elapsed !== undefined && !event.Test.includes('/'))
        durations.push({ name: `${event.Package} ${event.Test}`, ms: event.Elapsed * 1000 });
    },
    failures: () => failures,
    count(code) {
      const isUnexplained = code !== 0 && notes.length === 0;
      const all = isUnexplained ? [`go test ended with code ${code}.`] : notes;
      return { passed, failed: all.length, notes: all, durations };
    },
  };
}
