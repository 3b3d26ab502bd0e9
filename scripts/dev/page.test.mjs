import { spawn } from 'node:child_process';
import { readFileSync, statSync, utimesSync } from 'node:fs';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { inRoot } from '../setup/paths.mjs';

let running;
/** Process group of a detached process, which ends with the test. */
let group;
afterEach(() => {
  running?.kill('SIGKILL');
  if (group !== undefined) endGroup(group);
  group = undefined;
});

const policyOf = (html) => /content="(default-src [^"]+)"/.exec(html)?.[1];

/** Starts `npm run dev` with these arguments; resolves with its page's address once it has printed it. */
const start = (...args) => startProgram(process.execPath, [inRoot('scripts', 'dev.mjs'), ...args]);

async function startProgram(program, args, options = {}) {
  running = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const ended = once(running, 'close');
  let output = '';
  running.stderr.on('data', (text) => (output += text));
  const page = await new Promise((resolve, reject) => {
    running.stdout.on('data', (text) => {
      output += text;
      const [, url] = /fake engine: (http:\S+)/.exec(output) ?? [];
      if (url) resolve(url);
    });
    running.on('close', () => reject(new Error(`It ended: ${output}`)));
  });
  return { page, ended };
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Connects as the page does. Returns a promise of the next message about a changed file. */
async function connectTo(base) {
  const client = await (await fetch(`${base}/@vite/client`)).text();
  const [, token] = /wsToken = "([^"]+)"/.exec(client) ?? [];
  const socket = new WebSocket(`${base.replace('http', 'ws')}/?token=${token}`, 'vite-hmr');
  await once(socket, 'open');
  const changed = new Promise((resolve) => {
    socket.on('message', (data) => {
      const message = JSON.parse(String(data));
      if (message.type === 'full-reload' || message.type === 'update') resolve(message);
    });
  });
  return { changed };
}

// Vite needs most of the time on a busy machine.
it(
  'serves the window on a fake engine to this machine, reports a saved file to the page, and ends with Ctrl+C',
  { timeout: 90_000 },
  async () => {
    const { page, ended } = await start('--port', '0');
    const { hostname, origin } = new URL(page);
    expect(hostname).toBe('127.0.0.1');
    const html = await (await fetch(page)).text();
    expect(html).toContain('src="/preview.ts"');
    // Only what the hot reload needs is added to the policy of the window.
    const ownPolicy = policyOf(readFileSync(inRoot('src', 'renderer', 'index.html'), 'utf8'));
    expect(policyOf(html)).toBe(
      ownPolicy
        .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
        .replace("connect-src 'none'", "connect-src 'self'"),
    );

    // A file is known to the server once the page has loaded it. None of those whose times decide on a build.
    const file = inRoot('scripts', 'notices', 'document.mjs');
    for (const path of ['/preview.ts', `/@fs${file}`]) expect((await fetch(`${origin}${path}`)).status, path).toBe(200);
    const { changed } = await connectTo(origin);
    const { atime, mtime } = statSync(file);
    // Again and again: when the server begins to watch the file is not known.
    const saving = setInterval(() => utimesSync(file, atime, new Date()), 300);
    try {
      expect(await changed).toMatchObject({ type: 'full-reload' });
    } finally {
      clearInterval(saving);
      utimesSync(file, atime, mtime);
    }

    running.kill('SIGINT');
    expect((await ended)[0]).toBe(0);
  },
);

// As npm does: a signal ends its shell, which passes none on. Windows has neither such signals nor new parents.
it.skipIf(process.platform === 'win32')('ends when its parent has ended', { timeout: 90_000 }, async () => {
  const script = inRoot('scripts', 'dev.mjs');
  const line = `"${process.execPath}" "${script}" --port 0; exit $?`;
  const { page, ended } = await startProgram('sh', ['-c', line], { detached: true });
  group = running.pid;
  running.kill('SIGTERM');
  // The output is closed by the last process that has it.
  await ended;
  await expect(fetch(page)).rejects.toThrow('fetch failed');
});

it('refuses what it cannot run', async () => {
  await expect(start('window')).rejects.toThrow('"window" cannot be run. Use npm run dev');
  await expect(start('--port', 'http')).rejects.toThrow('--port http is no port.');
});
