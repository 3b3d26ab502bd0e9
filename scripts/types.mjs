import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from './setup/command.mjs';
import { inRoot } from './setup/paths.mjs';

const inModules = (...path) => inRoot('node_modules', ...path);
/** Type-checks in a tenth of the time of TypeScript 5, which remains for the tools that use its API. */
const tsc = inModules('typescript7', 'bin', 'tsc');
const svelteCheck = inModules('svelte-check', 'bin', 'svelte-check');
const oxlint = inModules('oxlint', 'bin', 'oxlint');

/** By name: files that git ignores are linted only so. */
function writtenComponents() {
  const folder = inRoot('.svelte-check', 'svelte');
  return readdirSync(folder, { recursive: true })
    .filter((name) => basename(name).startsWith('++'))
    .map((name) => join(folder, name));
}

/** Each side compiles alone, with its own types only. */
export const typeChecks = [
  {
    name: 'types of renderer',
    args: [
      svelteCheck,
      ...['--tsconfig', 'tsconfig.renderer.json', '--output', 'human', '--fail-on-warnings', '--incremental'],
    ],
    // Linters of TypeScript can't read components; svelte-check writes them as TypeScript for its cache.
    then: {
      name: 'promises in components',
      args: () => [oxlint, '--config', 'scripts/lint/components.json', '--no-ignore', ...writtenComponents()],
    },
  },
  ...['domain', 'engine', 'report', 'main', 'preload', 'tests'].map((side) => ({
    name: `types of ${side}`,
    args: [tsc, '--project', `tsconfig.${side}.json`],
  })),
];

/** Runs all of them, max two at a time. Returns the output of each. */
export async function checkTypes() {
  const waiting = [...typeChecks];
  const results = [];
  const runCheck = async ({ name, args, then }) => {
    const { code, stdout, stderr } = await run(process.execPath, args);
    results.push({ name, passed: code === 0, output: `${stdout}${stderr}` });
    if (then && code === 0) await runCheck({ ...then, args: then.args() });
  };
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) await runCheck(check);
  };
  await Promise.all([worker(), worker()]);
  return results;
}

// Called directly, as `npm run types`.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const failed = (await checkTypes()).filter((result) => !result.passed);
  for (const { name, output } of failed) console.error(`${name}:\n${output}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
