import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { inRoot } from '../setup/paths.mjs';

/** Runs `go test -race` over the agent and counts tests and subtests. Prints the output of failed ones. */
export async function runGoTests() {
  const tally = newTally();
  const child = spawn('go', ['test', '-json', '-race', '-timeout', '300s', './...'], {
    cwd: inRoot('agent'),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, CGO_ENABLED: '1' },
  });
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => tally.add(line));
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`go could not be started: ${error.message}`);
      resolve(127);
    });
    child.once('close', resolve);
  });
  for (const output of tally.failures()) process.stderr.write(output);
  return tally.count(code);
}

/** Counts the events of `go test -json`. */
export function newTally() {
  const counts = { passed: 0, failed: 0 };
  const outputs = new Map();
  const failures = [];
  const notes = [];
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
      if (event.Action === 'build-fail') counts.failed += 1;
      if (event.Test === undefined) return;
      if (event.Action === 'pass') counts.passed += 1;
      if (event.Action === 'fail') {
        counts.failed += 1;
        notes.push(`${event.Package} ${event.Test} failed.`);
      }
      if (event.Action === 'skip') {
        counts.failed += 1;
        notes.push(`${event.Package} ${event.Test} was skipped, which counts as failed.`);
      }
    },
    failures: () => failures,
    count(code) {
      if (code !== 0 && counts.failed === 0)
        return { passed: counts.passed, failed: 1, notes: [...notes, `go test ended with code ${code}.`] };
      return { ...counts, notes };
    },
  };
}
