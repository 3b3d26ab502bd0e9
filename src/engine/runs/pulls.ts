import type { FailureGroup, JobView, ViewerRow } from '../../domain/run';
import type { FleetNode } from '../fleet/node';
import type { PullSample } from '../load/driver';
import { failureGroups } from './audience';
import type { PullSeen } from './course';
import type { DirectedAudience } from './direct/directedAudience';
import type { Pull, PullJob, Tester } from './pull';

/** All pulls of a run, looked at together. */
export class Pulls {
  private readonly all: Pull[] = [];
  private readonly groups: DirectedAudience[] = [];

  add(pull: Pull): void {
    this.all.push(pull);
  }

  /** An audience whose parts come and go; each part is added as a pull. */
  addDirected(audience: DirectedAudience): void {
    this.groups.push(audience);
  }

  get directed(): readonly DirectedAudience[] {
    return this.groups;
  }

  get list(): readonly Pull[] {
    return this.all;
  }

  /** Whom the pulls of this run want to play. */
  get requested(): number {
    const plain = this.all.filter((pull) => !pull.isDirected);
    const most = this.groups.reduce((sum, audience) => sum + audience.mostWanted, 0);
    return plain.reduce((sum, pull) => sum + pull.plan.viewers, most);
  }

  /** The latest report on every job, of one tester or of all. */
  latest(node?: FleetNode): PullSample[] {
    return this.all.flatMap((pull) =>
      pull.jobs.flatMap((job) => (job.latest && (!node || job.tester.node === node) ? [job.latest] : [])),
    );
  }

  /** Sessions or sockets that the testers still hold. */
  present(): number {
    return this.latest().reduce((sum, sample) => sum + sample.present, 0);
  }

  /** With media, and with media or on the way to it. */
  counts(): { readonly connected: number; readonly arrived: number } {
    let connected = 0;
    let arrived = 0;
    for (const sample of this.latest()) {
      connected += sample.connected;
      arrived += Math.max(sample.present, sample.connected + sample.connecting);
    }
    return { connected, arrived };
  }

  failures(): FailureGroup[] {
    return failureGroups(
      this.all.flatMap((pull) =>
        pull.jobs.flatMap((job) => (job.latest ? [{ tester: job.tester.name, sample: job.latest }] : [])),
      ),
    );
  }

  /** When the first viewer was asked to come. */
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

  /** A directed audience and its tester by the job that stands for both. */
  findDirected(job: string): { readonly audience: DirectedAudience; readonly tester: Tester } | undefined {
    for (const audience of this.groups) {
      const tester = audience.testerOf(job);
      if (tester) return { audience, tester };
    }
    return undefined;
  }

  seen(): PullSeen[] {
    return this.all.map((pull) => pull.seen());
  }

  /** One row per audience and tester: the parts of a directed audience are one job. */
  views(): JobView[] {
    const plain = this.all.filter((pull) => !pull.isDirected);
    return [...plain, ...this.groups].flatMap((each) => each.views());
  }

  async rows(): Promise<ViewerRow[]> {
    return (await Promise.all(this.all.map((pull) => pull.viewers()))).flat();
  }
}
