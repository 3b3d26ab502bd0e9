import type { NodeView } from '../../domain/model/node';
import type { RunView } from '../../domain/model/run';
import type { Sample } from '../../domain/series/series';
import { errorText } from '../../domain/text/errorText';
import { rounded } from '../../domain/watch/rounded';
import { defaultRetention, retentionSteps, type Retention, type WatchedSegment } from '../../domain/watch/retention';
import { inTime, type Clock } from '../base/clock';
import { log } from '../base/log';
import type { SavedRuns } from '../savedRuns/savedRuns';
import type { RunRecorder, RunRecording } from '../store';
import { newRunId } from '../store/id';
import { watchedView } from './watchedView';

export interface WatchRecorderOptions {
  readonly recorder: RunRecorder;
  readonly saved: SavedRuns;
  /** The nodes that are watched now. */
  readonly nodes: () => readonly NodeView[];
  readonly clock: Clock;
  readonly version: string;
  /** Receives why nothing is recorded, once; undefined: it is again. */
  readonly problem: (sentence: string | undefined) => void;
  readonly retention?: Retention;
}

/** A file covers a day of UTC, so that it is made thinner or deleted as a whole. */
const segmentMs = 86_400_000;
/** Larger ones end earlier: what is written can't be made thinner. */
const largestShare = 1 / 8;
const stepMs = 1000;
/** Samples that wait while a file is created; a fleet of 100 nodes reports 4,000 a second. */
const maxWaiting = 100_000;
const retryMs = 60_000;
const nodesEveryMs = 10_000;
const housekeepingEveryMs = 3_600_000;
/** A disk that takes nothing for this long is a problem. */
export const unsavedAfterMs = 20_000;
/** A problem, as the rest of a sentence. */
export const takesNothing = (folder: string): string => `the disk of ${folder} takes nothing; check it, or free space.`;
const steadyAfterMs = 3_600_000;
/** Clocks of machines differ by less, or are known. */
const aheadMs = 60_000;
/** The end of the console waits this long for its disk; what is missing then is complete all the same. */
const closesWithinMs = 1500;

interface Active {
  readonly recording: RunRecording;
  readonly fromMs: number;
  /** All nodes of its data, also those that were removed meanwhile. */
  nodes: ReadonlyMap<string, NodeView>;
}

/**
 * Writes down all that the fleet reports, with and without a run: a file a day, each in the form of a run, so that the
 * rules of runs apply to a crash, a full disk and a damaged file. Older data becomes thinner (`retentionSteps`).
 */
export class WatchRecorder {
  private active: Active | undefined;
  private isBusy = false;
  private waiting: Sample[] = [];
  private retryAtMs = 0;
  private nodesAtMs = 0;
  private housekeepingAtMs = 0;
  private segments: WatchedSegment[] | undefined;
  private problem: string | undefined;
  private lastRefused: string | undefined;
  private isClosed = false;
  /** Newest sample of the active file. */
  private lastMs = 0;
  /** End of the file before it. */
  private endedMs = -Infinity;
  /** Since when the clock was not set, in monotonic ms, and its distance to the monotonic one then. */
  private steady: { readonly sinceMs: number; readonly offsetMs: number } | undefined;
  /** The nodes that reported something. */
  private readonly heard = new Set<string>();

  constructor(private readonly options: WatchRecorderOptions) {}

  /** Why nothing is recorded now. */
  get trouble(): string | undefined {
    return this.problem;
  }

  take(samples: readonly Sample[]): void {
    if (this.isClosed || samples.length === 0) return;
    const latestMs = this.options.clock.now() + aheadMs;
    // A host whose clock is not known yet may be years ahead.
    const kept = samples.flatMap((sample) =>
      sample.timeMs > latestMs ? [] : [{ ...sample, value: rounded(sample.value) }],
    );
    for (const { timeMs, node } of kept) {
      this.lastMs = Math.max(this.lastMs, timeMs);
      this.heard.add(node);
    }
    if (this.active) return this.append(kept);
    for (const sample of kept) if (this.waiting.length < maxWaiting) this.waiting.push(sample);
  }

