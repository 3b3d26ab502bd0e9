import { dirname } from 'node:path';
import { FullhouseError } from '../../../contract/calls';
import type { ViewerRow } from '../../../contract/viewerSchemas';
import type { RunEvent, RunId, RunSummary, RunView, Still } from '../../../domain/model/run';
import type { Sample } from '../../../domain/series/series';
import { errorText } from '../../../domain/text/errorText';
import { afterReading, every, type Cancel, type Clock } from '../../base/clock';
import type { EngineInfo, NewStill, RunRecording, SavedHistogram, UserDataChanges } from '../../store';
import { SummaryFigures } from '../../store/summary';
import { checkedSamples, keptEvent, keptStill } from '../../store/checkedRecords';
import type { StartReader } from '../startReader';
import { HeldRecords } from './heldRecords';
import type { WriterRequest, WriterRequests, Written } from './messages';
import { DiskSilent, Silence } from './silence';
import { WriterEnded, WriterProcess } from './writerProcess';

const sendEveryMs = 1000;
/** A process that takes longer to start is not waited for. */
const startLimitMs = 60_000;
/** A run does not start on a disk that is slower. */
const createLimitMs = 10_000;
/** The end of a run waits this long for a silent disk, or this long once the user insists. */
const endLimits = { patient: 60_000, hurried: 2000 } as const;
/** A disk that answers has created the file by then, and the run ends in order. */
const cancelGraceMs = 1000;
/** A question or a change of the user is answered by then; a change is made when the disk answers. */
const changeLimitMs = 10_000;
/** A process that ends more often without having written is not started again. */
const maxDeaths = 3;

export interface RecordingOptions {
  readonly startWriter: StartReader;
  readonly folder: string;
  readonly dataFolder: string | undefined;
  readonly staysInFolder?: boolean | undefined;
  readonly engine: EngineInfo;
  readonly tell: (sentence: string) => void;
  readonly clock: Clock;
  readonly onMoved: (path: string) => void;
  readonly onClosed: () => void;
  /** The process still waits for the disk of the folder. */
  readonly onSilent: (process: WriterProcess) => void;
}

/** Records one run: holds what its file does not have, and has another process write it. */
export class Recording implements RunRecording {
  readonly held = new HeldRecords();
  private readonly figures = new SummaryFigures();
  /** All of the run: a file in another folder gets them too. */
  private readonly events: RunEvent[] = [];
  private readonly silence: Silence;
  private writer: WriterProcess;
  private path = '';
  bytes = 0;
  private unsavedSinceMs: number | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private isBusy = false;
  private stopSending: Cancel = () => undefined;
  private deaths = 0;
  private lastStill = 0;
  private givenName: string | undefined;
  private isClosed = false;
  private isHurried = false;
  private isEnding = false;
  private hasToldThinned = false;
  private lastProblem = '';
  /** Why the file lacks data. */
  private incomplete: string | undefined;

  private constructor(
    private current: RunView,
    private readonly options: RecordingOptions,
  ) {
    this.silence = new Silence(
      () => (this.path === '' ? options.folder : dirname(this.path)),
      options.tell,
      options.clock,
    );
    this.writer = this.startWriter();
  }

  /** Creates the file. Rejects with the reason of the folder, or with `disk-silent`. */
  static async create(view: RunView, options: RecordingOptions, signal?: AbortSignal): Promise<Recording> {
    const recording = new Recording(view, options);
    try {
      const { engine } = options;
      const made = recording.writer.request('create', { ...recording.place, view, engine });
      made.catch(() => undefined); // awaited below
      await withinLimit(options.clock, recording.writer.started, startLimitMs, notStarted, signal);
      recording.take(await answered(options.clock, made, createLimitMs, options.folder, signal));
    } catch (error) {
      recording.leave(error);
      if (error instanceof WriterEnded)
        throw new FullhouseError(
          'run-not-written',
          `The process that writes the run ended (${error.message}); try again.`,
        );
      throw error;
    }
    recording.stopSending = every(options.clock, sendEveryMs, () => recording.keepUp(), 'background');
    return recording;
  }

  get id(): RunId {
    return this.current.id;
  }

  append(samples: readonly Sample[]): void {
    this.assertOpen();
    const { good, bad } = checkedSamples(samples);
    // Watched data has no row in the list of runs.
    if (!this.current.watched) for (const sample of good) this.figures.add(sample);
    this.held.addSamples(good);
    if (bad !== undefined) throw new FullhouseError('bad-sample', bad);
  }

  histograms(rows: readonly SavedHistogram[]): void {
    this.assertOpen();
    for (const row of rows) this.held.addHistogram(row);
  }

