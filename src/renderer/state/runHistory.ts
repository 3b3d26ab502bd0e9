import type { OverviewBatch } from '../../contract/schemas';
import type { RunView } from '../../domain/run';
import type { SampleBatch, SeriesId } from '../../domain/series';
import type { ChartsInView } from '../charts/chartGridProps';
import { detailOf } from '../charts/details';
import type { SampleStore } from '../charts/sampleStore';
import type { Engine } from './connection';

/** A run as long as this is here sample by sample; of a longer one that goes on, at least the newer part of it is. */
const wholeMs = 75 * 60_000;
const newestMs = 45 * 60_000;
/** Steps of the overview of a whole run: about the pixel columns of a chart in the grid. */
const overviewColumns = 480;
/** Steps that are up to this much wider than a pixel column show what it could show. */
const wideEnough = 2;
/** Time that a zoom rests before it is read in detail; a crosshair rests longer. */
const restMs = 80;
const cursorRestMs = 150;
/** Around a crosshair every sample is read of this. */
const cursorMs = 60_000;
const leastDetailMs = 120_000;

/**
 * Gets the samples of a run from the engine as they are needed: all of a short one; of a long one an overview, which is there at once
 * however long it was, and details of what is looked at, with its neighbours. Of a run under way that grows long, what is older is
 * changed into an overview, so that the window stays as small as on the first hour.
 */
export class RunHistory {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #cursorTimer: ReturnType<typeof setTimeout> | undefined;
  /** Counts what was looked at: an answer to an older question is not waited for any more. */
  #asked = 0;
  #isCoarsening = false;

  constructor(
    private readonly engine: Engine,
    private readonly run: Pick<RunView, 'id' | 'startedMs' | 'figures'>,
    private readonly store: SampleStore,
    private readonly isLive: boolean,
    private readonly onChange: () => void,
  ) {}

  /** Rejects with the engine's sentence. */
  async read(toMs: number, onFirst: () => void = () => undefined): Promise<void> {
    const { startedMs, figures } = this.run;
    const lastMs = this.isLive ? Math.min(toMs, figures.timeMs) : toMs;
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

  /** What charts show now: read in detail when it has rested. */
  look(view: ChartsInView): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#cursorTimer);
    if (this.store.sparseBeforeMs === -Infinity) return;
    this.#asked += 1;
    this.#timer = setTimeout(() => void this.#readInView(view), restMs);
    if (view.cursorMs !== undefined)
      this.#cursorTimer = setTimeout(() => void this.#readAround(view), cursorRestMs);
  }

  /** More came of a run under way: when it has become long, its older part becomes an overview. */
  grew(): void {
    const { firstTimeMs = 0, lastTimeMs = 0, sparseBeforeMs } = this.store;
    const since = sparseBeforeMs === -Infinity ? firstTimeMs : sparseBeforeMs;
    if (!this.isLive || this.#isCoarsening || lastTimeMs - since <= wholeMs) return;
    this.#isCoarsening = true;
    void this.#coarsen(lastTimeMs - newestMs).finally(() => (this.#isCoarsening = false));
  }

  async #coarsen(untilMs: number): Promise<void> {
    const parts: OverviewBatch[] = [];
    try {
      for await (const part of this.#overview(this.run.startedMs, untilMs, overviewColumns)) parts.push(part);
    } catch {
      // The run ended, or its file can't be read just now: the samples stay as they are, and it is tried again with the next ones.
      return;
    }
    this.store.setOverview(parts, untilMs);
    this.onChange();
  }

  async #readSamples(fromMs: number, toMs: number, onFirst: () => void): Promise<void> {
    for (let next: number | null = fromMs; next !== null;) {
      const answer: { batch: SampleBatch; nextMs: number | null } = await this.engine.call('runs.samples', {
        run: this.run.id,
        fromMs: next,
        toMs,
      });
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
      const part: OverviewBatch = await this.engine.call('runs.overview', {
        run: this.run.id,
        fromMs: next,
        toMs,
        columns: Math.max(1, Math.round((toMs - next) / columnMs)),
        ...(series && { series: [...series] }),
      });
      yield part;
      next = part.nextMs;
    }
  }

  /** Reads the stretch in view with as much on either side of it, unless what is here is as fine as a screen can show. */
  async #readInView({ fromMs, toMs, columns, series }: ChartsInView): Promise<void> {
    const lengthMs = toMs - fromMs;
    const columnMs = lengthMs / Math.max(1, columns);
    // Its neighbours too, before anybody gets there.
    const air = Math.min(lengthMs / 4, leastDetailMs);
    if (this.#isFine(series, fromMs - air, toMs + air, columnMs)) return;
    const margin = Math.max(lengthMs, (leastDetailMs - lengthMs) / 2);
    await this.#detail(fromMs - margin, toMs + margin, columnMs, series);
  }

  async #readAround({ cursorMs: atMs = 0, series }: ChartsInView): Promise<void> {
    if (this.#isFine(series, atMs - this.store.stepMs, atMs + this.store.stepMs, 0)) return;
    await this.#detail(atMs - cursorMs, atMs + cursorMs, 0, series);
  }

  #isFine(series: readonly SeriesId[], fromMs: number, toMs: number, columnMs: number): boolean {
    const from = Math.max(fromMs, this.run.startedMs);
    const to = Math.min(toMs, this.store.lastTimeMs ?? toMs);
    const coarseMs = this.store.coarseMs(series, from, Math.max(from, to));
    return coarseMs <= Math.max(this.store.stepMs, wideEnough * columnMs);
  }

  async #detail(
    wantedFromMs: number,
    wantedToMs: number,
    columnMs: number,
    series: readonly SeriesId[],
  ): Promise<void> {
    const asked = this.#asked;
    const fromMs = Math.max(Math.floor(wantedFromMs), this.run.startedMs);
    const toMs = Math.min(Math.ceil(wantedToMs), (this.store.lastTimeMs ?? wantedToMs) + 1);
    if (toMs <= fromMs) return;
    const columns = Math.min(20_000, Math.max(1, Math.ceil((toMs - fromMs) / Math.max(columnMs, 1000))));
    const parts: OverviewBatch[] = [];
    try {
      for await (const part of this.#overview(fromMs, toMs, columns, series)) {
        // Somebody looks at something else by now.
        if (asked !== this.#asked) return;
        parts.push(part);
      }
    } catch {
      // The overview stays on the screen; what made it fail is said where the run is opened or exported.
      return;
    }
    // The ends of the run are the ends of what there is to know.
    const isFirst = fromMs <= this.run.startedMs;
    const isLast = !this.isLive && toMs > (this.store.lastTimeMs ?? Infinity);
    this.store.addDetail(detailOf(parts, isFirst ? -Infinity : fromMs, isLast ? Infinity : toMs, series));
    this.onChange();
  }
}
