import { join } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import { privateTempFolder } from '../tempFolder';
import type { JobInput, JobName, JobOutput } from './jobs';
import { Lane, type LaneLimits } from './lane';
import { Quarantine } from './quarantine';
import type { StartReader } from './startReader';

export interface SavedRunsOptions {
  /** The folder of runs; without one every job is refused. */
  readonly folder: string | undefined;
  readonly startReader: StartReader;
  /** Called before each job, so that what was just recorded is in its file. */
  readonly beforeJob?: () => void;
  /** Files of runs that lie in another folder, by their ids. */
  readonly elsewhere?: () => Readonly<Record<string, string>>;
  /** Default: `quickLimits` and `longLimits`. */
  readonly limits?: LaneLimits;
}

const quickLimits: LaneLimits = { timeMs: 20_000, memoryMb: 1000 };
const longLimits: LaneLimits = { timeMs: 300_000, memoryMb: 2000 };

/** Jobs that may take long or read several files. They have a process of their own, so that the window's own questions do not wait. */
const longJobs: ReadonlySet<JobName> = new Set([
  'import',
  'export',
  'compare',
  'compareText',
  'exportComparison',
  'estimate',
  'result',
  'previewSnapshot',
  'writeSnapshot',
  'judge',
  'compact',
]);

/** More files than this that end the reader, in one job, and it is given up. */
const maxCulprits = 100;

/**
 * The saved runs of a folder, read and changed in processes of their own with bounds on time and memory. A file that ends such a process
 * is quarantined by name, and the job goes on without it.
 */
export class SavedRuns {
  private readonly quarantine: Quarantine;
  private readonly markers = privateTempFolder();
  private readonly quick: Lane;
  private readonly long: Lane;

  constructor(private readonly options: SavedRunsOptions) {
    const { folder, startReader, limits } = options;
    this.quarantine = new Quarantine(folder);
    this.quick = new Lane(startReader, limits ?? quickLimits, join(this.markers.path, 'quick'));
    this.long = new Lane(startReader, limits ?? longLimits, join(this.markers.path, 'long'));
  }

  /**
   * Rejects with the job's own `FullhouseError`; with `damaged-run` when the run's file ended the reader, and `reader-ended` when the
   * reader ended for another reason.
   */
  async call<N extends JobName>(job: N, input: JobInput<N>): Promise<JobOutput<N>> {
    const { folder } = this.options;
    if (folder === undefined)
      throw new FullhouseError('no-library', 'No folder of runs is open here; start with one to read runs.');
    const lane = longJobs.has(job) ? this.long : this.quick;
    let cause = '';
    for (let attempt = 0; attempt <= maxCulprits; attempt += 1) {
      this.options.beforeJob?.();
      const outcome = await lane.run(() => ({
        ...{ job, folder, input, quarantined: this.quarantine.all },
        elsewhere: this.options.elsewhere?.() ?? {},
      }));
      if (outcome.kind === 'result') return outcome.value as JobOutput<N>;
      if (outcome.kind === 'error') throw new FullhouseError(outcome.code, outcome.message);
      cause = outcome.cause;
      if (outcome.path === '') break;
      this.quarantine.blame(outcome.path, cause, outcome.isCertain);
    }
    throw new FullhouseError('reader-ended', `The process that reads run files ended (${cause}); try again.`);
  }

  /** Process ids of the readers that run now. */
  get pids(): number[] {
    return [this.quick.pid, this.long.pid].filter((pid) => pid !== undefined);
  }

  close(): void {
    this.quick.close();
    this.long.close();
    this.markers.remove();
  }
}
