import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  return Promise.all(
    targetsIn(stdout).map(async (target) => ({ ...target, watchesMemory: await watchesMemory(target) })),
  );
}

/** Whether a target measures what each input allocates (agent/internal/testing/crafted). */
async function watchesMemory(target) {
  const folder = inRoot(target.package.replace('fullhouse/', ''));
  for (const file of await readdir(folder)) {
    if (!file.endsWith('_test.go')) continue;
    const body = (await readFile(join(folder, file), 'utf8')).split(`func ${target.name}(`)[1];
    if (body) return body.split('\n}\n')[0].includes('crafted.Watch(');
  }
  return false;
}

/** The most expensive input of all processes of a fuzzer, from lines of what it allocated and its size. */
export function mostExpensive(lines) {
  const inputs = lines.map((line) => line.trim().split(' ').map(Number)).filter(([bytes]) => bytes > 0);
  const [bytes, size] = inputs.sort(([a], [b]) => b - a)[0] ?? [];
  return bytes && `${(bytes / 2 ** 20).toFixed(1)} MB for ${size} bytes`;
}

/**
 * Fuzzes one target for this number of seconds; `passed` is false on a failure, which `output` shows. With `memory`,
 * inputs that allocate more are kept, and `most` is the most expensive one.
 */
export async function fuzz(target, seconds, memory = false) {
  const folder = memory ? await mkdtemp(join(tmpdir(), 'fullhouse-fuzz-')) : undefined;
  try {
    const { code, stdout, stderr } = await run(
      'go',
      ['test', '-run', '^$', '-fuzz', `^${target.name}$`, '-fuzztime', `${seconds}s`, ...minimizing, target.package],
      { cwd: inRoot('agent'), ...(folder && { env: { FULLHOUSE_FUZZ_MEMORY: folder } }) },
    );
    const lines = folder
      ? await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')))
      : [];
    return {
      passed: endedWell(code, stdout),
      output: `${stdout}${stderr}`,
      ...(fuzzedIn(stdout) ?? { executions: 0, newInputs: 0 }),
      ...(folder && { most: mostExpensive(lines) }),
    };
  } finally {
    if (folder) await rm(folder, { recursive: true });
  }
}
