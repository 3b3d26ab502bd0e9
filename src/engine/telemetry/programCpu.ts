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
  /** Processes of the test: left out with their children. */
  readonly ours: ReadonlySet<number>;
  /** The ancestor of all processes of this console; absent on other machines. */
  readonly consoleRoot?: number;
}

const maxPrograms = 3;
/** A process that started this long before the newest of the previous scan existed then, and was only not listed. */
const missedTicks = 200;

/**
 * The programs that used most CPU between two scans, by name. CPU of ended children counts for their parent, so that a
 * build with many short-lived compilers is included. The console's own processes are not among them: they are neither
 * part of the test nor another program.
 */
export function programCpu(before: ProcessScan, now: ProcessScan, known: Known): ProgramShare[] {
  const seconds = (now.monotonicMs - before.monotonicMs) / 1000;
  if (seconds <= 0) return [];
  const earlier = new Map(before.stats.map((stat) => [stat.pid, stat]));
  const roots = [...known.ours, ...(known.consoleRoot === undefined ? [] : [known.consoleRoot])];
  const left = descendants(now.stats, roots);
  const newestTicks = Math.max(...before.stats.map(({ startTicks }) => startTicks));
  const programs = new Map<string, { ticks: number; pages: number }>();
  const add = (name: string, ticks: number, pages = 0): void => {
    const program = programs.get(name) ?? { ticks: 0, pages: 0 };
    programs.set(name, { ticks: program.ticks + Math.max(0, ticks), pages: program.pages + pages });
  };
  const ofEnded = endedSince(before, now);
  for (const stat of now.stats) {
    if (left.has(stat.pid)) continue;
    const old = earlier.get(stat.pid);
    const isSame = old?.startTicks === stat.startTicks;
    const isUnknown = !isSame && stat.startTicks < newestTicks - missedTicks;
    add(stat.name, isUnknown ? 0 : stat.cpuTicks - (isSame ? old.cpuTicks : 0), stat.residentPages);
    if (isUnknown) continue;
    const ended = ofEnded.get(stat.pid);
    add(ended?.name ?? stat.name, ended?.ticks ?? (isSame ? 0 : stat.childTicks));
  }
  return [...programs]
    .map(([name, { ticks, pages }]) => ({
      name,
      // A kernel adds the time of a process in steps: the end of a scan may belong to the next interval.
      percent: Math.min(100, (100 * ticks) / known.ticksPerSecond / (seconds * known.cores)),
      memoryBytes: pages * known.pageBytes,
    }))
    .sort((a, b) => b.percent - a.percent || b.memoryBytes - a.memoryBytes)
    .slice(0, maxPrograms);
}

interface EndedTicks {
  /** Name of the largest process that ended; absent where all were too short to be seen. */
  readonly name?: string;
  readonly ticks: number;
}

/**
 * CPU used since the previous scan by processes that have ended, by the process that waited for them. Its counter grows
 * by all time of an ended child and of that child's own ended children, from their start on. What was seen as theirs
 * before is subtracted: from their nearest surviving ancestor, and where it did not grow by as much, from the others
 * that did: an orphan is waited for by init or another reaper.
 */
function endedSince(before: ProcessScan, now: ProcessScan): ReadonlyMap<number, EndedTicks> {
  const current = new Map(now.stats.map((stat) => [stat.pid, stat]));
  const earlier = new Map(before.stats.map((stat) => [stat.pid, stat]));
  const isAlive = ({ pid, startTicks }: ProcessStat): boolean => current.get(pid)?.startTicks === startTicks;
  const ended = new Map<number, ProcessStat[]>();
  for (const stat of before.stats) {
    if (isAlive(stat)) continue;
    let parent = earlier.get(stat.parentPid);
    for (let steps = 0; parent && !isAlive(parent) && steps < before.stats.length; steps += 1)
      parent = earlier.get(parent.parentPid);
    const pid = parent?.pid ?? 1;
    ended.set(pid, [...(ended.get(pid) ?? []), stat]);
  }
  let excess = 0;
  const found: Array<{ readonly pid: number; readonly name?: string; ticks: number }> = [];
  const known = new Set<number>();
  for (const stat of before.stats) {
    const { pid } = stat;
    if (!isAlive(stat)) continue;
    known.add(pid);
    const grown = (current.get(pid)?.childTicks ?? 0) - stat.childTicks;
    const children = ended.get(pid) ?? [];
    const seen = children.reduce((sum, { cpuTicks, childTicks }) => sum + cpuTicks + childTicks, 0);
    const [largest] = [...children].sort((a, b) => b.cpuTicks - a.cpuTicks);
    if (seen > grown) excess += seen - grown;
    else found.push({ pid, name: largest?.name, ticks: grown - seen });
  }
  for (const [pid, children] of ended)
    if (!known.has(pid)) excess += children.reduce((sum, { cpuTicks, childTicks }) => sum + cpuTicks + childTicks, 0);
  for (const program of found.sort((a, b) => b.ticks - a.ticks)) {
    const part = Math.min(excess, program.ticks);
    program.ticks -= part;
    excess -= part;
  }
  return new Map(found.map(({ pid, name, ticks }) => [pid, { name, ticks }]));
}

/** Processes and their descendants. */
export function descendants(
  stats: ReadonlyArray<Pick<ProcessStat, 'pid' | 'parentPid'>>,
  roots: readonly number[],
): ReadonlySet<number> {
  const found = new Set<number>();
  const children = new Map<number, number[]>();
  for (const { pid, parentPid } of stats) children.set(parentPid, [...(children.get(parentPid) ?? []), pid]);
  const open = [...roots];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    if (found.has(pid)) continue;
    found.add(pid);
    open.push(...(children.get(pid) ?? []));
  }
  return found;
}
