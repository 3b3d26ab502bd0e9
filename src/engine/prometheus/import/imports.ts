import { FullhouseError } from '../../../contract/calls';
import type { ImportProgress, RangeRequest } from '../../../contract/prometheusCalls';
import type { ImportedRange, TimeSpan } from '../../../domain/model/imported';
import { timestampsOf, maxTimestamps, stepThatFits } from '../../../domain/plan/importPlan';
import { seriesDefinition } from '../../../domain/series/series';
import { writeDuration } from '../../../domain/plan/quantity';
import type { Clock } from '../../base/clock';
import { Emitter } from '../../base/emitter';
import { samplesIn } from '../../base/samples';
import type { RunId } from '../../../domain/model/run';
import type { JobOutput } from '../../savedRuns/jobs';
import type { SavedRuns } from '../../savedRuns/savedRuns';
import type { RunRecorder, RunRecording } from '../../store';
import { newRunId } from '../../store/id';
import type { PrometheusApi } from '../../telemetry/metrics/prometheusApi';
import { openPrometheus, placeOf, type PrometheusAccess } from './openPrometheus';
import { importedView, incomplete } from './importedView';
import { filled, parseOutput, readPiece } from './readInterval';
import { errorText } from '../../../domain/text/errorText';

export interface ImportsOptions {
  readonly recorder: RunRecorder;
  readonly saved: SavedRuns;
  readonly version: string;
  readonly clock: Clock;
  readonly runsChanged: () => void;
  /** Timeout of one query to a Prometheus. */
  readonly timeoutMs?: number;
}

/** What is written, and what is still to be queried. */
interface Work {
  readonly id: string;
  readonly name: string;
  readonly range: ImportedRange;
  readonly api: PrometheusApi;
  readonly signal: AbortSignal;
}

/** Imports of ranges of a Prometheus into the library. */
export class Imports {
  readonly progress = new Emitter<ImportProgress>();
  private readonly running = new Map<string, AbortController>();

  constructor(private readonly options: ImportsOptions) {}

  /**
   * Starts to read a range into a new run. Rejects with a sentence if that is impossible; the result is reported as
   * progress.
   */
  async start(access: PrometheusAccess, request: RangeRequest & { readonly name?: string }): Promise<string> {
    const { fromMs, toMs, stepMs } = request;
    if (toMs <= fromMs) throw new FullhouseError('bad-range', 'import: the range ends before it starts.');
    requireFewTimestamps(request);
    for (const series of Object.keys(request.queries ?? {}))
      if (!seriesDefinition(series))
        throw new FullhouseError(
          'no-series',
          `import: "${series}" is not a series of Fullhouse; a server-specific figure is called server:NAME.`,
        );
    const name =
      request.name?.trim() ||
      `${request.nodes
        .map((node) => node.name)
        .slice(0, 3)
        .join(', ')} by Prometheus`;
    const range: ImportedRange = {
      ...{
        prometheus: request.prometheus,
        user: request.user,
        selfSigned: request.selfSigned,
        queries: request.queries,
      },
      ...{ fromMs, toMs, stepMs, nodes: request.nodes },
      missing: [{ fromMs, toMs }],
    };
    return this.begin(access, newRunId(name, fromMs), name.slice(0, 120), range);
  }

  /** Queries the missing parts of a run again: a new file replaces it, with all data of the old one. */
  async resume(run: string, password: string | undefined): Promise<string> {
    const view = await this.options.saved.call('view', { run });
    const { imported } = view;
    if (!imported || imported.missing.length === 0)
      throw new FullhouseError('nothing-missing', 'This run has no missing data that could be imported.');
    const access = { ...imported, password };
    return this.begin(access, newRunId(view.name, view.startedMs), view.name, imported, run);
  }

  /** Cancels an import; what has been read goes to the trash. */
  cancel(id: string): void {
    this.running.get(id)?.abort();
  }

  /** Cancels all of them, like `cancel`. */
  close(): void {
    for (const each of this.running.values()) each.abort();
  }

  private async begin(
    access: PrometheusAccess,
    id: string,
    name: string,
    range: ImportedRange,
    before?: RunId,
  ): Promise<string> {
    const stop = new AbortController();
    const open = openPrometheus(
      { timeoutMs: this.options.timeoutMs, clock: this.options.clock, ...access },
      stop.signal,
    );
    const { api } = open;
    this.running.set(id, stop);
    const done = (): void => {
      open.close();
      this.running.delete(id);
    };
    try {
      // Before anything is written: that it is a Prometheus, that it allows access, and that it understands the
      // queries.
      await api.time();
      for (const query of Object.values(range.queries ?? {}))
        await api.query(filled(query, range.nodes[0]?.targets[0]?.labels['instance'] ?? ''));
    } catch (error) {
      done();
      throw error;
    }
    const work: Work = { id, name, range, api, signal: stop.signal };
    void this.read(work, before)
      .catch((error: unknown) => this.report(work, { state: 'failed', sentence: errorText(error) }))
      .finally(done);
    return id;
  }

