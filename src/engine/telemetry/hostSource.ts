import type { ClockView, MachineFingerprint } from '../../domain/model/node';
import type { ProgramShare } from '../../domain/model/otherLoad';
import type { ProcessIdentity } from './proc/serverProcesses';
import type { SeriesId } from '../../domain/series/series';

/** One second of a host, its time in our clock. */
export interface HostSample {
  readonly timeMs: number;
  readonly values: Partial<Record<SeriesId, number>>;
}

/** A source of a host's figures: /proc over SSH, a node_exporter, a Prometheus. Reconnects until it is closed. */
export interface HostSource {
  /** Shown to the user, e.g. `/proc over SSH`, `node_exporter 1.5.0`, `Prometheus 2.42`. */
  readonly label: string;
  /** As soon as it is known. */
  readonly machine: MachineFingerprint | undefined;
  /** The machine and its pid namespace, see `OwnProcesses`; only where it is reported. */
  readonly machineKey?: string | undefined;
  /** The media server's processes there, as last read; only where they are reported. */
  readonly processes?: readonly ProcessIdentity[] | undefined;
  /** Their clock's offset to ours; only where it can be measured. */
  readonly clock: ClockView | undefined;
  /** Figures that it does not report, as once read; absent where it reports all. */
  readonly lacking?: readonly string[] | undefined;
  onSample(listener: (sample: HostSample) => void): () => void;
  /** A sentence when figures stop, undefined when they resume. */
  onProblem(listener: (sentence: string | undefined) => void): () => void;
  /** The largest other programs there now; absent where processes are not reported. Never rejects. */
  programs?(): Promise<readonly ProgramShare[]>;
  close(): void;
}
