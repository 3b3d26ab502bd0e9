import { readFileSync } from 'node:fs';
import { BackgroundFile } from '../base/backgroundFile';
import type { OpenedFile } from './markerFile';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';

const entry = z.object({ stamp: z.string(), sentence: z.string() });
const stored = z.record(z.string(), entry);

const listName = '.quarantine.json';
/** A crash may be caused by the system (memory, a manual `kill`): a file is quarantined by its second one. */
const crashesAllowed = 1;
/** Files that have been deleted since are still in the list. */
const maxSaved = 200;

/**
 * Run files that ended a reader. They stay where they are, and are not opened again until they change. Those of a
 * folder of runs are saved in it, so that they are also avoided after the next start.
 */
export class Quarantine {
  private readonly entries = new Map<string, z.infer<typeof entry>>();
  private readonly file: BackgroundFile | undefined;
  private readonly crashes = new Map<string, number>();

  /** `folder` is undefined where no runs are saved. */
  constructor(private readonly folder: string | undefined) {
    if (folder === undefined) return;
    // In a read-only folder the list lasts as long as the engine runs.
    this.file = new BackgroundFile(join(folder, listName), () => undefined);
    try {
      const known = stored.parse(JSON.parse(readFileSync(join(folder, listName), 'utf8')));
      for (const [name, each] of Object.entries(known)) this.entries.set(join(folder, basename(name)), each);
    } catch {
      // Nothing was ever quarantined here, or the list itself is damaged: the files are then found again, one by one.
    }
  }

  /** The reader opens those that have changed since. */
  get all(): Record<string, { stamp: string; sentence: string }> {
    return Object.fromEntries(this.entries);
  }

  /**
   * Records that a reader ended while it had this file open. Quarantines it when that is certain, or by its second
   * crash.
   */
  blame({ path, stamp }: OpenedFile, cause: string, isCertain: boolean): void {
    const key = `${path}\n${stamp}`;
    const crashes = (this.crashes.get(key) ?? 0) + 1;
    this.crashes.set(key, crashes);
    if (!isCertain && crashes <= crashesAllowed) return;
    const sentence =
      `${basename(path)} is quarantined: reading it crashed the reader process (${cause}), so it is damaged or malicious. ` +
      'The file is unchanged. Import another copy of the run, or delete this one.';
    this.entries.set(path, { stamp, sentence });
    this.keep();
  }

  private keep(): void {
    const { folder } = this;
    if (folder === undefined) return;
    const entries = [...this.entries].filter(([path]) => dirname(path) === folder).slice(-maxSaved);
    this.file?.save(JSON.stringify(Object.fromEntries(entries.map(([path, each]) => [basename(path), each]))));
  }
}
