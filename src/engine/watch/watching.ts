import type { NodeView } from '../../domain/model/node';
import type { RunEvent } from '../../domain/model/run';
import type { Retention } from '../../domain/watch/retention';
import type { Sample } from '../../domain/series/series';
import type { Clock } from '../base/clock';
import { Emitter } from '../base/emitter';
import { SavedRuns } from '../savedRuns/savedRuns';
import type { StartReader } from '../savedRuns/startReader';
import { Recorder } from '../savedRuns/writing/recorder';
import { maskingRecorder } from '../secrets/maskingBoundary';
import type { SecretMask } from '../../domain/secrets/secretMask';
import type { RunRecorder } from '../store';
import { WatchHistory } from './watchHistory';
import { WatchRecorder } from './watchRecorder';

export interface WatchingOptions {
  /** The folder of the history. */
  readonly folder: string;
  readonly startReader: StartReader;
  readonly clock: Clock;
  readonly version: string;
  readonly mask: SecretMask;
  readonly nodes: () => readonly NodeView[];
  readonly events: (fromMs: number, toMs: number) => ReadonlyArray<Omit<RunEvent, 'id'>>;
  readonly runs: { readonly recorder: RunRecorder; readonly saved: SavedRuns };
  readonly retention?: Retention | undefined;
  /** It is only read; another process may write it. */
  readonly isReadOnly?: boolean | undefined;
  readonly problem: (sentence: string) => void;
}

/** What the console watches, recorded with and without runs. */
export class Watching {
  readonly history: WatchHistory;
  /** Why nothing is recorded now; null: it is again. */
  readonly problem = new Emitter<{ readonly problem: string | null }>();
  private readonly recorder: Recorder;
  private readonly saved: SavedRuns;
  private readonly watchRecorder: WatchRecorder;

  constructor(private readonly options: WatchingOptions) {
    const { folder, startReader, clock, version, mask, nodes, events, runs, retention } = options;
    this.recorder = new Recorder({
      staysInFolder: true,
      folder,
      startWriter: startReader,
      clock,
      // What stays so for long is told as a problem.
      onProblem: (_, sentence) => options.problem(sentence),
    });
    this.saved = new SavedRuns({
      ...{ folder, startReader, clock },
      beforeJob: (run) => this.recorder.settle(run),
    });
    this.watchRecorder = new WatchRecorder({
      ...{ recorder: maskingRecorder(this.recorder, mask), saved: this.saved, nodes, clock, version },
      problem: (sentence) => this.tell(sentence),
      ...(retention && { retention }),
    });
    this.history = new WatchHistory({ watching: this.watchRecorder, saved: this.saved, runs, events, clock, version });
  }

  /** Samples of nodes, by their ids in the fleet. */
  take(samples: readonly Sample[]): void {
    if (this.options.isReadOnly === true) return;
    this.watchRecorder.take(samples);
  }

  tick(nowMs: number): void {
    this.watchRecorder.tick(nowMs);
  }

  private tell(sentence: string | undefined): void {
    const problem = sentence === undefined ? null : `What is watched is not recorded: ${sentence}`;
    this.options.problem(problem ?? 'What is watched is recorded again.');
    this.problem.emit({ problem });
  }

  async close(): Promise<void> {
    await this.watchRecorder.close();
    this.saved.close();
    await this.recorder.close();
  }
}
