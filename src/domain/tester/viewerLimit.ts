import type { MachineFingerprint, NodeView } from '../model/node';
import { formatFigure } from '../text/numberFormat';
import { isByProcess, isOverTcp, maxProcesses, type PullProtocol } from '../model/protocols';
import type { SelfTest, TesterMeasured, ViewerCost } from '../model/testerMeasured';
import { testerBounds } from './testerRules';

export type CapacityBound = 'cpu' | 'memory' | 'open-files' | 'ports' | 'processes';

/** The viewer limit of a tester. */
export interface TesterCapacity {
  readonly viewers: number;
  /** The resource that runs out first. */
  readonly bound: CapacityBound;
  /** `reported`: the machine's own limit of files or ports, which the agent enforces. */
  readonly basis: 'measured' | 'estimated' | 'reported';
  readonly measuredMs?: number;
}

/** Files reserved by an agent besides the viewers' sockets; the same number as in the agent. */
export const spareFiles = 256;

/**
 * Measured where the self-test took 2.4 us per packet (docs/performance.md): 18 % of a core for 60,000 packets a second
 * over WHEP and 12 % for 215 Mbit/s over RTMP, the upper end of each.
 */
const calibration = {
  selfTestUsPerPacket: 2.4,
  packetPercent: 18 / 60_000,
  rtmpMbpsPercent: 12 / 215,
} as const;

/** Mean size of a media packet, from 170 kbit/s at 60 packets a second up to full packets of a high bitrate. */
const packetBytes = { small: 350, large: 1100 } as const;
/** Assumed bit rate of an unknown stream. */
const usualKbps = 170;
/** Base cost of a viewer at any bitrate: socket handling and reports. */
const minPacketsPerSecond = 44;
/** Resident memory of the agent and of the kernel's socket, the upper end. */
const viewerBytes = 96 * 1024;
/** The rest of the memory is left to the machine. */
const memoryShare = 0.5;
/** Fewer viewers measure the agent rather than its viewers. */
const minViewersMeasured = 50;
/** Less CPU is below the resolution of one second. */
const minCorePercentMeasured = 2;

/** Identifies a machine across restarts: measured costs are stored under this key. */
export function machineKey({ cpuModel, cores, memoryBytes }: MachineFingerprint): string {
  return [cpuModel, cores, Math.round(memoryBytes / 2 ** 30)].join(' | ');
}

/** The calculated cost of a viewer, scaled by the machine's self-test if available. */
function calculatedCost(protocol: PullProtocol, kbps = usualKbps, selfTest?: SelfTest): ViewerCost {
  const usPerPacket = selfTest && (1000 * selfTest.cpuMs) / selfTest.packets;
  const slower = usPerPacket ? usPerPacket / calibration.selfTestUsPerPacket : 1;
  const bytes = kbps <= 200 ? packetBytes.small : packetBytes.large;
  const packets = Math.max(minPacketsPerSecond, (kbps * 1000) / 8 / bytes);
  const percent = isOverTcp(protocol)
    ? (Math.max(usualKbps, kbps) / 1000) * calibration.rtmpMbpsPercent
    : packets * calibration.packetPercent;
  return { protocol, corePercent: percent * slower, kbps, viewers: 0 };
}

/** The cost of a viewer of a stream on a tester: measured in an earlier run there, else calculated. */
export function viewerCost(
  protocol: PullProtocol,
  kbps: number | undefined,
  measured: TesterMeasured | undefined,
): ViewerCost {
  const measuredCost = measured?.costs.find((cost) => cost.protocol === protocol);
  if (!measuredCost) return calculatedCost(protocol, kbps, measured?.selfTest);
  if (kbps === undefined) return measuredCost;
  // The difference between streams is calculated.
  const ratio = calculatedCost(protocol, kbps).corePercent / calculatedCost(protocol, measuredCost.kbps).corePercent;
  return { ...measuredCost, corePercent: measuredCost.corePercent * ratio };
}

type Limited = Pick<NodeView, 'viewerLimit'> & Partial<Pick<NodeView, 'settings'>>;
export const isWcsTester = ({ settings }: Limited): boolean =>
  settings !== undefined && 'tester' in settings && settings.tester === 'wcs';

