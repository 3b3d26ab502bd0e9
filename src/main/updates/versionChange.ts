import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { JsonFile } from '../jsonFile';

/** The version that was started last, and the notes of the one that was offered. */
export const startedVersion = z.object({
  version: z.string().max(60).optional(),
  offered: z.object({ version: z.string(), notes: z.string().optional() }).optional(),
});

/** What a new version may convert, except runs: those may have many gigabytes. */
const copied = [
  'settings.json',
  'window.json',
  'fleet.yaml',
  'testers.json',
  'own-runs',
  'alert-rules.yaml',
  'allowed_alerts',
  'incidents.json',
  'known_hosts',
  'secrets.json',
  'version.json',
  'rules',
  'families',
] as const;
/** Versions whose data is kept. */
const maxBackups = 3;
/** Stands for the version of data whose version was not written. */
const unknownVersion = 'earlier';

export interface VersionChange {
  /** Undefined if it did not write its version. */
  readonly from?: string;
  readonly notes?: string;
  /** Folder of the copy. */
  readonly backup: string;
}

/**
 * Before the first start of another version: copies the data of the previous one to `backups/VERSION`. Undefined when
 * the version is the same, or on the first start. Throws when the copy fails; the next start tries again then.
 */
export function keepOldData(
  data: string,
  version: string,
  file: JsonFile<typeof startedVersion>,
): VersionChange | undefined {
  const { version: before, offered } = file.value;
  if (before === version) return undefined;
  const files = copied.filter((name) => existsSync(join(data, name)));
  const backup = files.length > 0 ? copyOf(data, files, before ?? unknownVersion) : undefined;
  file.write({ version });
  if (backup === undefined) return undefined;
  return {
    ...(before === undefined ? {} : { from: before }),
    ...(offered?.version === version && offered.notes !== undefined ? { notes: offered.notes } : {}),
    backup,
  };
}

function copyOf(data: string, files: readonly string[], version: string): string {
  const folder = join(data, 'backups');
  // From a file that anybody with access to this folder can edit.
  const target = join(folder, version.replace(/[^\w.+-]/g, '-').replace(/^\.+/, '-'));
  const partial = `${target}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  for (const name of files)
    cpSync(join(data, name), join(partial, name), { recursive: true, preserveTimestamps: true });
  rmSync(target, { recursive: true, force: true });
  renameSync(partial, target);
  prune(folder);
  return target;
}

function prune(folder: string): void {
  const byAge = readdirSync(folder)
    .map((name) => ({ path: join(folder, name), timeMs: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.timeMs - a.timeMs);
  for (const { path } of byAge.slice(maxBackups)) rmSync(path, { recursive: true, force: true });
}
