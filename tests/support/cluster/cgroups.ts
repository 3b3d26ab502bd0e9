import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../until';

const mounted = '/sys/fs/cgroup';

/** Roots of all hierarchies: of version 1, one for each controller. */
function roots(): string[] {
  if (existsSync(join(mounted, 'cgroup.controllers'))) return [mounted];
  return readdirSync(mounted)
    .map((name) => join(mounted, name))
    .filter((path) => existsSync(join(path, 'cgroup.procs')));
}

const groupsNamed = (name: string): string[] => roots().map((root) => join(root, name));

/** Creates a control group of each controller. */
export function createGroups(name: string): void {
  for (const path of groupsNamed(name)) mkdirSync(path, { recursive: true });
}

/** Existing control groups of this name. */
export const existingGroups = (name: string): string[] => groupsNamed(name).filter(existsSync);

/** Removes them with all groups within. The kernel refuses while a process of theirs ends. */
export async function removeGroups(name: string): Promise<void> {
  await until(() => existingGroups(name).every(isRemoved), 10_000);
}

function isRemoved(path: string): boolean {
  try {
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory() && !isRemoved(join(path, entry.name))) return false;
    rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}
