import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Plan } from '../../domain/model/plan';
import type { RunId, RunView } from '../../domain/model/run';
import { errorText } from '../../domain/text/errorText';
import type { RunRecorder, RunRecording } from '../store';
import { withCreate } from '../store/withCreate';
import { codeOf } from '../store/failure';

export interface OwnRunsOptions {
  /** Absent: own runs are known only while the engine runs, as on the command line. */
  readonly path: string | undefined;
  /**
   * The runs of an earlier version, which kept no list: adopted once. Absent for a console that was not used before:
   * what is in its folder was put there by someone else.
   */
  readonly earlier?: (() => Promise<readonly RecordedPlan[]>) | undefined;
  readonly problem: (sentence: string) => void;
}

/** A run and a plan that it was started with. */
export interface RecordedPlan {
  readonly run: RunId;
  /** As by `planDigest`. */
  readonly digest: string;
}

/** Takes the place of a digest: whatever has this id from now on was not recorded here. */
const forgotten = '-';

/**
 * The runs that this console recorded itself. All others are foreign: imported, opened from elsewhere, or copied into
 * the folder; they may contain addresses that the user has never seen. The list is outside of the run files, which may
 * claim anything, and has the plan of each run, so that a file that replaces another is not taken for it.
 */
export class OwnRuns {
  private readonly digests = new Map<RunId, Set<string>>();
  private readonly ready: Promise<void>;
  /** All that was to be saved so far. */
  private saved = Promise.resolve();

  constructor(private readonly options: OwnRunsOptions) {
    this.ready = this.load();
  }

  /** The console records this run now, with this plan. */
  record({ id, plan }: Pick<RunView, 'id' | 'plan'>): void {
    const digest = planDigest(plan);
    if (!this.digests.get(id)?.has(digest)) void this.save([{ run: id, digest }]);
  }

  /** An import has written the file of this id. */
  forget(run: RunId): void {
    if (this.digests.has(run)) void this.save([{ run, digest: forgotten }]);
  }

  /** Resolves when the list has all runs so far, or that has failed. */
  whenSaved(): Promise<void> {
    return this.saved;
  }

  async isOwn({ id, plan }: Pick<RunView, 'id' | 'plan'>): Promise<boolean> {
    await this.ready;
    return this.digests.get(id)?.has(planDigest(plan)) ?? false;
  }

  private async load(): Promise<void> {
    const { path, earlier, problem } = this.options;
    if (path === undefined) return;
    try {
      const text = await readFile(path, 'utf8').catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw error;
      });
      if (text !== undefined) this.read(text);
      // Also without any: the next start is not the first.
      else await this.save(earlier ? await earlier() : []);
    } catch (error) {
      problem(
        `The list of own runs can't be read (${errorText(error)}). Until it can, Run again opens the Pull dialog first.`,
      );
    }
  }

  private read(text: string): void {
    for (const line of text.split('\n')) {
      const [run, digest] = line.split(' ');
      if (run && digest) this.take({ run, digest });
    }
  }

  private take({ run, digest }: RecordedPlan): void {
    if (digest === forgotten) this.digests.delete(run);
    else this.digests.set(run, (this.digests.get(run) ?? new Set()).add(digest));
  }

  /** The runs are known at once; a disk is waited for in the background. */
  private save(plans: readonly RecordedPlan[]): Promise<void> {
    for (const plan of plans) this.take(plan);
    const { path, problem } = this.options;
    if (path === undefined) return Promise.resolve();
    this.saved = this.saved.then(async () => {
      try {
        await mkdir(dirname(path), { recursive: true });
        // Appended: a truncated list would make own runs foreign.
        await appendFile(path, plans.map(({ run, digest }) => `${run} ${digest}\n`).join(''), { mode: 0o600 });
      } catch (error) {
        problem(`The list of own runs could not be saved to ${path}: ${errorText(error)}.`);
      }
    });
    return this.saved;
  }
}

/** Fingerprint of what a plan starts; its name is not part of it. */
export function planDigest({ name: _, ...plan }: Plan): string {
  return createHash('sha256')
    .update(JSON.stringify(plan, (_key, value: unknown) => sorted(value)))
    .digest('hex');
}

/** Field order is not part of a plan. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A recorder whose runs are recorded as own, with every plan that they get. */
export function recordingOwn(recorder: RunRecorder, own: OwnRuns): RunRecorder {
  const recorded = (writer: RunRecording): RunRecording => ({
    id: writer.id,
    append: (samples) => writer.append(samples),
    histograms: (rows) => writer.histograms(rows),
    event: (event) => writer.event(event),
    still: (still) => writer.still(still),
    setView: (view) => {
      own.record(view);
      writer.setView(view);
    },
    setViewers: (rows) => writer.setViewers(rows),
    flush: () => writer.flush(),
    secure: () => writer.secure(),
    finish: (view) => {
      own.record(view);
      return writer.finish(view);
    },
  });
  const create: RunRecorder['create'] = async (view, ...rest) => {
    const writer = await recorder.create(view, ...rest);
    own.record(view);
    return recorded(writer);
  };
  return withCreate(recorder, create);
}
