import { FullhouseError } from '../../../contract/calls';
import type { ImportProgress, RangeWish } from '../../../contract/prometheusCalls';
import type { ImportedRange, Stretch } from '../../../domain/imported';
import { momentsOf, mostMoments, stepThatFits } from '../../../domain/importPlan';
import { seriesDefinition } from '../../../domain/series';
import { writeDuration } from '../../../domain/plan/quantity';
import { Emitter } from '../../emitter';
import type { RunId } from '../../../domain/run';
import type { JobOutput } from '../../savedRuns/jobs';
import type { SavedRuns } from '../../savedRuns/savedRuns';
import { newRunId, type RunLibrary, type RunWriter } from '../../store';
import type { PrometheusApi } from '../../telemetry/metrics/prometheusApi';
import { openPrometheus, placeOf, type PrometheusAccess } from './ask';
import { importedView, incomplete } from './importedView';
import { filled, piecesOf, readPiece } from './readStretch';

export interface ImportsOptions {
  readonly library: RunLibrary;
  readonly saved: SavedRuns;
  readonly version: string;
  readonly now: () => number;
  readonly runsChanged: () => void;
  /** For one question to a Prometheus. */
  readonly timeoutMs?: number;
}

/** What is written, and what is still to be asked for. */
interface Work {
  readonly id: string;
  readonly name: string;
  readonly range: ImportedRange;
  readonly api: PrometheusApi;
  readonly signal: AbortSignal;
}

/** Ranges of a Prometheus on their way into the library. */
export class Imports {
  readonly progress = new Emitter<ImportProgress>();
  private readonly underWay = new Map<string, AbortController>();

  constructor(private readonly options: ImportsOptions) {}

  /** Begins to read a range into a new run. Rejects with a sentence where that can't be; what comes of it is told as progress. */
  async start(access: PrometheusAccess, wish: RangeWish & { readonly name?: string }): Promise<string> {
    const { fromMs, toMs, stepMs } = wish;
    if (toMs <= fromMs) throw new FullhouseError('bad-range', 'import: the range ends before it begins.');
    requireFewMoments(wish);
    for (const series of Object.keys(wish.queries ?? {}))
      if (!seriesDefinition(series))
        throw new FullhouseError(
          'no-series',
          `import: "${series}" is no series of Fullhouse; a figure of the server's own is called server:NAME.`,
        );
    const name =
      wish.name?.trim() ||
      `${wish.nodes
        .map((node) => node.name)
        .slice(0, 3)
        .join(', ')} by Prometheus`;
    const range: ImportedRange = {
      ...{ prometheus: wish.prometheus, user: wish.user, selfSigned: wish.selfSigned, queries: wish.queries },
      ...{ fromMs, toMs, stepMs, nodes: wish.nodes },
      missing: [{ fromMs, toMs }],
    };
    return this.begin(access, newRunId(name, fromMs), name.slice(0, 120), range);
  }

  /** Asks again for what is missing of a run: a new file takes its place, with all that the old one has. */
  async resume(run: string, password: string | undefined): Promise<string> {
    const view = await this.options.saved.call('view', { run });
    const { imported } = view;
    if (!imported || imported.missing.length === 0)
      throw new FullhouseError('nothing-missing', 'Nothing is missing of this run that could be asked for.');
    const access = { ...imported, password };
    return this.begin(access, newRunId(view.name, view.startedMs), view.name, imported, run);
  }

  /** Ends an import; what has been read goes to the trash. */
  cancel(id: string): void {
    this.underWay.get(id)?.abort();
  }

  /** Ends all of them, as `cancel` does. */
  close(): void {
    for (const each of this.underWay.values()) each.abort();
  }

  private async begin(
    access: PrometheusAccess,
    id: string,
    name: string,
    range: ImportedRange,
    before?: RunId,
  ): Promise<string> {
    const stop = new AbortController();
    const open = openPrometheus({ timeoutMs: this.options.timeoutMs, ...access }, stop.signal);
    const { api } = open;
    this.underWay.set(id, stop);
    const done = (): void => {
      open.close();
      this.underWay.delete(id);
    };
    try {
      // Before anything is written: that it is a Prometheus, that it lets us in, and that it understands what it will be asked.
      await api.time();
      for (const query of Object.values(range.queries ?? {}))
        await api.query(filled(query, range.nodes[0]?.targets[0]?.labels['instance'] ?? ''));
    } catch (error) {
      done();
      throw error;
    }
    const work: Work = { id, name, range, api, signal: stop.signal };
    void this.read(work, before)
      .catch((error: unknown) => this.tell(work, { state: 'failed', sentence: sentenceOf(error) }))
      .finally(done);
    return id;
  }

