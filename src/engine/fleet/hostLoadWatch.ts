import type { NodeView } from '../../domain/model/node';
import {
  loadBefore,
  otherLoadBounds,
  takenPercent,
  type LoadBefore,
  type OtherShare,
  type ProgramShare,
} from '../../domain/model/otherLoad';
import type { SeriesId, ValuesBySeries } from '../../domain/series/series';
import { Emitter } from '../base/emitter';

/** The period that counts as the current load. */
const windowMs = 5000;
/** Fewer samples are not enough. */
const minSamples = 3;
/**
 * Programs are named above this load of others, and at most this often: each measurement reads all processes of the
 * host.
 */
const namesFromPercent = 20;
const namesEveryMs = 5000;
const levelPercent = 5;
/** A name is shown no longer than this after its measurement. */
const nameHoldsMs = 15_000;

interface HostSeen {
  readonly samples: Array<{ readonly timeMs: number; readonly values: ValuesBySeries }>;
  programs: readonly ProgramShare[];
  programsMs: number;
  requestedMs: number;
  /** The reported level, coarse: each change of it is reported. */
  level: string;
}

/** Can name the programs of a host. */
export type NamePrograms = (host: string) => Promise<readonly ProgramShare[]> | undefined;

/** CPU used by other programs on each host in the last seconds, during a run or not. */
export class HostLoadWatch {
  /** The programs of a host were measured. */
  readonly named = new Emitter<{
    readonly host: string;
    readonly timeMs: number;
    readonly programs: readonly ProgramShare[];
  }>();
  /** The load of a host by other programs changed. */
  readonly changed = new Emitter<void>();
  private readonly hosts = new Map<string, HostSeen>();

  constructor(
    private readonly now: () => number,
    private readonly name: NamePrograms,
  ) {}

  take(host: string, timeMs: number, values: ValuesBySeries): void {
    if (values.cpuPercent === undefined) return;
    const hostRecord = this.seen(host);
    hostRecord.samples.push({ timeMs, values });
    while ((hostRecord.samples[0]?.timeMs ?? Infinity) <= timeMs - windowMs) hostRecord.samples.shift();
    const level = this.levelOf(host);
    if (level !== hostRecord.level) {
      hostRecord.level = level;
      this.changed.emit();
    }
    const taken = (values.otherCpuPercent ?? 0) + (values.stolenCpuPercent ?? 0) + (values.consoleCpuPercent ?? 0);
    if (taken >= namesFromPercent && this.now() - hostRecord.requestedMs >= namesEveryMs) void this.measure(host);
  }

  /** Names the programs of a host now. Never rejects. */
  async measure(host: string): Promise<readonly ProgramShare[]> {
    const hostRecord = this.seen(host);
    hostRecord.requestedMs = this.now();
    const programs = (await this.name(host)?.catch(() => undefined)) ?? [];
    if (programs.length === 0) return programs;
    hostRecord.programs = programs;
    hostRecord.programsMs = this.now();
    this.named.emit({ host, timeMs: hostRecord.programsMs, programs });
    return programs;
  }

  /** Current use by others; undefined where too little is known. */
  share(host: string): OtherShare | undefined {
    const hostRecord = this.hosts.get(host);
    if (!hostRecord) return undefined;
    const recent = hostRecord.samples.filter(({ timeMs }) => timeMs > this.now() - 2 * windowMs);
    const mean = (series: SeriesId): number | undefined => {
      const values = recent.flatMap(({ values }) => values[series] ?? []);
      return values.length < minSamples ? undefined : values.reduce((sum, reading) => sum + reading, 0) / values.length;
    };
    const other = mean('otherCpuPercent');
    if (other === undefined) return undefined;
    const [top] = this.now() - hostRecord.programsMs <= nameHoldsMs ? hostRecord.programs : [];
    const named = top && other >= otherLoadBounds.minPercent ? { top } : {};
    const ofConsole = mean('consoleCpuPercent');
    const consoleLoad = ofConsole === undefined ? {} : { console: ofConsole };
    return { other, stolen: mean('stolenCpuPercent') ?? 0, ...consoleLoad, isMeasured: true, ...named };
  }

  /** The check "load before the test" of a node's host; undefined without data. */
  before(node: Pick<NodeView, 'host' | 'name'>, cpuLimit: number | undefined): LoadBefore | undefined {
    const share = this.share(node.host);
    return share && loadBefore(node.host, node.name, share, cpuLimit);
  }

  /** In steps of five percent: a busy host is reported again when its figures or its largest program have changed. */
  private levelOf(host: string): string {
    const share = this.share(host);
    const taken = share ? takenPercent(share) : 0;
    return taken < otherLoadBounds.warnPercent ? '' : `${Math.round(taken / levelPercent)} ${share?.top?.name ?? ''}`;
  }

  private seen(host: string): HostSeen {
    const known = this.hosts.get(host) ?? {
      samples: [],
      programs: [],
      programsMs: -Infinity,
      requestedMs: -Infinity,
      level: '',
    };
    this.hosts.set(host, known);
    return known;
  }
}
