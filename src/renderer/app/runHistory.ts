import type { OverviewBatch } from '../../contract/schemas';
import type { RunView } from '../../domain/model/run';
import type { SampleBatch, SeriesId } from '../../domain/series/series';
import type { ChartsInView } from '../charts/chartGridProps';
import { detailOf, type DetailRange } from '../charts/detailCache';
import type { SampleStore } from '../charts/sampleStore';
import type { WindowClient } from '../client/connection';

/** Steps of the overview of a run: about the pixel columns of a chart in the grid. */
const overviewColumns = 480;
/** Steps up to this factor wider than a pixel column are fine enough. */
const wideEnough = 2;
/** Debounce of a zoom before its detail is read; longer for a crosshair. */
const restMs = 80;
const cursorRestMs = 150;
/** Range around a crosshair in which every sample is read. */
const cursorMs = 60_000;
const minDetailMs = 120_000;
/** After an attempt to replace the older part by an overview, successful or not. */
const coarsenAgainMs = 60_000;

/** What is recorded, in the engine: of a run, or of all that is watched. */
export interface HistorySource {
  readonly startedMs: number;
  /** Reads where it starts now, if older data is deleted. */
  readonly refresh?: () => Promise<void>;
  /** Up to when it is recorded already, if more follows. */
  readonly recordedMs: number;
  /** Max length with every sample present; of what is longer and live, at least the newer part is. */
  readonly wholeMs: number;
  readonly newestMs: number;
  /** Both continue with `nextMs`. */
  samples(range: { fromMs: number; toMs: number }): Promise<{ batch: SampleBatch; nextMs: number | null }>;
  overview(question: { fromMs: number; toMs: number; columns: number; series?: SeriesId[] }): Promise<OverviewBatch>;
}

const minuteMs = 60_000;

export function sourceOfRun(
  engine: WindowClient,
  { id: run, startedMs, figures }: Pick<RunView, 'id' | 'startedMs' | 'figures'>,
): HistorySource {
  return {
    ...{ startedMs, recordedMs: figures.timeMs, wholeMs: 75 * minuteMs, newestMs: 45 * minuteMs },
    samples: (range) => engine.call('runs.samples', { run, ...range }),
    overview: (question) => engine.call('runs.overview', { run, ...question }),
  };
}

/** All nodes and all of their series: less of it is present sample by sample. */
export function sourceOfWatched(engine: WindowClient, firstMs: number): HistorySource {
  let startedMs = firstMs;
  return {
    get startedMs() {
      return startedMs;
    },
    refresh: async () => {
      startedMs = (await engine.call('watch.state', {})).fromMs ?? startedMs;
    },
    ...{ recordedMs: Infinity, wholeMs: 20 * minuteMs, newestMs: 10 * minuteMs },
    samples: (range) => engine.call('watch.samples', range),
    overview: (question) => engine.call('watch.overview', question),
  };
}

/**
 * Loads recorded samples from the engine on demand: all of a short one; of a long one an overview, which is quick
 * at any length, and details of the visible range and its neighbours. The older part of a long live run is replaced by
 * an overview, to limit memory.
 */
export class RunHistory {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #cursorTimer: ReturnType<typeof setTimeout> | undefined;
  /** Counts views: responses to older queries are ignored. */
  #requests = 0;
  #isCoarsening = false;
  /** After a failure the next attempt waits. */
  #coarsenAtMs = -Infinity;
  /** The detail that is being read. */
  #reading: (DetailRange & { readonly series: ReadonlySet<SeriesId> }) | undefined;

  constructor(
    private readonly source: HistorySource,
    private readonly store: SampleStore,
    private readonly isLive: boolean,
    private readonly onChange: () => void,
  ) {}

  /** Rejects with the engine's sentence. */
  async read(toMs: number, onFirst: () => void = () => undefined): Promise<void> {
    const { startedMs, recordedMs, wholeMs, newestMs } = this.source;
    const lastMs = this.isLive ? Math.min(toMs, recordedMs) : toMs;
    if (lastMs - startedMs <= wholeMs) return this.#readSamples(startedMs, toMs, onFirst);
    const untilMs = this.isLive ? toMs - newestMs : toMs;
    const parts: OverviewBatch[] = [];
    for await (const part of this.#overview(startedMs, untilMs, overviewColumns)) {
      parts.push(part);
      this.store.setOverview(parts, this.isLive ? untilMs : Infinity);
      this.onChange();
      onFirst();
    }
    if (this.isLive) await this.#readSamples(untilMs, toMs, onFirst);
  }

