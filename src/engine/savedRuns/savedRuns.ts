import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import type { RunId } from '../../domain/model/run';
import type { Clock } from '../base/clock';
import { Emitter } from '../base/emitter';
import { privateTempFolder, type TempFolder } from '../base/tempFolder';
import type { JobInput, JobName, JobOutput } from './jobs';
import { Lane, type LaneLimits } from './lane';
import { Quarantine } from './quarantine';
import type { StartReader } from './startReader';
import { DiskSilent } from './writing/silence';

export interface SavedRunsOptions {
  /** The folder of runs; without one every job is refused. */
  readonly folder: string | undefined;
  readonly startReader: StartReader;
  /**
   * Called before each job, so that recent records are in its file. Rejects when the disk of the folder does not answer;
   * resolves with the folder of `run` if it had to move to another disk.
   */
  readonly beforeJob?: (run?: RunId) => Promise<string | undefined>;
  /** Files of runs in other folders, by id. */
  readonly elsewhere?: () => Readonly<Record<string, string>>;
  /** Default: `quickLimits` and `longLimits`. */
  readonly limits?: LaneLimits;
  /** Default: the system's. */
  readonly clock?: Clock;
}

const quickLimits: LaneLimits = { timeMs: 20_000, memoryMb: 1000 };
const longLimits: LaneLimits = { timeMs: 300_000, memoryMb: 2000 };

/**
 * Jobs that may take long or read several files. They have a separate process, so that the window's own requests do not
 * wait.
 */
const longJobs: ReadonlySet<JobName> = new Set([
  'import',
  'openCopy',
  'export',
  'compare',
  'compareText',
  'exportComparison',
  'estimate',
  'result',
  'previewSnapshot',
  'writeSnapshot',
  'judge',
  'compareWithBaseline',
  'ciSummary',
  'compact',
  'thin',
  'planDigests',
  'codesOfPicture',
]);

/** Jobs that would change a run: lost with a copy that is only opened. */
const changes: ReadonlySet<JobName> = new Set([
  'rename',
  'keep',
  'setBaseline',
  'delete',
  'undelete',
  'writeNote',
  'editNote',
  'removeNote',
]);

/** A job is given up after more than this many files that end the reader. */
const maxCulprits = 100;

/**
 * The saved runs of a folder, read and changed in separate processes with limits on time and memory. A file that ends
 * such a process is quarantined, and the job continues without it.
 */
export class SavedRuns {
  /** A list of many runs is being read: how many of them are. */
  readonly progress = new Emitter<{ readonly done: number; readonly total: number }>();
  private readonly quarantine: Quarantine;
  private readonly markers = privateTempFolder();
  /** A copy that is read beside its original, in a folder of its own: it is no run of the library. */
  private copy: { readonly run: RunId; readonly folder: TempFolder } | undefined;
  private readonly quick: Lane;
  private readonly long: Lane;

  constructor(private readonly options: SavedRunsOptions) {
    const { folder, startReader, limits } = options;
    this.quarantine = new Quarantine(folder);
    const lane = (name: string, usual: LaneLimits): Lane =>
      new Lane(
        startReader,
        limits ?? usual,
        join(this.markers.path, name),
        (done, total) => this.progress.emit({ done, total }),
        options.clock,
      );
    this.quick = lane('quick', quickLimits);
    this.long = lane('long', longLimits);
  }

  /**
   * Rejects with the job's own `FullhouseError`; with `damaged-run` when the run's file ended the reader, and
   * `reader-ended` when the reader ended for another reason.
   */
  async call<N extends JobName>(job: N, input: JobInput<N>): Promise<JobOutput<N>> {
    const isOfCopy = this.copy !== undefined && 'run' in input && input.run === this.copy.run;
    if (isOfCopy && changes.has(job))
      throw new FullhouseError(
        'copy-open',
        'This copy is opened for reading only. Import its file to change it, or change its original.',
      );
    return this.run(job, input, isOfCopy ? this.copy?.folder.path : this.options.folder);
  }

  /** Opens the copy in a file for reading, in place of the one before; returns its id. Rejects like an import. */
  async openCopy(path: string): Promise<RunId> {
    const folder = privateTempFolder();
    const run = `copy-${randomUUID()}`;
    try {
      await this.run('openCopy', { path, as: run }, folder.path);
    } catch (error) {
      folder.remove();
      throw error;
    }
    this.copy?.folder.remove();
    this.copy = { run, folder };
    return run;
  }

  /** The codes of clock pages in a picture: no run, but as untrusted as one. Rejects with a sentence. */
  async codesOfPicture(picture: JobInput<'codesOfPicture'>): Promise<JobOutput<'codesOfPicture'>> {
    return this.run('codesOfPicture', picture, this.markers.path);
  }

  private async run<N extends JobName>(job: N, input: JobInput<N>, folder: string | undefined): Promise<JobOutput<N>> {
    if (folder === undefined)
      throw new FullhouseError('no-library', 'No folder of runs is open; start with one to read runs.');
    const lane = longJobs.has(job) ? this.long : this.quick;
    let cause = '';
    for (let attempt = 0; attempt <= maxCulprits; attempt += 1) {
      const run = 'run' in input ? input.run : undefined;
      const moved = folder === this.options.folder ? await this.options.beforeJob?.(run) : undefined;
      const outcome = await lane.run(() => ({
        ...{ job, folder: moved ?? folder, input, quarantined: this.quarantine.all },
        elsewhere: this.options.elsewhere?.() ?? {},
      }));
      if (outcome.kind === 'result') return outcome.value as JobOutput<N>;
      if (outcome.kind === 'error') throw new FullhouseError(outcome.code, outcome.message);
      if (outcome.kind === 'silent') throw new DiskSilent(moved ?? folder, outcome.waitedMs);
      cause = outcome.cause;
      if (outcome.opened.path === '') break;
      this.quarantine.blame(outcome.opened, cause, outcome.isCertain);
    }
    throw new FullhouseError('reader-ended', `The process that reads run files ended (${cause}); try again.`);
  }

  /** Process ids of the running readers. */
  get pids(): number[] {
    return [this.quick.pid, this.long.pid].filter((pid) => pid !== undefined);
  }

  close(): void {
    this.quick.close();
    this.long.close();
    this.markers.remove();
    this.copy?.folder.remove();
  }
}
