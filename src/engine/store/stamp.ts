import { statSync } from 'node:fs';

/** Tells one state of a file from the next; empty when it is not there. */
export function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs}:${stat.size}` : '';
}
