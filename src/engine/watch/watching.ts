import type { NodeView } from '../../domain/model/node';
import type { RunEvent } from '../../domain/model/run';
import type { Retention } from '../../domain/watch/retention';
import type { Sample } from '../../domain/series/series';
import { inTime, type Clock } from '../base/clock';
import { Emitter } from '../base/emitter';
import { SavedRuns } from '../savedRuns/savedRuns';
import type { StartReader } from '../savedRuns/startReader';
import { Recorder } from '../savedRuns/writing/recorder';
import { maskingRecorder } from '../secrets/maskingBoundary';
import type { SecretMask } from '../../domain/secrets/secretMask';
import type { RunRecorder } from '../store';
import { errorText } from '../../domain/text/errorText';
import { lockHistory } from './historyLock';
import { WatchHistory } from './watchHistory';
import { takesNothing, unsavedAfterMs, WatchRecorder } from './watchRecorder';

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

const lockEveryMs = 60_000;
/** A lock that stays is that of a process that has ended. */
const releasedWithinMs = 500;
const answersWithinMs = 2000;
const problemOf = (sentence: string | undefined): string | null =>
  sentence === undefined ? null : `What is watched is not recorded: ${sentence}`;

/** What the console watches, recorded with and without runs. */
export class Watching {
  readonly history: WatchHistory;
  /** Why nothing is recorded now; null: it is again. */
  readonly problem = new Emitter<{ readonly problem: string | null }>();
  private readonly recorder: Recorder;
  private readonly saved: SavedRuns;
  private readonly watchRecorder: WatchRecorder;
  private release: (() => Promise<void>) | undefined;
  private locking: Promise<void> | undefined;
  private lockAtMs = 0;
  private isClosed = false;
  private refused: string | undefined;

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
    this.lock(clock.now());
    this.history = new WatchHistory({ watching: this.watchRecorder, saved: this.saved, runs, events, clock, version });
  }

  /** Samples of nodes, by their ids in the fleet. */
  take(samples: readonly Sample[]): void {
    // While the lock is asked for, they wait.
    if (this.options.isReadOnly !== true && this.refused === undefined) this.watchRecorder.take(samples);
  }

  tick(nowMs: number): void {
    if (!this.release && nowMs >= this.lockAtMs) this.lock(nowMs);
    if (this.release) this.watchRecorder.tick(nowMs);
  }

  /** Another process that ends leaves the history to this one. */
  private lock(nowMs: number): void {
    if (this.options.isReadOnly === true || this.locking || this.isClosed) return;
    this.lockAtMs = nowMs + lockEveryMs;
    this.locking = this.tryToLock().finally(() => (this.locking = undefined));
  }

  private async tryToLock(): Promise<void> {
    const { folder, clock } = this.options;
    const cancelSilence = clock.after(unsavedAfterMs, () => this.refuse(takesNothing(folder)), 'background');
    try {
      const release = await lockHistory(folder, clock.wall());
      if (this.refused !== undefined) {
        this.tell(undefined);
        // What another process has recorded meanwhile.
        this.watchRecorder.startOver();
      }
      this.refused = undefined;
      this.release = release;
    } catch (error) {
      this.refuse(errorText(error));
    } finally {
      cancelSilence();
    }
  }

  private refuse(sentence: string): void {
    if (sentence !== this.refused) this.tell(sentence);
    this.refused = sentence;
    this.watchRecorder.startOver();
  }

  async state(): Promise<Awaited<ReturnType<WatchHistory['state']>>> {
    if (this.locking) await inTime(this.options.clock, this.locking, answersWithinMs);
    const { problem, ...state } = await this.history.state();
    return { ...state, problem: problemOf(this.refused ?? problem ?? undefined) };
  }

  private tell(sentence: string | undefined): void {
    const problem = problemOf(sentence);
    this.options.problem(problem ?? 'What is watched is recorded again.');
    this.problem.emit({ problem });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.watchRecorder.close();
    this.saved.close();
    await this.recorder.close();
    if (this.release) await inTime(this.options.clock, this.release(), releasedWithinMs);
  }
}
