import { hasPublisher, type NodeView, type StreamView } from '../../domain/model/node';
import type { SampleStore } from '../charts/sampleStore';
import type { TimeAxis } from '../charts/timeAxis.svelte';
import { usualStepMs } from '../../domain/series/gap';
import type { WindowClient } from '../client/connection';
import { Notes } from '../features/console/notes';
import { sidebarNodes } from '../parts/nodes/rowText';
import type { Notices } from '../ui/notices/notices.svelte';
import { Isolation } from './isolation.svelte';
import { RunRecord } from './runRecord.svelte';
import type { Session } from './session.svelte';

/** A stream to play; its frame rate if its server reports it. */
export type ShownStream = Pick<StreamView, 'stream'> & Partial<Pick<StreamView, 'fps'>>;

/** What the console displays: an opened saved run, else the run of this session, else the current figures. */
export class DisplayedRun {
  readonly isolation = new Isolation();
  readonly opened: OpenedRun;
  readonly notes: Notes;
  readonly #session: Session;
  /** The stream chosen to play; by default the run's stream. */
  played = $state.raw<{ readonly node: string; readonly stream: string }>();
  /** The control player rests: what is measured meanwhile needs the CPU. */
  isPlayerResting = $state(false);
  /** The control player is muted: another one is heard. */
  isPlayerSilent = $state(false);
  readonly record: RunRecord | undefined = $derived.by(() => this.opened.record ?? this.#session.record);

  /**
   * The stream to play: the chosen one; in a run its stream once available, else the first published one. Without a run
   * nothing is played unasked.
   */
  readonly shownStream: { readonly node: NodeView; readonly stream: ShownStream } | undefined = $derived.by(() => {
    if (this.isPlayerResting) return undefined;
    const { played } = this;
    const chosen = played && this.#session.nodes.find(({ id }) => id === played.node);
    // A name not in the list may exist: not every server lists its streams.
    if (chosen)
      return {
        node: chosen,
        stream: chosen.streams.find(({ stream }) => stream === played.stream) ?? { stream: played.stream },
      };
    const pull = this.record?.run.plan.pull;
    const origin = pull && this.nodes.find((node) => node.id === pull.from || node.name === pull.from);
    const inRun = origin?.streams.find(({ stream }) => stream === pull?.stream);
    if (origin && inRun) return { node: origin, stream: inRun };
    return this.record ? firstStream(this.nodes) : undefined;
  });
  /** What can be played while nothing is. */
  readonly offeredStream: { readonly node: NodeView; readonly stream: ShownStream } | undefined = $derived.by(() =>
    this.isPlayerResting || this.shownStream ? undefined : firstStream(this.nodes),
  );

  readonly hasEnded: boolean = $derived(this.record?.run.state === 'ended');
  /** Nodes in sidebar order. */
  readonly nodes: readonly NodeView[] = $derived.by(() => this.record?.run.nodes ?? this.#session.nodes);
  /** Nodes of the sidebar: those of the run, else the fleet without idle built-in nodes. */
  readonly sidebarNodes: readonly NodeView[] = $derived.by(
    () => this.record?.run.nodes ?? sidebarNodes(this.#session.nodes),
  );
  readonly samples: SampleStore = $derived.by(() => this.record?.samples ?? this.#session.watchedSamples);
  /** Changes with every batch: the store is not reactive. */
  readonly sampleVersion: number = $derived.by(() =>
    this.record ? this.record.sampleVersion : this.#session.watchedSampleVersion,
  );
  /** Start of the time axis, Unix ms; 0 without a run, where it has wall times. */
  readonly startedMs: number = $derived.by(() => this.record?.run.startedMs ?? 0);
  /**
   * Whether there is anything to draw. Without a run only from the second reading on: rates need two, and their charts would
   * move those that appear with the first.
   */
  readonly hasData: boolean = $derived.by(() => {
    void this.sampleVersion;
    const { firstTimeMs, lastTimeMs } = this.samples;
    if (firstTimeMs === undefined || lastTimeMs === undefined) return false;
    return this.record !== undefined || lastTimeMs - firstTimeMs > usualStepMs / 2;
  });
  /** Crosshair position, Unix ms. */
  readonly cursorMs: number | undefined = $derived.by(() => {
    const { cursorMs } = this.axis;
    return cursorMs === undefined ? undefined : this.startedMs + cursorMs;
  });

  constructor(engine: WindowClient, session: Session, notices: Notices) {
    this.#session = session;
    this.opened = new OpenedRun(engine, (error) => notices.problem(error));
    this.notes = new Notes(engine, notices, () => this.record);
    // Its own stream is played, and recorded in it.
    session.onRunStart = () => (this.played = undefined);
  }

  get axis(): TimeAxis {
    return this.record?.axis ?? this.#session.watchedAxis;
  }

  /** Displays the run of this session again. */
  showSession(): void {
    this.opened.close();
    this.played = undefined;
  }

  /** Displays a saved run; returns whether it could be opened. */
  async open(run: string): Promise<boolean> {
    if (this.#session.record?.run.id !== run) return this.opened.open(run);
    this.opened.close();
    return true;
  }

  /** Displays an anonymized copy beside its original; returns whether both could be opened. */
  async openBeside(original: string, copy: string): Promise<boolean> {
    const known = this.record?.run.id === original ? this.record : undefined;
    return this.opened.openBeside(known ?? original, copy);
  }

  /** Closes the copy: its original stays. */
  closeCopy(): void {
    const { pair } = this.opened;
    this.opened.showSide('original');
    this.opened.pair = undefined;
    if (pair?.original === this.#session.record) this.opened.close();
  }

  /** Closes the displayed run. */
  close(): void {
    if (this.opened.record) this.opened.close();
    else this.#session.closeRun();
  }

  /** Moves the crosshair of all charts to a time. */
  jumpTo(timeMs: number): void {
    this.axis.jumpTo(timeMs - this.startedMs);
  }

  /**
   * Moves the crosshair of what is watched to a time, also while its charts are not shown: they keep the axis current
   * otherwise. Returns whether anything of that time was recorded.
   */
  jumpToWatched(timeMs: number, nowMs: number): boolean {
    const { firstTimeMs } = this.samples;
    if (this.record || firstTimeMs === undefined || timeMs < firstTimeMs) return false;
    this.axis.firstMs = firstTimeMs;
    this.axis.nowMs = Math.max(this.axis.nowMs, Math.floor(nowMs / 1000) * 1000);
    this.axis.jumpTo(timeMs);
    return true;
  }

  /** The records of a run that is displayed, or would be once the other is closed. */
  recordsOf(run: string): RunRecord[] {
    return [this.#session.record, this.opened.record].flatMap((record) => (record?.run.id === run ? [record] : []));
  }
}

function firstStream(nodes: readonly NodeView[]): { node: NodeView; stream: StreamView } | undefined {
  const node = nodes.find(({ role, state, streams }) => role === 'origin' && state === 'live' && streams.length > 0);
  const stream = node?.streams.find(hasPublisher) ?? node?.streams[0];
  return node && stream && { node, stream };
}

/** An anonymized copy and the run that it was made of, to check it. */
interface CopyPair {
  readonly original: RunRecord;
  readonly copy: RunRecord;
}

/** An opened saved run; read only. */
class OpenedRun {
  record = $state.raw<RunRecord>();
  /** Set while a copy is displayed beside its original: `record` is one of both. */
  pair = $state.raw<CopyPair>();
  isLoading = $state(false);
  readonly #engine: WindowClient;
  readonly #onProblem: (error: unknown) => void;

  constructor(engine: WindowClient, onProblem: (error: unknown) => void) {
    this.#engine = engine;
    this.#onProblem = onProblem;
  }

  /** Returns whether it could be opened; reports a problem. */
  async open(run: string): Promise<boolean> {
    const record = await this.#read(run, (first) => {
      this.pair = undefined;
      this.record = first;
    });
    return record !== undefined;
  }

  /** Opens a copy beside its original, which may be displayed already. */
  async openBeside(original: string | RunRecord, copy: string): Promise<boolean> {
    const first = typeof original === 'string' ? await this.#read(original) : original;
    const second = first && (await this.#read(copy));
    if (!first || !second) return false;
    this.pair = { original: first, copy: second };
    this.record = second;
    return true;
  }

  /** Displays the copy or the original, with the same range and crosshair. */
  showSide(side: keyof CopyPair): void {
    const { pair, record } = this;
    if (!pair || !record || pair[side] === record) return;
    const { span, zoom, live, cursorMs } = record.axis;
    Object.assign(pair[side].axis, { span, zoom, live, cursorMs });
    this.record = pair[side];
  }

  close(): void {
    this.record = undefined;
    this.pair = undefined;
  }

  /** Reports a problem; `onFirst` is called once there is something to show. */
  async #read(run: string, onFirst?: (record: RunRecord) => void): Promise<RunRecord | undefined> {
    this.isLoading = true;
    try {
      const { run: view, events, stills, isForeign } = await this.#engine.call('runs.open', { run });
      const record = new RunRecord(view, events, stills, isForeign);
      await record.read(this.#engine, view.endedMs ?? Date.now(), false, () => onFirst?.(record));
      onFirst?.(record);
      return record;
    } catch (error) {
      this.#onProblem(error);
      return undefined;
    } finally {
      this.isLoading = false;
    }
  }
}
