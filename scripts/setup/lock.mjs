import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheFolder } from './paths.mjs';

const lockFile = join(cacheFolder, 'setup.lock');

/** Runs `work` exclusively among setups of this clone; the lock of an ended process is taken over. */
export async function withLock(work, { log }) {
  mkdirSync(cacheFolder, { recursive: true });
  let isLogged = false;
  while (!tryLock()) {
    if (!isLogged) log(`Another setup (process ${holder()}) is preparing this clone; waiting for it ...`);
    isLogged = true;
    await sleep(300);
  }
  try {
    return await work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

function tryLock() {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  if (!isAlive(holder())) rmSync(lockFile, { force: true });
  return false;
}

/** Process that holds the lock; NaN while it is being written. */
function holder() {
  try {
    return Number.parseInt(readFileSync(lockFile, 'utf8'), 10);
  } catch {
    return Number.NaN;
  }
}

function isAlive(pid) {
  if (Number.isNaN(pid)) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