  private async read(work: Work, before: RunId | undefined): Promise<void> {
    const { api, id, name, range, signal } = work;
    const { library, version } = this.options;
    const scrapes = await api.scrapeIntervals().catch(() => new Map<string, number>());
    const pieces = range.missing.flatMap((stretch) => piecesOf(stretch, range.stepMs, range.nodes.length));
    this.tell(work, { state: 'reading', pieces: pieces.length });
    const writer = library.create(importedView(id, name, range, true), { version });
    let copied = 0;
    let samples = 0;
    let failure: unknown;
    let missing = pieces;
    try {
      if (before !== undefined) samples = copied = await copySamples(this.options.saved, before, writer);
      for (const piece of pieces) {
        const found = await readPiece(api, range, piece, scrapes, signal);
        if (signal.aborted) throw new FullhouseError('aborted', 'Cancelled.');
        writer.append(found);
        writer.flush();
        samples += found.length;
        missing = missing.slice(1);
        writer.setView(importedView(id, name, { ...range, missing: joined(missing, range.stepMs) }, true));
        this.tell(work, {
          state: 'reading',
          pieces: pieces.length,
          done: pieces.length - missing.length,
          samples,
        });
      }
    } catch (error) {
      failure = error;
    }
    const came: ImportedRange = { ...range, missing: joined(missing, range.stepMs) };
    const why = failure === undefined ? undefined : sentenceOf(failure);
    noteTheEnd(writer, came, why, this.options.now());
    writer.finish(importedView(id, name, came, false, why));
    await this.options.saved.call('compact', { run: id });
    this.concluded(work, { came, samples, copied, why, before, isCancelled: signal.aborted });
  }

  /** Says what came of it, and keeps no run that is worth nothing. */
  private concluded(
    work: Work,
    end: {
      readonly came: ImportedRange;
      readonly samples: number;
      /** Of these, the ones that were there before. */
      readonly copied: number;
      readonly why: string | undefined;
      readonly before: RunId | undefined;
      readonly isCancelled: boolean;
    },
  ): void {
    const { library, runsChanged } = this.options;
    const { came, samples, copied, why, before, isCancelled } = end;
    const isWorthless = before !== undefined ? why !== undefined && samples === copied : samples === 0;
    if (isCancelled || isWorthless) {
      library.delete(work.id);
      if (isCancelled)
        return this.tell(work, { state: 'cancelled', sentence: 'Cancelled; nothing was kept.' });
      return this.tell(work, { state: 'failed', sentence: why ?? nothingThen(came) });
    }
    if (before !== undefined) library.delete(before);
    runsChanged();
    this.tell(work, {
      ...(why === undefined
        ? { state: 'done' as const }
        : { state: 'incomplete' as const, sentence: incomplete(came, why) }),
      run: work.id,
      samples,
    });
  }

  private tell(work: Work, news: Omit<ImportProgress, 'id' | 'name'>): void {
    this.progress.emit({ id: work.id, name: work.name, ...news });
  }
}

function requireFewMoments(wish: Stretch & { readonly stepMs: number }): void {
  const moments = momentsOf(wish, wish.stepMs);
  if (moments <= mostMoments) return;
  const fits = stepThatFits(moments, mostMoments, wish.stepMs);
  throw new FullhouseError(
    'too-much',
    `import: that would be ${Math.ceil(moments / 1e6)} million moments, and a run takes ${mostMoments / 1e6} million; make the step ${writeDuration(fits)} or longer, or the range shorter.`,
  );
}

function nothingThen({ prometheus, fromMs, toMs }: ImportedRange): string {
  const iso = (timeMs: number): string => new Date(timeMs).toISOString();
  return `import: the Prometheus at ${placeOf(prometheus)} kept nothing of these instances from ${iso(fromMs)} to ${iso(toMs)}.`;
}

/** Pieces that follow on each other are one stretch. */
function joined(pieces: readonly Stretch[], stepMs: number): Stretch[] {
  const all: Stretch[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last && piece.fromMs - last.toMs <= stepMs)
      all[all.length - 1] = { fromMs: last.fromMs, toMs: piece.toMs };
    else all.push(piece);
  }
  return all;
}

async function copySamples(saved: SavedRuns, from: RunId, to: RunWriter): Promise<number> {
  let copied = 0;
  let fromMs: number | null = 0;
  while (fromMs !== null) {
    const page: JobOutput<'samples'> = await saved.call('samples', {
      run: from,
      fromMs,
      toMs: Number.MAX_SAFE_INTEGER,
    });
    const { keys, key, timeMs, value } = page.batch;
    to.append(
      key.flatMap((place, row) => {
        const of = keys[place];
        return of ? [{ ...of, timeMs: timeMs[row] ?? 0, value: value[row] ?? 0 }] : [];
      }),
    );
    to.flush();
    copied += key.length;
    fromMs = page.nextMs;
  }
  return copied;
}

function noteTheEnd(writer: RunWriter, came: ImportedRange, why: string | undefined, nowMs: number): void {
  const event = (timeMs: number, mark: 'lost' | 'none', sentence: string): void =>
    void writer.event({ timeMs, kind: 'run', mark, who: 'run', sentence });
  event(
    came.fromMs,
    'none',
    `Imported from the Prometheus at ${placeOf(came.prometheus)} on ${new Date(nowMs).toISOString().slice(0, 10)}, one value every ${writeDuration(came.stepMs)}.`,
  );
  for (const stretch of came.missing)
    event(stretch.fromMs, 'lost', incomplete({ ...came, missing: [stretch] }, why));
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
