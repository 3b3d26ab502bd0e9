import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { inRoot } from '../setup/paths.mjs';

/**
 * Runs `go test -race` over the agent and counts tests and subtests. Prints the output of failed ones, which then run
 * up to twice more by themselves: with real sockets and clocks, a busy machine alone may fail a test.
 */
export async function runGoTests() {
  const tally = newTally();
  const code = await goTest(tally, './...');
  for (const output of tally.failures()) process.stderr.write(output);
  for (const { name, packagePath } of tally.failedTests().slice(0, mostRepeated)) {
    if ((await passesAlone(packagePath, name)) || (await passesAlone(packagePath, name)))
      tally.passedAgain(packagePath, name);
  }
  return tally.count(code);
}

/** Above this number of failed tests it is not the machine. */
const mostRepeated = 5;

async function passesAlone(packagePath, name) {
  const tally = newTally();
  const code = await goTest(tally, '-count=1', '-run', `^${name}$`, packagePath);
  return code === 0 && tally.count(0).failed === 0;
}

async function goTest(tally, ...args) {
  const child = spawn('go', ['test', '-json', '-race', '-timeout', '300s', ...args], {
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
  /** One note each. */
  let failed = [];
  let hasPassedAgain = false;
  const outputs = new Map();
  const failures = [];
  const notes = [];
  const fail = (event, note) => failed.push({ packagePath: event.Package, name: topOf(event.Test), note });
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
      if (event.Action === 'build-fail') fail(event, `${event.ImportPath} did not compile.`);
      if (event.Test === undefined) return;
      if (event.Action === 'pass') passed += 1;
      if (event.Action === 'fail') fail(event, `${event.Package} ${event.Test} failed.`);
      if (event.Action === 'skip') fail(event, `${event.Package} ${event.Test} was skipped, which counts as failed.`);
    },
    failures: () => failures,
    /** Failed tests without their subtests. */
    failedTests() {
      const tests = failed.filter(({ name }) => name !== undefined);
      return [...new Map(tests.map((test) => [`${test.packagePath} ${test.name}`, test])).values()];
    },
    /** A failed test passed on a later try, with all its subtests. */
    passedAgain(packagePath, name) {
      const remaining = failed.filter((test) => test.packagePath !== packagePath || test.name !== name);
      passed += failed.length - remaining.length;
      failed = remaining;
      hasPassedAgain = true;
      notes.push(`Passed on a later try: ${packagePath} ${name}`);
    },
    count(code) {
      const lines = [...failed.map(({ note }) => note), ...notes];
      if (code !== 0 && failed.length === 0 && !hasPassedAgain)
        return { passed, failed: 1, notes: [...lines, `go test ended with code ${code}.`] };
      return { passed, failed: failed.length, notes: lines };
    },
  };
}

const topOf = (test) => test?.split('/')[0];
