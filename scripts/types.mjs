import { pathToFileURL } from 'node:url';
import { run } from './setup/command.mjs';
import { inRoot } from './setup/paths.mjs';

const tsc = inRoot('node_modules', 'typescript', 'bin', 'tsc');
const svelteCheck = inRoot('node_modules', 'svelte-check', 'bin', 'svelte-check');

/** Each side compiles alone, with its own types only. */
export const typeChecks = [
  ...['domain', 'engine', 'report', 'main', 'preload', 'tests'].map((side) => ({
    name: `types of ${side}`,
    args: [tsc, '--project', `tsconfig.${side}.json`],
  })),
  {
    name: 'types of renderer',
    args: [svelteCheck, '--tsconfig', 'tsconfig.renderer.json', '--output', 'human', '--fail-on-warnings'],
  },
];

/** Runs all of them, max two at a time. Returns the output of each. */
export async function checkTypes() {
  const waiting = [...typeChecks];
  const results = [];
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const { code, stdout, stderr } = await run(process.execPath, check.args);
      results.push({ name: check.name, passed: code === 0, output: `${stdout}${stderr}` });
    }
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