  event(event: Omit<RunEvent, 'id'>): RunEvent {
    this.assertOpen();
    const savedEvent = keptEvent(event, this.events.length + 1);
    this.events.push(savedEvent);
    this.held.addEvent(savedEvent);
    return savedEvent;
  }

  still(still: NewStill): Still {
    this.assertOpen();
    const id = this.lastStill + 1;
    this.held.addStill({ ...still, id });
    this.lastStill = id;
    return keptStill(still, id);
  }

  setView(view: RunView): void {
    this.assertOpen();
    this.current = { ...view, name: this.givenName ?? view.name };
    this.held.setView(this.current);
  }

  setViewers(rows: readonly ViewerRow[]): void {
    this.assertOpen();
    this.held.addViewers(rows);
  }

  summary(): RunSummary {
    return this.figures.summary(this.current, this.bytes);
  }

  async rename(name: string): Promise<RunSummary> {
    this.assertOpen();
    this.givenName = name;
    this.setView(this.current);
    return this.change('rename', { run: this.id, name });
  }

  keep(changes: UserDataChanges): Promise<RunSummary> {
    return this.change('keep', { run: this.id, changes });
  }

  async flush(): Promise<void> {
    this.assertOpen();
    await this.inTurn(() => this.write('flush'));
  }

  /** Resolves when the file has all, or the disk has refused it; rejects with `disk-silent`. */
  async settle(): Promise<void> {
    if (this.silence.isSilent) throw this.silence.fault();
    const written = this.inTurn(() => this.write('keepUp'));
    await (this.isEnding ? written : answered(this.options.clock, written, changeLimitMs, this.folder));
  }

  async secure(): Promise<string | undefined> {
    this.end();
    try {
      await this.inTurn(() => this.write('secure'));
    } catch (error) {
      this.report(error);
      this.incomplete ??= errorText(error);
    }
    return this.incomplete;
  }

  async finish(view: RunView): Promise<void> {
    this.setView(view);
    this.end();
    await this.inTurn(async () => {
      await this.write('secure');
      await this.untilAnswered(() => this.ask('finish', { view: this.current }));
    });
    this.close();
    this.options.onClosed();
  }

  /** From now on a silent disk is hardly waited for. */
  hurry(): void {
    this.isHurried = true;
    if (this.isEnding) this.end();
  }

  close(): void {
    this.isClosed = true;
    this.stopSending();
    this.writer.kill();
  }

  get pid(): number | undefined {
    return this.writer.pid;
  }

  get isSilent(): boolean {
    return this.silence.isSilent;
  }

  /** How long its disk has taken nothing, ms. */
  get unsavedMs(): number {
    return this.unsavedSinceMs === undefined ? 0 : this.options.clock.monotonic() - this.unsavedSinceMs;
  }

  private get folder(): string {
    return this.path === '' ? this.options.folder : dirname(this.path);
  }

  private get place(): Pick<WriterRequests['create'], 'folder' | 'dataFolder' | 'owner' | 'staysInFolder'> {
    const { folder, dataFolder, staysInFolder } = this.options;
    return { folder, dataFolder, staysInFolder, owner: process.pid };
  }

  private keepUp(): void {
    if (this.isBusy || this.held.isEmpty) {
      this.reportThinned();
      return;
    }
    this.inTurn(() => this.write('keepUp')).catch((error: unknown) => this.report(error));
  }

  private end(): void {
    this.isEnding = true;
    this.silence.limit(this.isHurried ? endLimits.hurried : endLimits.patient);
  }

  private async change<N extends 'rename' | 'keep'>(request: N, input: WriterRequests[N]): Promise<RunSummary> {
    const made = this.inTurn(async () => {
      await this.write('flush');
      return this.untilAnswered(() => this.ask(request, input));
    });
    const { value } = await answered(this.options.clock, made, changeLimitMs, this.folder);
    return value as RunSummary;
  }

  /** One request at a time. */
  private inTurn<T>(act: () => Promise<T>): Promise<T> {
    const next = this.last.then(async () => {
      this.isBusy = true;
      try {
        return await act();
      } finally {
        this.isBusy = false;
      }
    });
    this.last = next.catch(() => undefined);
    return next;
  }

  private async write(how: WriterRequests['write']['how']): Promise<void> {
    // In turn after the end: the file has all.
    while (!this.isClosed) {
      const { isSaved } = await this.untilAnswered(() => this.ask('write', { piece: this.held.take(), how }));
      if (isSaved) {
        this.held.saved();
        this.deaths = 0;
      }
      if (isSaved && !this.held.isEmpty) continue;
      this.silence.answered(isSaved);
      this.unsavedSinceMs = isSaved ? undefined : (this.unsavedSinceMs ?? this.options.clock.monotonic());
      return;
    }
  }

  private async ask<N extends WriterRequest>(request: N, input: WriterRequests[N]): Promise<Written> {
    const written = await this.silence.during(this.writer.request(request, input));
    this.take(written);
    return written;
  }

