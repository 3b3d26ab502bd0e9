import { dirname, join } from 'node:path';
import { FullhouseError } from '../../../contract/calls';
import type { RunId, RunSummary, RunView } from '../../../domain/model/run';
import { inTime, systemClock, type Clock } from '../../base/clock';
import { log } from '../../base/log';
import type { EngineInfo, RunRecorder, RunRecording, UserDataChanges } from '../../store';
import { fileExtension } from '../../store/id';
import type { ReaderProcess, StartReader } from '../startReader';
import { Recording } from './recording';
import { DiskSilent } from './silence';
import type { WriterProcess } from './writerProcess';

export interface RecorderOptions {
  /** The folder of runs; without one nothing is recorded. */
  readonly folder: string | undefined;
  /** Folder of the app, the first fallback for a run's file that can't be written any more. */
  readonly dataFolder?: string | undefined;
  /** Files stay in the folder: what can't be written waits in memory. */
  readonly staysInFolder?: boolean;
  readonly startWriter: StartReader;
  /** Default: the system's. */
  readonly clock?: Clock;
  readonly onProblem: (run: RunId, sentence: string) => void;
}

/** An ended process that still runs by then waits for a disk. */
const endsWithinMs = 1500;

/** Records the runs of this console, each by a process of its own. */
export class Recorder implements RunRecorder {
  private readonly recordings = new Map<RunId, Recording>();
  private readonly moved = new Map<RunId, string>();
  /** Processes that were given up while they waited for the disk of the folder. */
  private silent: WriterProcess[] = [];
  /** The ends of the running processes. */
  private readonly running = new Set<Promise<void>>();
  private isHurried = false;

  private readonly clock: Clock;

  constructor(private readonly options: RecorderOptions) {
    this.clock = options.clock ?? systemClock;
  }

  get folder(): string {
    return this.options.folder ?? '';
  }

  get elsewhere(): Readonly<Record<RunId, string>> {
    return Object.fromEntries(this.moved);
  }

  path(id: RunId): string {
    return this.moved.get(id) ?? join(this.folder, `${id}${fileExtension}`);
  }

  async create(view: RunView, engine: EngineInfo, signal?: AbortSignal): Promise<RunRecording> {
    const { folder, dataFolder, staysInFolder, onProblem } = this.options;
    if (folder === undefined)
      throw new FullhouseError('no-library', 'No folder of runs is open; start with one to record or read runs.');
    const recording = await Recording.create(
      view,
      {
        ...{ folder, dataFolder, staysInFolder, engine, startWriter: () => this.startWriter() },
        clock: this.clock,
        tell: (sentence) => onProblem(view.id, sentence),
        onMoved: (path) => {
          log.debug(`Run file of ${view.id} moved to ${path}.`);
          this.moved.set(view.id, path);
        },
        onClosed: () => {
          log.debug(`Run file ${this.path(view.id)} closed.`);
          this.recordings.delete(view.id);
        },
        onSilent: (process) => void this.silent.push(process),
      },
      signal,
    );
    log.debug(`Run file ${this.path(view.id)} created.`);
    this.recordings.set(view.id, recording);
    if (this.isHurried) recording.hurry();
    return recording;
  }

  isRecorded(id: RunId): boolean {
    return this.recordings.has(id);
  }

  get isSilent(): boolean {
    return [...this.recordings.values()].some(({ isSilent }) => isSilent);
  }

  summary(id: RunId): RunSummary {
    return this.recording(id).summary();
  }

  unsavedMs(id: RunId): number {
    return this.recording(id).unsavedMs;
  }

  bytes(id: RunId): number {
    return this.recording(id).bytes;
  }

  rename(id: RunId, name: string): Promise<RunSummary> {
    return this.recording(id).rename(name);
  }

  keep(id: RunId, changes: UserDataChanges): Promise<RunSummary> {
    return this.recording(id).keep(changes);
  }

  async settle(run?: RunId): Promise<string | undefined> {
    const { folder } = this.options;
    this.silent = this.silent.filter(({ hasExited }) => !hasExited);
    if (folder !== undefined && this.silent.length > 0) {
      const path = run === undefined ? undefined : this.moved.get(run);
      if (path === undefined) throw new DiskSilent(folder);
      return dirname(path);
    }
    await Promise.all([...this.recordings.values()].map((recording) => recording.settle()));
    return undefined;
  }

  hurry(): void {
    this.isHurried = true;
    for (const recording of this.recordings.values()) recording.hurry();
  }

  async close(): Promise<void> {
    for (const recording of this.recordings.values()) recording.close();
    this.recordings.clear();
    await inTime(this.clock, Promise.all(this.running), endsWithinMs);
  }

  /** Starts a process, and knows until when it runs. */
  private startWriter(): ReaderProcess {
    const process = this.options.startWriter();
    const exited = new Promise<void>((resolve) => process.onExit(() => resolve()));
    this.running.add(exited);
    void exited.then(() => this.running.delete(exited));
    return process;
  }

  private recording(id: RunId): Recording {
    const recording = this.recordings.get(id);
    if (!recording) throw new FullhouseError('no-run', `Run ${id} is not being recorded.`);
    return recording;
  }
}
