import type { ProgramShare } from '../../domain/model/otherLoad';
import type { ProcessStat } from './procParse';

/** All processes of a machine at one time. */
export interface ProcessScan {
  readonly monotonicMs: number;
  readonly stats: readonly ProcessStat[];
}

export interface Known {
  readonly cores: number;
  readonly ticksPerSecond: number;
  readonly pageBytes: number;
  /** Of the test: left out. */
  readonly ours: ReadonlySet<number>;
  /** The ancestor of all processes of this console; absent on other machines. */
  readonly consoleRoot?: number;
}

/** Name of this app's own processes among the others: they are not part of the test either. */
export const consoleName = 'Fullhouse console';
const maxPrograms = 3;

/**
 * The programs that used most CPU between two scans, by name. CPU of ended children counts for their parent, so that a
 * build with many short-lived compilers is included.
 */
export function programCpu(before: ProcessScan, now: ProcessScan, known: Known): ProgramShare[] {
  const seconds = (now.monotonicMs - before.monotonicMs) / 1000;
  if (seconds <= 0) return [];
  const earlier = new Map(before.stats.map((stat) => [stat.pid, stat]));
  const ofConsole = descendants(now.stats, known.consoleRoot, known.ours);
  const programs = new Map<string, { ticks: number; pages: number }>();
  const add = (name: string, ticks: number, pages = 0): void => {
    const program = programs.get(name) ?? { ticks: 0, pages: 0 };
    programs.set(name, { ticks: program.ticks + Math.max(0, ticks), pages: program.pages + pages });
  };
  for (const stat of now.stats) {
    if (known.ours.has(stat.pid)) continue;
    const old = earlier.get(stat.pid);
    const isSame = old?.startTicks === stat.startTicks;
    const name = ofConsole.has(stat.pid) ? consoleName : stat.name;
    add(name, stat.cpuTicks - (isSame ? old.cpuTicks : 0), stat.residentPages);
    if (!isSame || stat.childTicks <= old.childTicks) continue;
    // A parent's counter includes all time of its ended children: only what was not seen as theirs before is new.
    const ended = endedChildren(stat.pid, before, now);
    const seen = ended.reduce((sum, { cpuTicks, childTicks }) => sum + cpuTicks + childTicks, 0);
    const [largest] = [...ended].sort((a, b) => b.cpuTicks - a.cpuTicks);
    const isConsoles = ofConsole.has(stat.pid);
    add(isConsoles ? consoleName : (largest?.name ?? stat.name), stat.childTicks - old.childTicks - seen);
  }
  return [...programs]
    .map(([name, { ticks, pages }]) => ({
      name,
      percent: (100 * ticks) / known.ticksPerSecond / (seconds * known.cores),
      memoryBytes: pages * known.pageBytes,
    }))
    .sort((a, b) => b.percent - a.percent || b.memoryBytes - a.memoryBytes)
    .slice(0, maxPrograms);
}

/** The children of a process that ended between two scans. */
function endedChildren(parent: number, before: ProcessScan, now: ProcessScan): readonly ProcessStat[] {
  const alive = new Set(now.stats.map(({ pid }) => pid));
  return before.stats.filter(({ pid, parentPid }) => parentPid === parent && !alive.has(pid));
}

/** A process and its descendants, without those of the test. */
function descendants(
  stats: readonly ProcessStat[],
  root: number | undefined,
  ours: ReadonlySet<number>,
): ReadonlySet<number> {
  const found = new Set<number>();
  if (root === undefined) return found;
  const children = new Map<number, number[]>();
  for (const { pid, parentPid } of stats) children.set(parentPid, [...(children.get(parentPid) ?? []), pid]);
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    if (found.has(pid) || ours.has(pid)) continue;
    found.add(pid);
    open.push(...(children.get(pid) ?? []));
  }
  return found;
}
