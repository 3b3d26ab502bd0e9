import { run } from '../setup/command.mjs';
import { inRoot } from '../setup/paths.mjs';

/**
 * Go shrinks each new input for up to a minute by default, without trying another one meanwhile: some targets made
 * 8 executions in their whole minute. So many tries are enough to make an input readable.
 */
export const minimizing = ['-fuzzminimizetime', '200x'];

/** Fewer executions a second than this, and a target did something other than fuzzing. */
export const leastPerSecond = 100;

/** Fuzz targets in the output of `go test -list '^Fuzz' ./...`, which names a package after its targets. */
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

/** What `go test -fuzz` says of its work at the end; undefined when it made no execution. */
export function fuzzedIn(output) {
  const last = [...output.matchAll(/execs: (\d+) .*new interesting: (\d+)/g)].at(-1);
  return last && { executions: Number(last[1]), newInputs: Number(last[2]) };
}

/** True when nothing was found. Go may take the end of its own time for a failure (golang/go#75804), without an input. */
export function endedWell(code, output) {
  return (
    code === 0 ||
    (/^\s+context deadline exceeded$/m.test(output) && !output.includes('Failing input written'))
  );
}

/** All fuzz targets of the agent. */
export async function listTargets() {
  const { code, stdout, stderr } = await run('go', ['test', '-list', '^Fuzz', './...'], {
    cwd: inRoot('agent'),
  });
  if (code !== 0) throw new Error(`The fuzz targets could not be listed:\n${stdout}${stderr}`);
  return targetsIn(stdout);
}

/** Fuzzes one target for so many seconds; `passed` is false when it found something, which `output` shows. */
export async function fuzz(target, seconds) {
  const { code, stdout, stderr } = await run(
    'go',
    [
      'test',
      '-run',
      '^$',
      '-fuzz',
      `^${target.name}$`,
      '-fuzztime',
      `${seconds}s`,
      ...minimizing,
      target.package,
    ],
    { cwd: inRoot('agent') },
  );
  return {
    passed: endedWell(code, stdout),
    output: `${stdout}${stderr}`,
    ...(fuzzedIn(stdout) ?? { executions: 0, newInputs: 0 }),
  };
}
