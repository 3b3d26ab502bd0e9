import type { MachineFingerprint, NodeView } from '../node';
import { formatFigure } from '../numberFormat';
import type { PullProtocol } from '../plan/plan';
import { testerBounds } from './testerRules';

/** What one viewer costs a tester's agent, and how that is known. */
export interface ViewerCost {
  readonly protocol: PullProtocol;
  /** CPU of the agent's process per viewer, in percent of one core. */
  readonly corePercent: number;
  /** Of the stream that it was measured with. */
  readonly kbps: number;
  /** Viewers that it was measured with; 0 where it was calculated. */
  readonly viewers: number;
  /** When it was measured in a run, Unix ms; absent where it was calculated. */
  readonly measuredMs?: number;
}

/** Work that an agent did to itself for two seconds, see `docs/agent-protocol.md`. */
export interface SelfTest {
  readonly packets: number;
  readonly cpuMs: number;
  readonly measuredMs: number;
}

/** What is known of a machine that plays viewers. */
export interface TesterMeasured {
  /** From earlier runs, at most one per protocol. */
  readonly costs: readonly ViewerCost[];
  readonly selfTest?: SelfTest;
}

export type StrengthBound = 'cpu' | 'memory' | 'open-files' | 'ports';

/** How many viewers a tester can play. */
export interface TesterStrength {
  readonly viewers: number;
  /** What runs out first. */
  readonly bound: StrengthBound;
  /** `told`: the machine's own limit of files or ports, which the agent enforces. */
  readonly basis: 'measured' | 'estimated' | 'told';
  readonly measuredMs?: number;
}

/** Files that an agent keeps for itself besides the viewers' sockets; the same number as in the agent. */
export const spareFiles = 256;

/**
 * What was measured where the self-test took 2.4 us per packet (docs/performance.md): 18 % of a core for 60,000 packets a second by
 * WHEP and 12 % for 215 Mbit/s by RTMP, the upper end of each.
 */
const calibration = {
  selfTestUsPerPacket: 2.4,
  packetPercent: 18 / 60_000,
  rtmpMbpsPercent: 12 / 215,
} as const;

/** Mean size of a media packet, as at 170 kbit/s and 60 packets a second up to full ones of a high bitrate. */
const packetBytes = { small: 350, large: 1100 } as const;
/** Of a stream of which nothing is known. */
const usualKbps = 170;
/** A viewer costs something at any bitrate: sockets are looked after, reports are sent. */
const leastPacketsPerSecond = 44;
/** Resident memory of the agent and of the kernel's socket, of the upper end. */
const viewerBytes = 96 * 1024;
/** The rest of the memory belongs to the machine. */
const memoryShare = 0.5;
/** Fewer viewers say more of the agent than of them. */
const leastViewersMeasured = 50;
/** Less CPU is below what a second of it can be read to. */
const leastCorePercentMeasured = 2;

/** The same machine after a restart: what its viewers cost is kept under this. */
export function machineKey({ cpuModel, cores, memoryBytes }: MachineFingerprint): string {
  return [cpuModel, cores, Math.round(memoryBytes / 2 ** 30)].join(' | ');
}

/** What a viewer costs by calculation, scaled by the machine's self-test where there is one. */
export function calculatedCost(protocol: PullProtocol, kbps = usualKbps, selfTest?: SelfTest): ViewerCost {
  const usPerPacket = selfTest && (1000 * selfTest.cpuMs) / selfTest.packets;
  const slower = usPerPacket ? usPerPacket / calibration.selfTestUsPerPacket : 1;
  const bytes = kbps <= 200 ? packetBytes.small : packetBytes.large;
  const packets = Math.max(leastPacketsPerSecond, (kbps * 1000) / 8 / bytes);
  const percent =
    protocol === 'rtmp'
      ? (Math.max(usualKbps, kbps) / 1000) * calibration.rtmpMbpsPercent
      : packets * calibration.packetPercent;
  return { protocol, corePercent: percent * slower, kbps, viewers: 0 };
}

