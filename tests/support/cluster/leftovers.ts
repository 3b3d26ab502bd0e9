import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { existingGroups, removeGroups } from './cgroups';
import type { Cluster } from './cluster';
import { controlGroup } from './configuration';

export const folderPrefix = 'fullhouse-cluster-';
const ownerFile = 'owner';

/** Marks a folder as that of this process. */
export const own = (folder: string): void => writeFileSync(join(folder, ownerFile), String(process.pid));

/** Removes folders and control groups of killed tests; all else of theirs has ended with them. */
export async function removeAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(folderPrefix))) {
    const folder = join(tmpdir(), name);
    const owner = textOf(join(folder, ownerFile));
    if (owner === '' || existsSync(`/proc/${owner}`)) continue;
    await removeGroups(controlGroup(folder));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What exists of a cluster on this machine, one line each. */
export function leftoversOf({ folder, hostAddress }: Pick<Cluster, 'folder' | 'hostAddress'>): string[] {
  const group = controlGroup(folder);
  const network = hostAddress.split('.').slice(0, 2).join('.');
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
  return [
    ...(existsSync(folder) ? [`folder ${folder}`] : []),
    ...existingGroups(group).map((path) => `control group ${path}`),
    ...processes()
      .filter(({ all }) => all.includes(group))
      .map(({ pid, all }) => `process ${pid}: ${all}`),
    ...textOf('/proc/self/mounts')
      .split('\n')
      .filter((line) => line.includes(group))
      .map((line) => `mount ${line}`),
    ...addresses.filter((address) => address.startsWith(`${network}.`)).map((address) => `address ${address}`),
  ];
}

/** Command lines, working directories and control groups of all processes but this one. */
function processes(): { pid: string; all: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => ({
      pid,
      all: [
        textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' '),
        linkOf(`/proc/${pid}/cwd`),
        textOf(`/proc/${pid}/cgroup`),
      ].join(' '),
    }));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // the process has ended
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
