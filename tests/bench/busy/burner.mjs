import { setPriority } from 'node:os';

/**
 * Keeps one processor busy at normal priority for max the given number of seconds, or until its parent process
 * has ended. Its name in the process table is `burner`.
 */
const endMs = Date.now() + Number(process.argv[2] ?? 1) * 1000;
const parent = Number(process.argv[3] ?? process.ppid);
process.title = 'burner';
try {
  setPriority(0);
} catch {
  // Started at low priority without permission to raise it: it still runs, with less weight.
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
while (Date.now() < endMs && isParentAlive()) for (let i = 0; i < 20_000_000; i += 1) sum = (sum + i * i) % 1_000_003;
