import { FullhouseError } from '../../contract/calls';
import type { OverviewBatch } from '../../contract/schemas';
import type { WatchState } from '../../contract/watchCalls';
import type { NodeView } from '../../domain/model/node';
import type { RunEvent, RunId } from '../../domain/model/run';
import type { SampleBatch, SeriesId } from '../../domain/series/series';
import type { WatchedSegment } from '../../domain/watch/retention';
import { usualStepMs } from '../../domain/series/gap';
import { log } from '../base/log';
import { samplesIn } from '../base/samples';
import type { Clock } from '../base/clock';
import type { SavedRuns } from '../savedRuns/savedRuns';
import type { RunRecorder } from '../store';
import { newRunId } from '../store/id';
import { watchedView } from './watchedView';
import type { WatchRecorder } from './watchRecorder';

export interface WatchHistoryOptions {
  readonly watching: WatchRecorder;
  /** The files of the history. */
  readonly saved: SavedRuns;
  /** Where a saved range becomes a run. */
  readonly runs: { readonly recorder: RunRecorder; readonly saved: SavedRuns };
  /** What happened in a range, as events of a run. */
  readonly events: (fromMs: number, toMs: number) => ReadonlyArray<Omit<RunEvent, 'id'>>;
  readonly clock: Clock;
  readonly version: string;
}

interface Range {
  readonly fromMs: number;
  /** Excluded. */
  readonly toMs: number;
}

/** Reads the watched history as if it were one run, and makes runs of ranges of it. */
export class WatchHistory {
  private readonly reported = new Set<RunId>();

  constructor(private readonly options: WatchHistoryOptions) {}

  async state(): Promise<WatchState> {
    const segments = await this.options.watching.history();
    return {
      fromMs: segments[0]?.fromMs ?? null,
      toMs: segments.at(-1)?.toMs ?? null,
      bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
      problem: this.options.watching.trouble ?? null,
    };
  }

  /** The nodes that were watched in a range, by their ids; of a node in several files its latest view. */
  async nodes({ fromMs, toMs }: Range): Promise<readonly NodeView[]> {
    const found = new Map<string, NodeView>();
    for (const { run } of await this.within(fromMs, toMs)) {
      const nodes = await this.orNothing(run, this.options.saved.call('watchedNodes', { run }));
      for (const node of nodes ?? []) found.set(node.id, node);
    }
    return [...found.values()];
  }

  /** As of a run: continue from `nextMs`, which is the next file's start where one ends. */
  async overview(
    question: Range & { readonly columns: number; readonly series?: readonly SeriesId[] | undefined },
  ): Promise<OverviewBatch> {
    const { fromMs, toMs, columns, series } = question;
    const [segment, next] = await this.within(fromMs, toMs);
    if (!segment) return nothing;
    const from = Math.max(fromMs, segment.fromMs);
    const to = Math.min(toMs, next?.fromMs ?? toMs);
    const part = Math.max(1, Math.round((columns * (to - from)) / (toMs - fromMs)));
    const found = await this.orNothing(
      segment.run,
      this.options.saved.call('overview', {
        ...{ run: segment.run, fromMs: from, toMs: to, columns: part },
        ...(series && { series }),
      }),
    );
    const nextMs = found?.nextMs ?? next?.fromMs ?? null;
    // An old file has nothing finer, whatever was asked for.
    const fileStepMs = segment.stepMs > usualStepMs ? segment.stepMs : 0;
    return found ? { ...found, stepMs: Math.max(found.stepMs, fileStepMs), nextMs } : { ...nothing, nextMs };
  }

  async samples({ fromMs, toMs }: Range): Promise<{ readonly batch: SampleBatch; readonly nextMs: number | null }> {
    const none = { batch: { keys: [], key: [], timeMs: [], value: [] }, nextMs: null };
    const [segment, next] = await this.within(fromMs, toMs);
    if (!segment) return none;
    const { run } = segment;
    const to = Math.min(toMs, next?.fromMs ?? toMs);
    const found = (await this.orNothing(run, this.options.saved.call('samples', { run, fromMs, toMs: to }))) ?? none;
    return { ...found, nextMs: found.nextMs ?? next?.fromMs ?? null };
  }

  /** Makes a run of a range; resolves with its id. Rejects with `nothing-watched` where nothing was. */
  async save(range: Range & { readonly name?: string | undefined }, signal?: AbortSignal): Promise<RunId> {
    const { clock, version, events, runs } = this.options;
    const { recorder, saved } = runs;
    const segments = await this.within(range.fromMs, range.toMs);
    const [first] = segments;
    const last = segments.at(-1);
    if (!first || !last)
      throw new FullhouseError('nothing-watched', 'Nothing was watched in this time; choose another range.');
    const fromMs = Math.max(range.fromMs, first.fromMs);
    const toMs = Math.min(range.toMs, last.toMs);
    const stepMs = Math.max(...segments.map((segment) => segment.stepMs));
    const name = range.name?.trim() || `Watched ${new Date(fromMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    const id = newRunId(name, clock.now());
    const nodes = await this.nodes(range);
    const view = (isActive: boolean): ReturnType<typeof watchedView> =>
      watchedView({ id, name, range: { fromMs, toMs, stepMs }, nodes, isActive });
    const writer = await recorder.create(view(true), { version }, signal);
    let isWhole = false;
    try {
      for (let next: number | null = fromMs; next !== null && !signal?.aborted;) {
        const page: { batch: SampleBatch; nextMs: number | null } = await this.samples({
          fromMs: next,
          toMs: toMs + 1,
        });
        writer.append(samplesIn(page.batch));
        await writer.flush();
        next = page.nextMs;
      }
      for (const event of events(fromMs, toMs)) writer.event(event);
      isWhole = signal?.aborted !== true;
    } finally {
      await writer.finish(view(false));
      // It would claim to be of the whole range.
      if (!isWhole) await saved.call('delete', { run: id });
    }
    if (!isWhole) throw new FullhouseError('stopped', 'Cancelled; nothing was saved.');
    await saved.call('compact', { run: id });
    return id;
  }

  private async within(fromMs: number, toMs: number): Promise<readonly WatchedSegment[]> {
    const found = (await this.options.watching.history())
      .filter((segment) => segment.toMs >= fromMs && segment.fromMs < toMs)
      .sort((a, b) => a.fromMs - b.fromMs);
    // Where files overlap, such as after the clock was set back, the later one counts: each call reads further.
    while (found[1] && found[1].fromMs <= fromMs) found.shift();
    return found;
  }

  /** A damaged file costs its day: the others are read all the same. */
  private async orNothing<T>(run: RunId, read: Promise<T>): Promise<T | undefined> {
    try {
      return await read;
    } catch (error) {
      if (!(error instanceof FullhouseError && lostCodes.has(error.code))) throw error;
      if (!this.reported.has(run)) log.warn(`The watched data of ${run} can't be read: ${error.message}`);
      this.reported.add(run);
      return undefined;
    }
  }
}

/** Faults of one file. */
const lostCodes: ReadonlySet<string> = new Set(['no-run', 'damaged-run', 'not-a-run', 'newer-run', 'reader-ended']);

const nothing: OverviewBatch = {
  ...{ stepMs: 0, keys: [], ends: [], breaks: [], firstMs: [], lastMs: [], nextMs: null },
  ...{ timeMs: new Float64Array(0), value: new Float32Array(0) },
};