  /** Once a second. */
  tick(nowMs: number): void {
    if (this.isClosed) return;
    this.watchClock(nowMs);
    if (this.isBusy) return;
    const { active } = this;
    if (active === undefined) {
      if (this.waiting.length > 0 && nowMs >= this.retryAtMs) void this.inTurn(() => this.begin(nowMs));
      return;
    }
    if (nowMs >= this.nodesAtMs) this.updateNodes(active, nowMs);
    const { recorder } = this.options;
    const isBehind = recorder.isSilent || recorder.unsavedMs(active.recording.id) > unsavedAfterMs;
    this.tell(isBehind ? takesNothing(recorder.folder) : undefined);
    if (this.isFull(active, nowMs)) return void this.inTurn(() => this.next(active, nowMs));
    if (nowMs >= this.housekeepingAtMs) {
      this.housekeepingAtMs = nowMs + housekeepingEveryMs;
      this.isBusy = true;
      void this.keepHouse(nowMs).finally(() => (this.isBusy = false));
    }
  }

  /** The files of the history by time, that of now included. */
  async history(): Promise<readonly WatchedSegment[]> {
    const ended = await this.ended();
    const { active } = this;
    if (active === undefined) return ended;
    const { id } = active.recording;
    const bytes = this.options.recorder.bytes(id);
    return [...ended, { run: id, fromMs: active.fromMs, toMs: this.endOf(active), stepMs, bytes }];
  }

  /** Another process records: what is in the folder changes, and samples that wait are those of another time. */
  startOver(): void {
    this.segments = undefined;
    this.waiting = [];
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    const { active } = this;
    this.active = undefined;
    if (active) await inTime(this.options.clock, this.finish(active), closesWithinMs);
  }

  private async inTurn(act: () => Promise<void>): Promise<void> {
    this.isBusy = true;
    try {
      await act();
      this.tell(undefined);
    } catch (error) {
      this.tell(errorText(error));
    } finally {
      this.isBusy = false;
      if (this.active) this.append(this.waiting.splice(0));
    }
  }

  private async begin(nowMs: number): Promise<void> {
    const { recorder, version } = this.options;
    this.retryAtMs = nowMs + retryMs;
    const views = this.withNodes(new Map());
    const [first = { timeMs: nowMs }] = this.waiting;
    // Files follow each other: a reader continues where the next one begins.
    const fromMs = Math.max(Math.min(nowMs, first.timeMs), this.endedMs <= nowMs ? this.endedMs + 1 : -Infinity);
    const id = newRunId('watched', nowMs);
    try {
      const recording = await recorder.create(this.view(id, fromMs, nowMs, views, true), { version });
      if (this.isClosed) return await recording.finish(this.view(id, fromMs, nowMs, views, false));
      this.active = { recording, fromMs, nodes: views };
      this.lastMs = fromMs;
    } catch (error) {
      this.waiting = [];
      throw error;
    }
  }

  private async next(active: Active, nowMs: number): Promise<void> {
    this.active = undefined;
    await this.finish(active);
    await this.begin(nowMs);
  }

  private async finish(active: Active): Promise<void> {
    const { recording, fromMs, nodes } = active;
    const toMs = this.endOf(active);
    this.endedMs = toMs;
    const { id } = recording;
    await recording.finish(this.view(id, fromMs, toMs, this.withNodes(nodes), false));
    const { bytes } = await this.options.saved.call('summary', { run: id });
    this.segments?.push({ run: id, fromMs, toMs, stepMs, bytes });
  }

  private append(samples: readonly Sample[]): void {
    try {
      this.active?.recording.append(samples);
    } catch (error) {
      // The good ones are recorded.
      const sentence = errorText(error);
      if (sentence !== this.lastRefused) log.warn(`Samples are not recorded: ${sentence}`);
      this.lastRefused = sentence;
    }
  }

