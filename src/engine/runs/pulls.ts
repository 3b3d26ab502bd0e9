import { eachOf } from '../base/eachOf';
import { FullhouseError } from '../../contract/calls';
import { detailedViewers } from '../../domain/run/detailedViewers';
import type { Audience } from '../../domain/model/plan';
import type { FailureGroup, JobView } from '../../domain/model/run';
import type { ViewerRow, ViewerDetail } from '../../contract/viewerSchemas';
import type { FleetNode } from '../fleet/node';
import type { PullSample } from '../load/driver';
import { failureGroups } from './audience';
import type { PullState } from './pullSteps';
import type { ControlledAudience } from './control/controlledAudience';
import type { Pull, PullJob, Tester } from './pull';

/** Details requested in parallel: a tester may be far away, and forty sequential requests would take too long. */
const parallelDetails = 8;

/** All pulls of a run together. */
export class Pulls {
  private readonly all: Pull[] = [];
  private readonly audiences = new Map<Pull, number>();
  /** Audiences with a controller, and their places in the run's plan. */
  private readonly groups = new Map<ControlledAudience, number>();

  /** `audience`: its place in the run's plan. */
  add(pull: Pull, audience: number): void {
    this.all.push(pull);
    this.audiences.set(pull, audience);
  }

  /** The pulls of an audience, by its place in the run's plan. */
  ofAudience(place: number): readonly Pull[] {
    return this.all.filter((pull) => this.audiences.get(pull) === place);
  }

  /** The place of a pull's audience in the run's plan. */
  audienceOf(pull: Pull): number {
    return this.audiences.get(pull) ?? 0;
  }

  /** An audience whose parts start and end; each part is added as a pull. */
  addDirected(audience: ControlledAudience, place: number): void {
    this.groups.set(audience, place);
  }

  get controlled(): readonly ControlledAudience[] {
    return [...this.groups.keys()];
  }

  get list(): readonly Pull[] {
    return this.all;
  }

  /** Viewers requested so far of these audiences: all that are planned of one that has not started. */
  requested(audiences: readonly Audience[]): number {
    const controlled = new Map([...this.groups].map(([audience, place]) => [place, audience]));
    return audiences.reduce((sum, { viewers }, place) => sum + (controlled.get(place)?.peakTarget ?? viewers), 0);
  }

  /** The latest report on every job, of one tester or of all. */
  latest(node?: FleetNode): PullSample[] {
    return this.all.flatMap((pull) =>
      pull.jobs.flatMap((job) => (job.latest && (!node || job.tester.node === node) ? [job.latest] : [])),
    );
  }

  /** Sessions or sockets that the testers still have open. */
  present(): number {
    return this.latest().reduce((sum, sample) => sum + sample.present, 0);
  }

  /** Connected viewers, and connected or connecting ones. */
  counts(): { readonly connected: number; readonly arrived: number } {
    let connected = 0;
    let arrived = 0;
    for (const sample of this.latest()) {
      connected += sample.connected;
      arrived += Math.max(sample.present, sample.connected + sample.connecting);
    }
    return { connected, arrived };
  }

  /** `audiences`: their names in the order of the plan, if there are several. */
  failures(audiences: readonly string[]): FailureGroup[] {
    return failureGroups(
      this.all.flatMap((pull) => {
        const audience = audiences[this.audienceOf(pull)];
        return pull.jobs.flatMap((job) =>
          job.latest ? [{ audience, tester: job.tester.name, sample: job.latest }] : [],
        );
      }),
    );
  }

  /** When the first viewer was requested. */
  firstArrivalMs(): number | undefined {
    const starts = this.all.flatMap((pull) => pull.startedMs ?? []);
    return starts.length > 0 ? Math.min(...starts) : undefined;
  }

  find(job: string): { readonly pull: Pull; readonly job: PullJob } | undefined {
    for (const pull of this.all) {
      const found = pull.jobs.find((candidate) => candidate.id === job);
      if (found) return { pull, job: found };
    }
    return undefined;
  }

  /** A controlled audience and its tester by the job that represents both. */
  findControlled(job: string): { readonly audience: ControlledAudience; readonly tester: Tester } | undefined {
    for (const audience of this.groups.keys()) {
      const tester = audience.testerOf(job);
      if (tester) return { audience, tester };
    }
    return undefined;
  }

  seen(): PullState[] {
    return this.all.map((pull) => pull.seen());
  }

  /** One row per audience and tester: the parts of a controlled audience are one job. */
  views(): JobView[] {
    const plain = this.all.filter((pull) => !pull.isControlled);
    return [...plain, ...this.groups.keys()].flatMap((source) => source.views());
  }

  /** Details of a viewer, from its tester. */
  detail(job: string, viewer: number): Promise<ViewerDetail> {
    const found = this.find(job);
    if (!found) throw new FullhouseError('no-viewer', `This run has no job ${job}.`);
    return found.pull.detail(found.job, viewer);
  }

  /**
   * The rows, with details for the viewers whose details a run contains. Details that can't be queried are omitted:
   * `missing` receives each reason once, as that is no reason to lose the rows.
   */
  async detailedRows(seed: string, missing: (sentence: string) => void): Promise<ViewerRow[]> {
    const rows = await this.rows();
    const details = new Map<ViewerRow, ViewerDetail>();
    const problems = new Set<string>();
    await eachOf(detailedViewers(rows, seed), parallelDetails, async (row) => {
      try {
        details.set(row, await this.detail(row.job, row.viewer));
      } catch (error) {
        if (!(error instanceof FullhouseError)) throw error;
        if (error.code !== 'no-viewer-detail') problems.add(error.message);
      }
    });
    for (const problem of problems) missing(`Details of viewers are missing: ${problem}`);
    return rows.map((row) => (details.has(row) ? { ...row, detail: details.get(row) } : row));
  }

  async rows(): Promise<ViewerRow[]> {
    return (await Promise.all(this.all.map((pull) => pull.viewers()))).flat();
  }
}
