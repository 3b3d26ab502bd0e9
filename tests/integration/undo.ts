import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const undo: Array<() => Promise<void> | void> = [];

/** Undone in reverse order by `cleanUp`, whatever the result of the test. */
export function later(act: () => Promise<void> | void): void {
  undo.push(act);
}

export async function cleanUp(): Promise<void> {
  for (const act of undo.splice(0).reverse()) await act();
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-test-'));
  later(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