/** What a viewer of a stream costs a tester: as an earlier run there measured it, else by calculation. */
export function viewerCost(
  protocol: PullProtocol,
  kbps: number | undefined,
  measured: TesterMeasured | undefined,
): ViewerCost {
  const kept = measured?.costs.find((cost) => cost.protocol === protocol);
  if (!kept) return calculatedCost(protocol, kbps, measured?.selfTest);
  if (kbps === undefined) return kept;
  // Another stream costs as much more as it does by calculation.
  const ratio = calculatedCost(protocol, kbps).corePercent / calculatedCost(protocol, kept.kbps).corePercent;
  return { ...kept, corePercent: kept.corePercent * ratio };
}

/** How many viewers a tester can play, by the first of CPU, memory, files and ports; undefined while nothing of it is known. */
export function testerStrength(
  node: Pick<NodeView, 'machine' | 'viewerLimit' | 'measured'> & Partial<Pick<NodeView, 'settings'>>,
  protocol: PullProtocol,
  kbps?: number,
): TesterStrength | undefined {
  const { machine, viewerLimit, measured, settings } = node;
  const all: TesterStrength[] = [];
  if (viewerLimit !== undefined)
    all.push({ viewers: viewerLimit, bound: toldBound(viewerLimit, machine), basis: 'told' });
  // What a WCS spends on a pull is its own affair.
  if (machine && machine.cores > 0 && !(settings && 'tester' in settings && settings.tester === 'wcs')) {
    const cost = viewerCost(protocol, kbps, measured);
    // One thread reads for all viewers.
    const budget = Math.min(testerBounds.readerBusyPercent, testerBounds.processCpuPercent * machine.cores);
    const { measuredMs } = cost;
    all.push({
      viewers: rounded(budget / cost.corePercent),
      bound: 'cpu',
      ...(measuredMs === undefined ? { basis: 'estimated' } : { basis: 'measured', measuredMs }),
    });
    if (machine.memoryBytes > 0)
      all.push({
        viewers: rounded((memoryShare * machine.memoryBytes) / viewerBytes),
        bound: 'memory',
        basis: 'estimated',
      });
  }
  return all.sort((a, b) => a.viewers - b.viewers)[0];
}

/** Of files and ports, whatever allows fewer viewers. */
export function toldBound(
  viewerLimit: number,
  machine: Pick<MachineFingerprint, 'openFilesLimit'> | undefined,
): 'open-files' | 'ports' {
  const files = machine?.openFilesLimit;
  return files === undefined || files === 0 || files - spareFiles > viewerLimit ? 'ports' : 'open-files';
}

/** A cost that is worth keeping; undefined where a run had too few viewers, or too little CPU was spent on them. */
export function measuredCost(run: {
  readonly protocol: PullProtocol;
  readonly viewers: number;
  /** Of the agent's process, in percent of one core. */
  readonly corePercent: number;
  readonly mediaMbps: number;
  readonly measuredMs: number;
}): ViewerCost | undefined {
  const { protocol, viewers, corePercent, mediaMbps, measuredMs } = run;
  if (viewers < leastViewersMeasured || corePercent < leastCorePercentMeasured || mediaMbps <= 0)
    return undefined;
  return {
    protocol,
    corePercent: corePercent / viewers,
    kbps: (mediaMbps * 1000) / viewers,
    viewers: Math.round(viewers),
    measuredMs,
  };
}

/** An estimate has no more than two digits: 4,873 becomes 4,900. */
function rounded(viewers: number): number {
  const digit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, viewers))) - 1);
  return Math.floor(viewers / digit) * digit;
}

/** `plays up to 4,900 (estimated, by its CPU)`, `plays up to 5,100 (measured 2026-11-21)`. */
export function strengthText({ viewers, bound, basis, measuredMs }: TesterStrength): string {
  const count = formatFigure(viewers, 'integer');
  if (basis === 'measured' && measuredMs !== undefined)
    return `plays up to ${count} (measured ${new Date(measuredMs).toISOString().slice(0, 10)})`;
  if (basis === 'told')
    return `plays up to ${count} (limit of ${bound === 'ports' ? 'local ports' : 'open files'})`;
  return `plays up to ${count} (estimated, by its ${bound === 'memory' ? 'memory' : 'CPU'})`;
}
