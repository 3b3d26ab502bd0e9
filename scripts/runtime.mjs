import { chosenRuntime } from './setup/electron.mjs';
import { root } from './setup/paths.mjs';
import { SetupProblem } from './setup/problem.mjs';

/**
 * How to start the app in this clone: `args` precede the app's own. Needs the part `electron` to be ready.
 * @returns {{ program: string, args: string[], version: string, kind: string, note?: string }}
 */
export function launchCommand() {
  const runtime = chosenRuntime();
  if (!runtime) throw new SetupProblem('No Electron runtime found: run npm start once to download it.');
  // The fallback is a packaged runtime: it runs its resources/app and accepts no app folder.
  const args = runtime.kind === 'fallback' ? [] : [root];
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  return {
    program: runtime.program,
    version: runtime.version,
    kind: runtime.kind,
    args: isRoot ? [...args, '--no-sandbox'] : args,
    // Chromium cannot use its sandbox as root; desktop users are not affected.
    note: isRoot ? 'Running as root, so Chromium runs without its sandbox; for a normal user it is on.' : undefined,
  };
}
