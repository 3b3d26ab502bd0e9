import { writeFileSync } from 'node:fs';

/**
 * Records which run file is about to be opened; empty: none. On a full disk nothing is recorded, and a file that ends
 * its reader remains unknown.
 */
export function noteOpening(markerFile: string, path: string): void {
  try {
    writeFileSync(markerFile, path);
  } catch {
    // Reading a run matters more than the name of a damaged one.
  }
}
