import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { _electron } from 'playwright-core';
import { build } from 'vite';
import { launchCommand } from '../../../scripts/runtime.mjs';
import { pause } from '../audience/programs/children.mjs';
import { costBetween, readThreads } from './threads.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const servers = here('../../../out/fleet-bench/servers.js');
/** After a start or a change of the view. */
const settleMs = 12_000;

/**
 * What the app costs the machine that it runs on, in percent of two cores: the window hidden, 16 nodes watched (14 servers
 * behind a real sshd and two dead ones), and a run on the lab with the control player. All processes of the app count,
 * agents do not: they are the load.
 * @param {{ seconds?: number, only?: string, profileFolder?: string, log?: (line: string) => void }} [options]
 */
export async function runWindowBench({ seconds = 30, only, log = () => undefined } = {}) {
  const results = {};
  const wants = (part) => only === undefined || only === part;
  if (wants('hidden') || wants('watching')) {
    await build({ configFile: here('../fleet/vite.config.mts'), logLevel: 'warn' });
    const fleet = spawn(process.execPath, [servers], { stdio: ['pipe', 'pipe', 'inherit'] });
    try {
      const { nodes } = JSON.parse(await firstLine(fleet));
      const app = await startApp({ nodes });
      try {
        await app.page.locator('[data-chart]').first().waitFor({ timeout: 60_000 });
        for (const part of ['watching', 'hidden'].filter(wants)) {
          log(`window: ${part} for ${seconds} s ...`);
          if (part === 'hidden') await app.hide();
          results[part] = await measure(app, seconds);
        }
      } finally {
        await app.close();
      }
    } finally {
      const ended = once(fleet, 'close');
      fleet.stdin.end();
      await ended;
    }
  }
  if (wants('run')) {
    const app = await startApp({});
    try {
      log(`window: a run with the player for ${seconds} s ...`);
      await app.page.getByTestId('start-lab-pull').click();
      await app.page.locator('video').first().waitFor({ timeout: 60_000 });
      results.run = await measure(app, seconds);
    } finally {
      await app.close();
    }
  }
  return results;
}

async function measure(app, seconds) {
  await pause(settleMs);
  const pids = await app.processes();
  const startMs = performance.now();
  const before = readThreads(pids);
  await pause(seconds * 1000);
  const after = readThreads(pids);
  return costBetween(before, after, (performance.now() - startMs) / 1000);
}

async function startApp({ nodes }) {
  const folder = await mkdtemp(join(tmpdir(), 'fullhouse-window-bench-'));
  const data = join(folder, 'data');
  await mkdir(data, { recursive: true });
  if (nodes) await writeFile(join(data, 'fleet.yaml'), JSON.stringify({ nodes }));
  const place = { x: 0, y: 0, width: 1440, height: 900, maximised: false };
  await writeFile(join(data, 'window.json'), JSON.stringify(place));
  const { program, args } = launchCommand();
  const electron = await _electron.launch({
    executablePath: program,
    args,
    env: { ...process.env, FULLHOUSE_DATA: data, FULLHOUSE_RUNS: join(folder, 'runs') },
  });
  const page = await electron.firstWindow();
  return {
    page,
    hide: () => electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0].hide()),
    /** Of the app, each with its kind. */
    processes: () =>
      electron.evaluate(({ app }) =>
        app.getAppMetrics().map(({ pid, type, name, serviceName }) => ({ pid, kind: name ?? serviceName ?? type })),
      ),
    close: async () => {
      await electron.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function firstLine(child) {
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('The servers of the benchmark ended without output.');
}