/** The limit that a tester reports, where it applies: the ports of a WCS are for its own signalling, not for RTMP. */
export function reportedViewers(node: Limited, protocol: PullProtocol): number | undefined {
  return isWcsTester(node) && protocol !== 'wcs' ? undefined : node.viewerLimit;
}

/** The limit above which a tester refuses: an agent has one. A WCS accepts any number, and pulls without a port fail. */
export function enforcedLimit(node: Limited): number | undefined {
  return isWcsTester(node) ? undefined : node.viewerLimit;
}

/** The viewer limit of a tester, by the first of CPU, memory, files and ports; undefined if unknown. */
export function testerCapacity(
  node: Pick<NodeView, 'machine' | 'viewerLimit' | 'measured' | 'group'> & Partial<Pick<NodeView, 'settings'>>,
  protocol: PullProtocol,
  kbps?: number,
): TesterCapacity | undefined {
  const { machine, measured } = node;
  if (isByProcess(protocol)) return { viewers: maxProcesses, bound: 'processes', basis: 'reported' };
  const viewerLimit = reportedViewers(node, protocol);
  const all: TesterCapacity[] = [];
  if (viewerLimit !== undefined)
    all.push({ viewers: viewerLimit, bound: reportedLimit(viewerLimit, machine), basis: 'reported' });
  // The cost of a pull on a WCS is unknown.
  if (machine && machine.cores > 0 && !isWcsTester(node)) {
    const cost = viewerCost(protocol, kbps, measured);
    // One thread reads for all viewers.
    const budget = Math.min(testerBounds.readerBusyPercent, testerBounds.processCpuPercent * machine.cores);
    const { measuredMs } = cost;
    // All of them have this machine.
    const members = node.group?.ready ?? 1;
    all.push({
      viewers: rounded((members * budget) / cost.corePercent),
      bound: 'cpu',
      ...(measuredMs === undefined ? { basis: 'estimated' } : { basis: 'measured', measuredMs }),
    });
    if (machine.memoryBytes > 0)
      all.push({
        viewers: rounded((members * memoryShare * machine.memoryBytes) / viewerBytes),
        bound: 'memory',
        basis: 'estimated',
      });
  }
  return all.sort((a, b) => a.viewers - b.viewers)[0];
}

/** The lower of the limits by files and ports. */
export function reportedLimit(
  viewerLimit: number,
  machine: Pick<MachineFingerprint, 'openFilesLimit'> | undefined,
): 'open-files' | 'ports' {
  const files = machine?.openFilesLimit;
  return files === undefined || files === 0 || files - spareFiles > viewerLimit ? 'ports' : 'open-files';
}

/** A measured cost; undefined if a run had too few viewers, or too little CPU use. */
export function measuredCost(run: {
  readonly protocol: PullProtocol;
  readonly viewers: number;
  /** CPU of the agent's process, in percent of one core. */
  readonly corePercent: number;
  readonly mediaMbps: number;
  readonly measuredMs: number;
}): ViewerCost | undefined {
  const { protocol, viewers, corePercent, mediaMbps, measuredMs } = run;
  if (viewers < minViewersMeasured || corePercent < minCorePercentMeasured || mediaMbps <= 0) return undefined;
  return {
    protocol,
    corePercent: corePercent / viewers,
    kbps: (mediaMbps * 1000) / viewers,
    viewers: Math.round(viewers),
    measuredMs,
  };
}

/** An estimate has at most two significant digits: 4,873 becomes 4,900. */
function rounded(viewers: number): number {
  const digit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, viewers))) - 1);
  return Math.floor(viewers / digit) * digit;
}

/** `runs up to 4,900 viewers (estimated, by CPU)`, `runs up to 5,100 viewers (measured 2026-11-21)`. */
export function viewerLimitText({ viewers, bound, basis, measuredMs }: TesterCapacity): string {
  const count = formatFigure(viewers, 'integer');
  if (basis === 'measured' && measuredMs !== undefined)
    return `runs up to ${count} viewers (measured ${new Date(measuredMs).toISOString().slice(0, 10)})`;
  if (basis === 'reported')
    return `runs up to ${count} viewers (${bound === 'processes' ? 'ffmpeg process' : bound === 'ports' ? 'local port' : 'open file'} limit)`;
  return `runs up to ${count} viewers (estimated, by ${bound === 'memory' ? 'memory' : 'CPU'})`;
}
