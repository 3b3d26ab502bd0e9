import type { NodeView } from '../../domain/model/node';
import type { RunView } from '../../domain/model/run';
import type { Sample } from '../../domain/series/series';
import { errorText } from '../../domain/text/errorText';
import { rounded } from '../../domain/watch/rounded';
import { defaultRetention, retentionSteps, type Retention, type WatchedSegment } from '../../domain/watch/retention';
import { inTime, type Clock } from '../base/clock';
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
  private isClosed = false;
  private lastMs = 0;
  /** The nodes that reported something. */
  private readonly heard = new Set<string>();

  constructor(private readonly options: WatchRecorderOptions) {}

  /** Why nothing is recorded now. */
  get trouble(): string | undefined {
    return this.problem;
  }

  take(samples: readonly Sample[]): void {
    if (this.isClosed || samples.length === 0) return;
    const kept = samples.map((sample) => ({ ...sample, value: rounded(sample.value) }));
    for (const { timeMs, node } of kept) {
      this.lastMs = Math.max(this.lastMs, timeMs);
      this.heard.add(node);
    }
    if (this.active) return this.append(kept);
    for (const sample of kept) if (this.waiting.length < maxWaiting) this.waiting.push(sample);
  }

  /** Once a second. */
  tick(nowMs: number): void {
    if (this.isClosed || this.isBusy) return;
    const { active } = this;
    if (active === undefined) {
      if (this.waiting.length > 0 && nowMs >= this.retryAtMs) void this.inTurn(() => this.begin(nowMs));
      return;
    }
    if (nowMs >= this.nodesAtMs) this.updateNodes(active, nowMs);
    if (this.isFull(active, nowMs)) return void this.inTurn(() => this.next(active, nowMs));
    if (nowMs >= this.housekeepingAtMs) {
      this.housekeepingAtMs = nowMs + housekeepingEveryMs;
      void this.inTurn(() => this.keepHouse(nowMs));
    }
  }

  /** The files of the history by time, that of now included. */
  async history(): Promise<readonly WatchedSegment[]> {
    const ended = await this.ended();
    const { active } = this;
    if (active === undefined) return ended;
    const { id } = active.recording;
    const { bytes } = this.options.recorder.summary(id);
    return [...ended, { run: id, fromMs: active.fromMs, toMs: Math.max(this.lastMs, active.fromMs), stepMs, bytes }];
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
    const fromMs = Math.min(nowMs, ...this.waiting.slice(0, 1).map(({ timeMs }) => timeMs));
    const id = newRunId('watched', nowMs);
    try {
      const recording = await recorder.create(this.view(id, fromMs, nowMs, views, true), { version });
      if (this.isClosed) return await recording.finish(this.view(id, fromMs, nowMs, views, false));
      this.active = { recording, fromMs, nodes: views };
    } catch (error) {
      this.waiting = [];
      throw error;
    }
  }

  private async next(active: Active, nowMs: number): Promise<void> {
    this.active = undefined;
    await this.finish(active);
    await this.begin(nowMs);
    await this.keepHouse(nowMs);
  }

  private async finish({ recording, fromMs, nodes }: Active): Promise<void> {
    const toMs = Math.max(this.lastMs, fromMs);
    const { id } = recording;
    await recording.finish(this.view(id, fromMs, toMs, this.withNodes(nodes), false));
    const { bytes } = await this.options.saved.call('summary', { run: id });
    this.segments?.push({ run: id, fromMs, toMs, stepMs, bytes });
  }

  private append(samples: readonly Sample[]): void {
    try {
      this.active?.recording.append(samples);
    } catch (error) {
      this.tell(errorText(error));
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
    const { maxBytes } = this.options.retention ?? defaultRetention;
    return this.options.recorder.summary(recording.id).bytes > maxBytes * largestShare;
  }

  private async ended(): Promise<readonly WatchedSegment[]> {
    const own = this.active?.recording.id;
    this.segments ??= (await this.options.saved.call('watchedSegments', {})).filter(({ run }) => run !== own);
    return this.segments;
  }

  private async keepHouse(nowMs: number): Promise<void> {
    const { saved, recorder, retention = defaultRetention } = this.options;
    const active = this.active && recorder.summary(this.active.recording.id).bytes;
    for (const step of retentionSteps(await this.ended(), nowMs, retention, active)) {
      const { run } = step;
      if (step.kind === 'delete') {
        await saved.call('discard', { run });
        this.segments = this.segments?.filter((segment) => segment.run !== run);
        continue;
      }
      await saved.call('thin', { run, stepMs: step.stepMs });
      const { bytes } = await saved.call('summary', { run });
      this.segments = this.segments?.map((each) => (each.run === run ? { ...each, stepMs: step.stepMs, bytes } : each));
    }
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