  /** The visible range: read in detail once it rests. */
  look(view: ChartsInView): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#cursorTimer);
    if (this.store.sparseBeforeMs === -Infinity) return;
    if (!this.#isBeingRead(view)) {
      this.#requests += 1;
      this.#timer = setTimeout(() => void this.#readInView(view), restMs);
    }
    if (view.cursorMs !== undefined) this.#cursorTimer = setTimeout(() => void this.#readAround(view), cursorRestMs);
  }

  /** New samples of a live run: once it is long, its older part becomes an overview. */
  grew(): void {
    const { firstTimeMs = 0, lastTimeMs = 0, sparseBeforeMs } = this.store;
    const { wholeMs, newestMs } = this.source;
    const since = sparseBeforeMs === -Infinity ? firstTimeMs : sparseBeforeMs;
    if (!this.isLive || this.#isCoarsening || lastTimeMs - since <= wholeMs || lastTimeMs < this.#coarsenAtMs) return;
    this.#coarsenAtMs = lastTimeMs + coarsenAgainMs;
    this.#isCoarsening = true;
    void this.#coarsen(lastTimeMs - newestMs).finally(() => (this.#isCoarsening = false));
  }

  async #coarsen(untilMs: number): Promise<void> {
    const parts: OverviewBatch[] = [];
    try {
      await this.source.refresh?.();
      for await (const part of this.#overview(this.source.startedMs, untilMs, overviewColumns)) parts.push(part);
    } catch {
      // The run ended, or its file is unreadable now: keep the samples and retry with the next ones.
      return;
    }
    this.store.setOverview(parts, untilMs);
    if (this.source.refresh) this.store.startsAt(this.source.startedMs);
    this.onChange();
  }

  async #readSamples(fromMs: number, toMs: number, onFirst: () => void): Promise<void> {
    for (let next: number | null = fromMs; next !== null;) {
      const answer: { batch: SampleBatch; nextMs: number | null } = await this.source.samples({ fromMs: next, toMs });
      this.store.append(answer.batch);
      this.onChange();
      onFirst();
      next = answer.nextMs;
    }
  }

  async *#overview(
    fromMs: number,
    toMs: number,
    columns: number,
    series?: readonly SeriesId[],
  ): AsyncGenerator<OverviewBatch> {
    const columnMs = (toMs - fromMs) / columns;
    for (let next: number | null = fromMs; next !== null && next < toMs;) {
      const part: OverviewBatch = await this.source.overview({
        fromMs: next,
        toMs,
        columns: Math.max(1, Math.round((toMs - next) / columnMs)),
        ...(series && { series: [...series] }),
      });
      yield part;
      next = part.nextMs;
    }
  }

  /** Reads the visible range and its neighbours, unless the present data is as fine as the screen. */
  async #readInView({ fromMs, toMs, columns, series }: ChartsInView): Promise<void> {
    const lengthMs = toMs - fromMs;
    const columnMs = lengthMs / Math.max(1, columns);
    // Its neighbours too, in advance.
    const air = Math.min(lengthMs / 4, minDetailMs);
    if (this.#isFine(series, fromMs - air, toMs + air, columnMs)) return;
    const margin = Math.max(lengthMs, (minDetailMs - lengthMs) / 2);
    await this.#detail(fromMs - margin, toMs + margin, columnMs, series);
  }

  async #readAround({ cursorMs: atMs = 0, series }: ChartsInView): Promise<void> {
    if (this.#isFine(series, atMs - this.store.stepMs, atMs + this.store.stepMs, 0)) return;
    await this.#detail(atMs - cursorMs, atMs + cursorMs, 0, series);
  }

  /** Whether the detail of this view is on its way. */
  #isBeingRead({ fromMs, toMs, columns, series }: ChartsInView): boolean {
    const reading = this.#reading;
    return (
      reading !== undefined &&
      reading.fromMs <= Math.max(fromMs, this.source.startedMs) &&
      reading.toMs >= toMs &&
      reading.columnMs <= (toMs - fromMs) / Math.max(1, columns) &&
      series.every((each) => reading.series.has(each))
    );
  }

  #isFine(series: readonly SeriesId[], fromMs: number, toMs: number, columnMs: number): boolean {
    const from = Math.max(fromMs, this.source.startedMs);
    const to = Math.min(toMs, this.store.lastTimeMs ?? toMs);
    if (this.store.hasDetail(series, { fromMs: from, toMs: Math.max(from, to), columnMs }, this.source.wholeMs))
      return true;
    const coarseMs = this.store.coarseMs(series, from, Math.max(from, to));
    return coarseMs <= Math.max(this.store.stepMs, wideEnough * columnMs);
  }

  async #detail(
    wantedFromMs: number,
    wantedToMs: number,
    columnMs: number,
    series: readonly SeriesId[],
  ): Promise<void> {
    const request = this.#requests;
    // What is measured meanwhile belongs to it.
    const grows = this.isLive && wantedToMs > (this.store.lastTimeMs ?? Infinity);
    const fromMs = Math.max(Math.floor(wantedFromMs), this.source.startedMs);
    const toMs = Math.min(Math.ceil(wantedToMs), (this.store.lastTimeMs ?? wantedToMs) + 1);
    if (toMs <= fromMs) return;
    const columns = Math.min(20_000, Math.max(1, Math.ceil((toMs - fromMs) / Math.max(columnMs, 1000))));
    const parts: OverviewBatch[] = [];
    const reading = { fromMs, toMs: grows ? Infinity : toMs, columnMs, series: new Set(series) };
    this.#reading = reading;
    try {
      for await (const part of this.#overview(fromMs, toMs, columns, series)) {
        // The view has changed meanwhile.
        if (request !== this.#requests) return;
        parts.push(part);
      }
    } catch {
      // The overview stays; the cause is reported when the run is opened or exported.
      return;
    } finally {
      if (this.#reading === reading) this.#reading = undefined;
    }
    // Clamp to the run.
    const isFirst = fromMs <= this.source.startedMs;
    const isLast = !this.isLive && toMs > (this.store.lastTimeMs ?? Infinity);
    const range = { fromMs: isFirst ? -Infinity : fromMs, toMs: grows || isLast ? Infinity : toMs, columnMs };
    this.store.addDetail(detailOf(parts, { ...range, readToMs: isLast ? Infinity : toMs }, series));
    this.onChange();
  }
}
