import { writeFileSync } from 'node:fs';

/** Notes which run file is about to be opened; empty: none. On a full disk nothing is noted, and a file that ends its reader has no name. */
export function noteOpening(markerFile: string, path: string): void {
  try {
    writeFileSync(markerFile, path);
  } catch {
    // Reading a run is worth more than the name of a damaged one.
  }
}
