import type { ClockView } from '../../domain/model/node';
import type { SeriesId } from '../../domain/series/series';
import type { Clock } from '../base/clock';
import type { SshLink } from '../links/ssh/sshLink';
import { followGcLog, type GcLog } from '../telemetry/gcLog';

/** Follows a node's GC log once SSH is connected, and reports the pauses as the node's own figures. */
export class GcLogWatch {
  problem: string | undefined;
  private log: GcLog | undefined;

  constructor(
    private readonly who: string,
    private readonly path: string,
    private readonly clock: Clock,
    private readonly onSample: (timeMs: number, values: Partial<Record<SeriesId, number>>) => void,
    private readonly onChange: () => void,
    /** The host's clock offset, once known: the log has the host's timestamps. */
    private readonly remoteClock: () => ClockView | undefined,
  ) {}

  /** e.g. `GC log over SSH (ZGC)`. */
  get label(): string {
    return this.log?.label ?? 'GC log over SSH';
  }

  /** Why nothing is known of pauses, as long as no line of a collector was read. */
  get silence(): string | undefined {
    return this.log ? this.log.silence : `${this.who}: its GC log ${this.path} is not followed: SSH is not connected.`;
  }

  follow(link: SshLink): void {
    this.log?.close();
    this.log = followGcLog({
      link,
      path: this.path,
      who: this.who,
      clock: this.clock,
      remoteClock: this.remoteClock,
    });
    this.log.onSample(({ timeMs, values }) => this.onSample(timeMs, values));
    this.log.onProblem((sentence) => {
      this.problem = sentence;
      this.onChange();
    });
  }

  close(): void {
    this.log?.close();
  }
}