  private async read(work: Work, before: RunId | undefined): Promise<void> {
    const { api, id, name, range, signal } = work;
    const { recorder, version } = this.options;
    const scrapes = await api.scrapeIntervals().catch(() => new Map<string, number>());
    const pieces = range.missing.flatMap((interval) => parseOutput(interval, range.stepMs, range.nodes.length));
    this.report(work, { state: 'reading', pieces: pieces.length });
    const writer = await recorder.create(importedView(id, name, range, true), { version });
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
        await writer.flush();
        samples += found.length;
        missing = missing.slice(1);
        writer.setView(importedView(id, name, { ...range, missing: joined(missing, range.stepMs) }, true));
        this.report(work, {
          state: 'reading',
          pieces: pieces.length,
          done: pieces.length - missing.length,
          samples,
        });
      }
    } catch (error) {
      failure = error;
    }
    const imported: ImportedRange = { ...range, missing: joined(missing, range.stepMs) };
    const why = failure === undefined ? undefined : errorText(failure);
    noteTheEnd(writer, imported, why, this.options.clock.now());
    await writer.finish(importedView(id, name, imported, false, why));
    await this.options.saved.call('compact', { run: id });
    await this.concluded(work, { imported, samples, copied, why, before, isCancelled: signal.aborted });
  }

  /** Reports the outcome, and discards a run without data. */
  private async concluded(
    work: Work,
    end: {
      readonly imported: ImportedRange;
      readonly samples: number;
      /** The number of them that existed before. */
      readonly copied: number;
      readonly why: string | undefined;
      readonly before: RunId | undefined;
      readonly isCancelled: boolean;
    },
  ): Promise<void> {
    const { saved, runsChanged } = this.options;
    const { imported, samples, copied, why, before, isCancelled } = end;
    const isWorthless = before !== undefined ? why !== undefined && samples === copied : samples === 0;
    if (isCancelled || isWorthless) {
      await saved.call('delete', { run: work.id });
      if (isCancelled) return this.report(work, { state: 'cancelled', sentence: 'Cancelled; nothing was saved.' });
      return this.report(work, { state: 'failed', sentence: why ?? nothingThen(imported) });
    }
    if (before !== undefined) await saved.call('delete', { run: before });
    runsChanged();
    this.report(work, {
      ...(why === undefined
        ? { state: 'done' as const }
        : { state: 'incomplete' as const, sentence: incomplete(imported, why) }),
      run: work.id,
      samples,
    });
  }

  private report(work: Work, progress: Omit<ImportProgress, 'id' | 'name'>): void {
    this.progress.emit({ id: work.id, name: work.name, ...progress });
  }
}

function requireFewTimestamps(request: TimeSpan & { readonly stepMs: number }): void {
  const sampleTimes = timestampsOf(request, request.stepMs);
  if (sampleTimes <= maxTimestamps) return;
  const fits = stepThatFits(sampleTimes, maxTimestamps, request.stepMs);
  throw new FullhouseError(
    'too-much',
    `import: that would be ${Math.ceil(sampleTimes / 1e6)} million timestamps, and a run holds max ${maxTimestamps / 1e6} million; use a step of ${writeDuration(fits)} or longer, or a shorter range.`,
  );
}

function nothingThen({ prometheus, fromMs, toMs }: ImportedRange): string {
  const iso = (timeMs: number): string => new Date(timeMs).toISOString();
  return `import: the Prometheus at ${placeOf(prometheus)} has no data of these instances from ${iso(fromMs)} to ${iso(toMs)}.`;
}

/** Adjacent pieces form one interval. */
function joined(pieces: readonly TimeSpan[], stepMs: number): TimeSpan[] {
  const all: TimeSpan[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last && piece.fromMs - last.toMs <= stepMs) all[all.length - 1] = { fromMs: last.fromMs, toMs: piece.toMs };
    else all.push(piece);
  }
  return all;
}

async function copySamples(saved: SavedRuns, from: RunId, to: RunRecording): Promise<number> {
  let copied = 0;
  let fromMs: number | null = 0;
  while (fromMs !== null) {
    const page: JobOutput<'samples'> = await saved.call('samples', {
      run: from,
      fromMs,
      toMs: Number.MAX_SAFE_INTEGER,
    });
    to.append(samplesIn(page.batch));
    await to.flush();
    copied += page.batch.key.length;
    fromMs = page.nextMs;
  }
  return copied;
}

function noteTheEnd(writer: RunRecording, imported: ImportedRange, why: string | undefined, nowMs: number): void {
  const event = (timeMs: number, mark: 'lost' | 'none', sentence: string): void =>
    void writer.event({ timeMs, kind: 'run', mark, who: 'run', sentence });
  event(
    imported.fromMs,
    'none',
    `Imported from the Prometheus at ${placeOf(imported.prometheus)} on ${new Date(nowMs).toISOString().slice(0, 10)}, one value every ${writeDuration(imported.stepMs)}.`,
  );
  for (const interval of imported.missing)
    event(interval.fromMs, 'lost', incomplete({ ...imported, missing: [interval] }, why));
}