  /** Again in another process when this one has ended, and in another folder when its disk does not answer. */
  private async untilAnswered(act: () => Promise<Written>): Promise<Written> {
    for (;;)
      try {
        return await act();
      } catch (error) {
        if (!(error instanceof WriterEnded || error instanceof DiskSilent)) throw error;
        this.held.giveBack();
        if (error instanceof DiskSilent) await this.moveElsewhere(error);
        else await this.replace(error);
      }
  }

  private async replace({ message }: WriterEnded): Promise<void> {
    if (this.isClosed) throw new FullhouseError('run-closed', `The run ${this.id} is closed.`);
    this.deaths += 1;
    const failed = `The process that writes the run file ended (${message})`;
    if (this.deaths > maxDeaths) return this.moveElsewhere(new Error(`${failed} ${this.deaths} times.`));
    this.writer = this.startWriter();
    try {
      const resumed = this.writer.request('resume', { ...this.place, view: this.current, path: this.path });
      this.take(await this.silence.during(resumed));
      this.options.tell(`${failed}; another one continues, and no data is lost.`);
    } catch (error) {
      if (error instanceof WriterEnded) return this.replace(error);
      await this.moveElsewhere(error as Error);
    }
  }

  /** A new file in the first folder that takes it, with all that the old one may lack. */
  private async moveElsewhere(cause: Error): Promise<void> {
    this.leave(cause);
    const problems: string[] = [];
    for (let place = 0; ; place += 1) {
      this.writer = this.startWriter();
      try {
        const { engine } = this.options;
        const made = this.writer.request('createElsewhere', { ...this.place, view: this.current, engine, place });
        const limitMs = this.isHurried ? endLimits.hurried : createLimitMs;
        const written = await answered(this.options.clock, made, limitMs, 'another folder');
        this.events.forEach((event) => this.held.addEvent(event));
        this.silence.left();
        this.incomplete = `${cause.message} What was recorded since then is saved to ${written.path}.`;
        this.options.tell(this.incomplete);
        this.take(written);
        return;
      } catch (error) {
        this.writer.kill();
        if (error instanceof FullhouseError && error.code === 'no-folder') break;
        problems.push(errorText(error));
      }
    }
    this.incomplete = cause.message;
    throw new FullhouseError(
      'run-not-written',
      `${cause.message} No other folder can be written: ${problems.join(' ')}`,
    );
  }

  private take({ path, bytes }: Written): void {
    this.bytes = bytes;
    if (this.path !== '' && path !== this.path) this.options.onMoved(path);
    this.path = path;
  }

  private startWriter(): WriterProcess {
    return new WriterProcess(this.options.startWriter, this.options.tell);
  }

  private leave(cause: unknown): void {
    this.writer.kill();
    if (cause instanceof DiskSilent) this.options.onSilent(this.writer);
  }

  private report(error: unknown): void {
    const problem = errorText(error);
    if (problem !== this.lastProblem) this.options.tell(problem);
    this.lastProblem = problem;
  }

  private reportThinned(): void {
    if (this.hasToldThinned || !this.silence.isSilent || this.held.thinned === 0) return;
    this.hasToldThinned = true;
    this.options.tell('Too many samples are pending in memory: every second one of the oldest is dropped.');
  }

  private assertOpen(): void {
    if (this.isClosed)
      throw new FullhouseError('run-closed', `The run ${this.id} has ended; nothing can be added to it.`);
  }
}

const notStarted = (): FullhouseError =>
  new FullhouseError(
    'run-not-written',
    `The process that writes the run has not started within ${startLimitMs / 1000} s: this machine is too busy. End other programs on it and try again.`,
  );

/** Resolves as `answer`; rejects with `disk-silent` when it takes too long, or when it is cancelled. */
const answered = <T>(
  clock: Clock,
  answer: Promise<T>,
  limitMs: number,
  folder: string,
  signal?: AbortSignal,
): Promise<T> => withinLimit(clock, answer, limitMs, () => new DiskSilent(folder, limitMs), signal);

/** Resolves as `answer`; rejects with a fault when it takes too long, or when it is cancelled. */
async function withinLimit<T>(
  clock: Clock,
  answer: Promise<T>,
  limitMs: number,
  fault: () => Error,
  signal?: AbortSignal,
): Promise<T> {
  let cancel: Cancel = () => undefined;
  const other = new Promise<never>((_, reject) => {
    cancel = afterReading(clock, limitMs, () => reject(fault()));
    const stop = (): void =>
      void clock.after(cancelGraceMs, () => reject(new FullhouseError('stopped', 'Stopped before the run started.')));
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([answer, other]);
  } finally {
    cancel();
  }
}
