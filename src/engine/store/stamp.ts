import { statSync } from 'node:fs';

/** Distinguishes one state of a file from the next; empty when it does not exist. */
export function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs}:${stat.size}` : '';
}
