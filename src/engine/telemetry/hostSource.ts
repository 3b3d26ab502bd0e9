import type { ClockView, MachineFingerprint } from '../../domain/node';
import type { ProgramShare } from '../../domain/otherLoad/otherLoad';
import type { SeriesId } from '../../domain/series';

/** One second of a host, its time in our clock. */
export interface HostSample {
  readonly timeMs: number;
  readonly values: Partial<Record<SeriesId, number>>;
}

/** A way to a host's figures: /proc over SSH, a node_exporter, a Prometheus. It mends itself until it is closed. */
export interface HostSource {
  /** For people, e.g. `/proc over SSH`, `node_exporter 1.5.0`, `Prometheus 2.42`. */
  readonly label: string;
  /** As soon as it is known. */
  readonly machine: MachineFingerprint | undefined;
  /** The machine and its table of pids, see `OwnProcesses`; only where it tells. */
  readonly machineKey?: string | undefined;
  /** Their clock against ours; only where it can be measured. */
  readonly clock: ClockView | undefined;
  onSample(listener: (sample: HostSample) => void): () => void;
  /** A sentence when figures stop coming, undefined when they come again. */
  onProblem(listener: (sentence: string | undefined) => void): () => void;
  /** The largest other programs there now; absent where nothing tells of processes. Never rejects. */
  programs?(): Promise<readonly ProgramShare[]>;
  close(): void;
}
