import { parseArgs } from 'node:util';
import { runScript, SetupProblem } from './setup/problem.mjs';
import { ensureReady } from './setup.mjs';

/** How often it is checked whether the parent process still exists. */
const parentIntervalMs = 500;

/**
 * See a change when its file is saved: `npm run dev` serves the window on a fake engine to a browser of this machine
 * (`-- --port 5200`: on this port), `npm run dev -- app` runs the real app. Both end with Ctrl+C.
 */
await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string' } },
  });
  const [target = 'page', ...others] = positionals;
  if (!['page', 'app'].includes(target) || others.length > 0)
    throw new SetupProblem(
      `"${positionals.join(' ')}" cannot be run. Use npm run dev (the window on a fake engine) or npm run dev -- app.`,
    );
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65_536))
    throw new SetupProblem(`--port ${values.port} is no port. Use a number up to 65535; 0 selects a free one.`);

  const ended = endSignal();
  await ensureReady(['dependencies']);
  // Loaded now: its packages are installed by the line above.
  const close =
    target === 'app'
      ? await (await import('./dev/app.mjs')).runApp(ended)
      : await (await import('./dev/page.mjs')).servePage(port);
  await ended.promise;
  await close();
});

/**
 * Resolves when the user ends the command, when its parent process has ended, or by `end()` when what it runs has ended.
 */
function endSignal() {
  let end;
  const promise = new Promise((resolve) => (end = resolve));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => end());
  // npm passes SIGTERM to its shell only, which ends without passing it on: this process then has another parent.
  const parent = process.ppid;
  const watch = setInterval(() => process.ppid !== parent && end(), parentIntervalMs);
  void promise.then(() => clearInterval(watch));
  return { promise, end };
}
