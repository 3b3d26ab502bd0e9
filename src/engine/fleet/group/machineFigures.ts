import { testerBounds } from '../../../domain/tester/testerRules';
import type { SeriesId, ValuesBySeries } from '../../../domain/series/series';

interface Nearest {
  readonly ratio: number;
  readonly member: number;
}

/** What a member reported of its machine and of its agent's process in its latest second. */
export interface MachineReport {
  /** Its place in the group. */
  readonly index: number;
  readonly tester: ValuesBySeries;
  readonly process: ValuesBySeries;
  /** Packets of its viewers, all jobs together. */
  readonly packetsPerSecond: number;
}

/** Drops are judged as a share of the packets. */
const drops: readonly SeriesId[] = [
  'testerSocketDropsPerSecond',
  'testerReceiveBufferErrorsPerSecond',
  'testerNetworkDropsPerSecond',
];
const worstIsLowest: ReadonlySet<SeriesId> = new Set(['testerMemoryAvailablePercent']);
/** Viewers for which a member lacked a resource. */
const added = [
  'viewersFailedOnTester',
  'reconnectsWithoutFilesPerSecond',
  'reconnectsWithoutPortsPerSecond',
] as const satisfies readonly SeriesId[];
/** Judged together: those of the member with the fewest open files left. */
const files: readonly SeriesId[] = ['testerOpenFilesLimit', 'processOpenFiles'];

/**
 * The machines of a group as one: of each figure the worst member's, since one member at its limit distorts the figures
 * of its viewers, and a mean would hide it. Drops are the worst member's share of its packets, of the packets of all.
 * Viewers that failed or did not reconnect for lack of a resource are added.
 */
export function machineFigures(members: readonly MachineReport[]): {
  readonly tester: ValuesBySeries;
  readonly process: ValuesBySeries;
} {
  const packets = members.reduce((sum, { packetsPerSecond }) => sum + packetsPerSecond, 0);
  const scaled = members.map((member) => {
    const tester = { ...member.tester };
    for (const series of drops) {
      const dropped = tester[series];
      if (dropped !== undefined && dropped > 0 && member.packetsPerSecond > 0)
        tester[series] = (dropped * packets) / member.packetsPerSecond;
    }
    return { index: member.index, tester, process: member.process };
  });
  const tester = worst(scaled.map((member) => member.tester));
  const nearest = scaled.reduce<Nearest | undefined>((most, member) => {
    const ratio = limitRatio(member.tester, packets);
    return most === undefined || ratio > most.ratio ? { ratio, member: member.index } : most;
  }, undefined);
  if (nearest && nearest.ratio > 0) tester.testerWorstMember = nearest.member + 1;
  const process = worst(scaled.map((member) => member.process));
  for (const series of added) {
    const counts = scaled.flatMap((member) => member.tester[series] ?? []);
    if (counts.length > 0) tester[series] = counts.reduce((sum, count) => sum + count, 0);
  }
  const remaining = ({
    tester: { testerOpenFilesLimit: limit },
    process: { processOpenFiles: open },
  }: (typeof scaled)[0]): number => (limit === undefined || open === undefined ? Infinity : limit - open);
  const fewest = scaled.reduce<(typeof scaled)[0] | undefined>(
    (least, member) => (least === undefined || remaining(member) < remaining(least) ? member : least),
    undefined,
  );
  if (fewest && remaining(fewest) < Infinity)
    for (const series of files) {
      const of = series === 'processOpenFiles' ? process : tester;
      of[series] = fewest.tester[series] ?? fewest.process[series];
    }
  return { tester, process };
}

/** How near a member is to the limit that it reaches first; 1 is at it. */
function limitRatio(tester: ValuesBySeries, packets: number): number {
  const most = (series: SeriesId, bound: number): number => (tester[series] ?? 0) / bound;
  const memory = tester.testerMemoryAvailablePercent;
  const dropped = Math.max(...drops.map((series) => tester[series] ?? 0));
  return Math.max(
    most('testerHostCpuPercent', testerBounds.hostCpuPercent),
    most('testerReaderBusyPercent', testerBounds.readerBusyPercent),
    most('testerReaderWaitPercent', testerBounds.readerWaitPercent),
    most('testerNetworkPercent', testerBounds.networkPercent),
    memory === undefined ? 0 : testerBounds.memoryAvailablePercent / Math.max(memory, 0.1),
    dropped > 0 ? (100 * dropped) / (packets + dropped) / testerBounds.droppedPercent : 0,
    added.some((series) => (tester[series] ?? 0) > 0) ? 1 : 0,
  );
}

function worst(all: readonly ValuesBySeries[]): ValuesBySeries {
  const figures: ValuesBySeries = {};
  for (const values of all)
    for (const [name, value] of Object.entries(values) as Array<[SeriesId, number | undefined]>) {
      const known = figures[name];
      if (value === undefined) continue;
      figures[name] =
        known === undefined ? value : worstIsLowest.has(name) ? Math.min(known, value) : Math.max(known, value);
    }
  return figures;
}
