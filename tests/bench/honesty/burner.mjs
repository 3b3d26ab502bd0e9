import { setPriority } from 'node:os';

/**
 * Keeps one processor busy, at the priority of ordinary programs, for the given number of seconds at most, or until the process that
 * started it is gone. Its name in the process table is `burner`.
 */
const endMs = Date.now() + Number(process.argv[2] ?? 1) * 1000;
const parent = Number(process.argv[3] ?? process.ppid);
process.title = 'burner';
try {
  setPriority(0);
} catch {
  // Started below the usual priority by somebody who may not raise it: it burns all the same, with less weight.
}

function isParentAlive() {
  try {
    process.kill(parent, 0);
    return true;
  } catch {
    return false;
  }
}

console.log(process.pid);
let sum = 0;
while (Date.now() < endMs && isParentAlive())
  for (let i = 0; i < 20_000_000; i += 1) sum = (sum + i * i) % 1_000_003;
