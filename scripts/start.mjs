import { spawn } from 'node:child_process';
import { launchCommand } from './runtime.mjs';
import { ensureReady } from './setup.mjs';
import { inRoot, root } from './setup/paths.mjs';
import { runScript } from './setup/problem.mjs';

const hasDisplay = process.platform !== 'linux' || Boolean(process.env.DISPLAY) || Boolean(process.env.WAYLAND_DISPLAY);

await runScript(async () => {
  const args = process.argv.slice(2);
  if (!hasDisplay) {
    console.error(
      'No display found (DISPLAY is not set), so the same job runs in the terminal: a pull of 1,000 on the local lab.',
    );
    await ensureReady(['dependencies', 'agent', 'cli']);
    return runHere(process.execPath, [
      inRoot('bin', 'fullhouse.mjs'),
      'run',
      inRoot('plans', 'pull-1000-lab.yaml'),
      ...args,
    ]);
  }
  await ensureReady(['dependencies', 'electron', 'agent', 'bundles']);
  const { program, args: launchArgs, note } = launchCommand();
  if (note) console.error(note);
  return runHere(program, [...launchArgs, ...args], { isApart: process.platform !== 'win32' });
});

/**
 * Runs it in this terminal with Ctrl+C. `isApart`: signals reach only this process, since a terminal that signals all
 * Electron processes ends those that a graceful shutdown needs.
 */
function runHere(program, args, { isApart = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: 'inherit',
      env: withoutNodeMode(),
      detached: isApart,
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
      process.on(signal, () => {
        // A terminal sends Ctrl+C to the child as well; a second one would force the stop.
        if (isApart || signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
      });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** An editor's terminal may set this variable, which would make Electron a plain Node. */
function withoutNodeMode() {
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  return env;
}
