import { chosenRuntime } from './setup/electron.mjs';
import { root } from './setup/paths.mjs';
import { SetupProblem } from './setup/problem.mjs';

/**
 * How to start the app in this clone: `args` come before the app's own. Needs the part `electron` to be ready.
 * @returns {{ program: string, args: string[], version: string, kind: string, note?: string }}
 */
export function launchCommand() {
  const runtime = chosenRuntime();
  if (!runtime)
    throw new SetupProblem('There is no Electron runtime yet: run npm start once, it fetches one.');
  // The fallback is a packaged runtime: it runs what lies in its resources/app and takes no app folder.
  const args = runtime.kind === 'fallback' ? [] : [root];
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  return {
    program: runtime.program,
    version: runtime.version,
    kind: runtime.kind,
    args: isRoot ? [...args, '--no-sandbox'] : args,
    // Chromium refuses to sandbox itself as root; a desktop user never comes here.
    note: isRoot
      ? 'Running as root, so Chromium runs without its sandbox; as a normal user it is on.'
      : undefined,
  };
}
