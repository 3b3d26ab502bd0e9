import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Drill } from './drill';
import { soon } from './fault';
import { markedProcesses, portsOf, remainingPorts, type Ports } from './processes';

/** After the end of a console its agents disconnect all viewers and exit within this time, see the agent protocol. */
const exitLimitMs = 45_000;

/** What a drill is expected to leave: plans, the runs' files and reports, and the host keys that the user has accepted. */
const results = [
  /^[\w-]+\.yaml$/,
  /^[\w-]+\/[^/]+\.(fullhouse|html)$/,
  /^home\/\.local\/share\/fullhouse\/rescued-runs\/[^/]+\.(fullhouse|html)$/,
  /^home\/\.config\/fullhouse\/known_hosts$/,
];

/** Waits until all processes of a drill have ended; resolves with processes, ports and files that are left. */
export async function leftoversOf(
  drill: Drill,
  ports: Ports,
  {
    allowed = [],
    networksOf = [],
  }: {
    /** Further expected files, relative to the drill's folder. */
    readonly allowed?: readonly RegExp[];
    /** Processes in other networks. */
    readonly networksOf?: readonly number[];
  } = {},
): Promise<string[]> {
  await soon(() => markedProcesses(drill.mark).length === 0, exitLimitMs);
  const isExpected = (file: string): boolean => [...results, ...allowed].some((pattern) => pattern.test(file));
  return [
    ...markedProcesses(drill.mark).map(({ pid, name }) => `process ${pid} (${name})`),
    ...remainingPorts(ports, [process.pid, ...networksOf]).map((port) => `port ${port}`),
    ...filesIn(drill.folder)
      .map((file) => relative(drill.folder, file))
      .filter((file) => !isExpected(file))
      .map((file) => `file ${file}`),
  ];
}

/** The ports of all processes of a drill at this time. */
export const portsNow = (drill: Drill): Ports => portsOf(markedProcesses(drill.mark));

/** All files in a folder, with their paths; empty for a missing folder. */
export function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesIn(path) : [path];
    });
  } catch {
    return [];
  }
}
