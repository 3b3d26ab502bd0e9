import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const patienceMs = 10_000;
const keptWords = 5;

/** All running children, to be ended on exit. */
const running = new Set();

/**
 * Starts a program in a separate process group: Ctrl-C reaches only the parent, which then ends it gracefully.
 * @param {string} program
 * @param {string[]} args
 * @param {{ input?: string, onLine?: (message: Record<string, unknown>) => void, endsWithInput?: boolean }} [options]
 *   `input` is written at once, and the input stays open; most programs of the bench end when it does.
 */
export function startChild(program, args, { input, onLine = () => undefined, endsWithInput = true } = {}) {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  const name = [program.split('/').at(-1), args[0]].join(' ');
  const words = [];
  const waiting = [];
  const messages = [];
  let problem;
  const take = (message) => {
    messages.push(message);
    onLine(message);
    for (const each of waiting.splice(0)) each();
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) take(JSON.parse(line));
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    words.push(line);
    if (words.length > keptWords) words.shift();
  });
  child.stdin.on('error', () => undefined); // an ended program reports the reason by its exit
  if (input !== undefined) child.stdin.write(input);
  const gone = new Promise((resolve) => {
    const finish = (why) => {
      problem ??= why;
      running.delete(handle);
      for (const each of waiting.splice(0)) each();
      resolve();
    };
    child.once('error', (error) => finish(`${name} cannot be run: ${error.message}.`));
    child.once('close', (code, signal) =>
      finish(`${name} ended with ${signal ?? `code ${code}`}: ${words.join(' ') || 'no output'}`),
    );
  });
  const handle = {
    name,
    pid: child.pid ?? 0,
    isRunning: () => problem === undefined,
    /** The first message of a type; rejects when the program ends before, or after `limitMs`. */
    async received(type, limitMs = patienceMs) {
      for (const endMs = Date.now() + limitMs; ;) {
        const message = messages.find((each) => each.type === type);
        if (message) return message;
        const refusal = messages.find((each) => each.type === 'problem');
        if (refusal) throw new Error(`${name}: ${refusal.message}`);
        if (problem !== undefined) throw new Error(problem);
        const leftMs = endMs - Date.now();
        if (leftMs <= 0) throw new Error(`${name} did not print "${type}" within ${limitMs / 1000} s.`);
        await within(new Promise((resolve) => waiting.push(resolve)), leftMs);
      }
    },
    order: (line) => child.stdin.write(`${line}\n`),
    /** Ends it: its input first, then SIGTERM, then SIGKILL. */
    async end() {
      if (problem !== undefined) return;
      child.stdin.end();
      if (endsWithInput && (await within(gone, patienceMs))) return;
      child.kill('SIGTERM');
      if (await within(gone, patienceMs)) return;
      child.kill('SIGKILL');
      await gone;
    },
    killNow: () => child.kill('SIGKILL'),
  };
  running.add(handle);
  return handle;
}

/** Kills all remaining children. */
export async function endAll() {
  await Promise.all([...running].map((each) => each.end()));
}

/**
 * Runs `main` and ends its programs with it: after an error, and after Ctrl-C, which ends this process too.
 * @template T
 * @param {() => Promise<T>} main
 * @returns {Promise<T>}
 */
export async function withoutLeftovers(main) {
  const interrupt = (signal) => {
    console.error(`Ended by ${signal}; stopping child processes.`);
    void endAll().finally(() => process.exit(130));
  };
  const killAll = () => {
    for (const each of running) each.killNow();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, interrupt);
  process.once('exit', killAll);
  try {
    return await main();
  } finally {
    await endAll();
    process.off('exit', killAll);
  }
}

export function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Whether the promise is settled within that time. */
async function within(promise, ms) {
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, ms, false)));
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits until `isSo`, checked each `everyMs`. */
export async function until(isSo, what, limitMs, everyMs = 50) {
  for (const endMs = Date.now() + limitMs; Date.now() < endMs;) {
    if (await isSo()) return;
    await pause(everyMs);
  }
  throw new Error(`Timeout after ${limitMs / 1000} s, waiting for ${what}.`);
}