  private updateNodes(active: Active, nowMs: number): void {
    this.nodesAtMs = nowMs + nodesEveryMs;
    const views = this.withNodes(active.nodes);
    if (views.size === active.nodes.size) return;
    active.nodes = views;
    active.recording.setView(this.view(active.recording.id, active.fromMs, nowMs, views, true));
  }

  private isFull({ recording, fromMs }: Active, nowMs: number): boolean {
    if (Math.floor(nowMs / segmentMs) > Math.floor(fromMs / segmentMs)) return true;
    // The clock was set back: samples before the start of a file are not found in it.
    if (nowMs < fromMs - aheadMs) return true;
    const { maxBytes } = this.options.retention ?? defaultRetention;
    return this.options.recorder.bytes(recording.id) > maxBytes * largestShare;
  }

  private async ended(): Promise<readonly WatchedSegment[]> {
    const own = this.active?.recording.id;
    this.segments ??= (await this.options.saved.call('watchedSegments', {})).filter(({ run }) => run !== own);
    return this.segments;
  }

  /** A file that can't be made thinner or removed is left alone until the next start; never rejects. */
  private async keepHouse(nowMs: number): Promise<void> {
    const { saved, recorder, retention = defaultRetention } = this.options;
    const ended = await this.ended().catch(() => []);
    const active = this.active && recorder.bytes(this.active.recording.id);
    for (const step of retentionSteps(ended, this.agesFrom(ended, nowMs), retention, active)) {
      const { run } = step;
      try {
        if (step.kind === 'delete') {
          await saved.call('discard', { run });
          this.forget(run);
          continue;
        }
        const { stepMs: thinMs } = step;
        await saved.call('thin', { run, stepMs: thinMs });
        const { bytes } = await saved.call('summary', { run });
        this.segments = this.segments?.map((each) => (each.run === run ? { ...each, stepMs: thinMs, bytes } : each));
      } catch (error) {
        log.warn(`The watched data of ${run} can't be made smaller: ${errorText(error)}`);
        this.forget(run);
      }
    }
  }

  private forget(run: string): void {
    this.segments = this.segments?.filter((each) => each.run !== run);
  }

  private watchClock(nowMs: number): void {
    const monotonicMs = this.options.clock.monotonic();
    const offsetMs = nowMs - monotonicMs;
    if (this.steady === undefined || Math.abs(offsetMs - this.steady.offsetMs) > aheadMs)
      this.steady = { sinceMs: monotonicMs, offsetMs };
  }

  /**
   * The time from which ages count. A clock that was set, or a machine that starts with a wrong one, must not delete a
   * week: until it was left alone for a while, ages are those at the end of the newest file.
   */
  private agesFrom(ended: readonly WatchedSegment[], nowMs: number): number {
    const isSteady = this.steady !== undefined && this.options.clock.monotonic() - this.steady.sinceMs >= steadyAfterMs;
    return isSteady ? nowMs : Math.min(nowMs, Math.max(0, ...ended.map(({ toMs }) => toMs)));
  }

  /** The end of a file's data: not in the future of a clock that was set back. */
  private endOf({ fromMs }: Active): number {
    return Math.max(fromMs, Math.min(this.lastMs, this.options.clock.now()));
  }

  private view(
    id: string,
    fromMs: number,
    toMs: number,
    nodes: ReadonlyMap<string, NodeView>,
    isActive: boolean,
  ): RunView {
    return watchedView({ id, name: 'Watched', range: { fromMs, toMs, stepMs }, nodes: [...nodes.values()], isActive });
  }

  private withNodes(known: ReadonlyMap<string, NodeView>): ReadonlyMap<string, NodeView> {
    const heard = this.options.nodes().filter(({ id }) => this.heard.has(id));
    return new Map([...known, ...heard.map((node) => [node.id, node] as const)]);
  }

  private tell(sentence: string | undefined): void {
    if (sentence === this.problem) return;
    this.problem = sentence;
    this.options.problem(sentence);
  }
}
