import { run } from '../setup/command.mjs';
import { inRoot } from '../setup/paths.mjs';

/**
 * Go minimises each new input for up to a minute by default, without other executions meanwhile: some targets had
 * 8 executions in a full minute. This number of tries yields a readable input.
 */
export const minimizing = ['-fuzzminimizetime', '200x'];

/** Below this number of executions a second a target has stalled. */
export const minPerSecond = 100;

/** Fuzz targets in the output of `go test -list '^Fuzz' ./...`, which prints a package after its targets. */
export function targetsIn(listed) {
  const targets = [];
  let names = [];
  for (const line of listed.split('\n')) {
    if (/^Fuzz\w+$/.test(line)) names.push(line);
    const ended = /^(?:ok|\?)\s+(\S+)/.exec(line)?.[1];
    if (!ended) continue;
    targets.push(...names.map((name) => ({ name, package: ended })));
    names = [];
  }
  return targets;
}

/** The final statistics of `go test -fuzz`; undefined without any execution. */
export function fuzzedIn(output) {
  const last = [...output.matchAll(/execs: (\d+) .*new interesting: (\d+)/g)].at(-1);
  return last && { executions: Number(last[1]), newInputs: Number(last[2]) };
}

/** Whether no failure was found. Go may report its own timeout as a failure (golang/go#75804), without an input. */
export function endedWell(code, output) {
  return code === 0 || (/^\s+context deadline exceeded$/m.test(output) && !output.includes('Failing input written'));
}

/** All fuzz targets of the agent. */
export async function listTargets() {
  const { code, stdout, stderr } = await run('go', ['test', '-list', '^Fuzz', './...'], {
    cwd: inRoot('agent'),
  });
  if (code !== 0) throw new Error(`The fuzz targets could not be listed:\n${stdout}${stderr}`);
  return targetsIn(stdout);
}

/** Fuzzes one target for this number of seconds; `passed` is false on a failure, which `output` shows. */
export async function fuzz(target, seconds) {
  const { code, stdout, stderr } = await run(
    'go',
    ['test', '-run', '^$', '-fuzz', `^${target.name}$`, '-fuzztime', `${seconds}s`, ...minimizing, target.package],
    { cwd: inRoot('agent') },
  );
  return {
    passed: endedWell(code, stdout),
    output: `${stdout}${stderr}`,
    ...(fuzzedIn(stdout) ?? { executions: 0, newInputs: 0 }),
  };
}
