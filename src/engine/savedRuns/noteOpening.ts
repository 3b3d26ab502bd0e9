import { writeFileSync } from 'node:fs';
import { stampOf } from '../store/stamp';
import type { OpenedFile } from './markerFile';

/**
 * Records in the reader which run file is about to be opened; empty: none. On a full disk nothing is recorded, and a
 * file that ends its reader remains unknown.
 */
export function noteOpening(markerFile: string, path: string): void {
  try {
    const opened: OpenedFile = { path, stamp: path === '' ? '' : stampOf(path) };
    writeFileSync(markerFile, JSON.stringify(opened));
  } catch {
    // Reading a run matters more than the name of a damaged one.
  }
}
