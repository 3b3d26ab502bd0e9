import { Histogram } from '../../../domain/distribution/histogram';
import { distributionIds, type DistributionId } from '../../../domain/series/distributions';
import type { RunManager } from '../../runs/runManager';

type Report = Parameters<Parameters<RunManager['distributions']['on']>[0]>[0];

/** What the viewers of one tester in one audience reported since the start of the run. */
export interface RunHistogram {
  readonly node: string;
  readonly audience: string;
  readonly distribution: DistributionId;
  readonly histogram: Histogram;
}

/** The distributions of the active run or the last one, each a sum of all reports so far. */
export class RunHistograms {
  private run: string | undefined;
  private readonly byLabels = new Map<string, RunHistogram>();

  take({ run, node, audience, distributions }: Report): void {
    if (run !== this.run) this.byLabels.clear();
    this.run = run;
    for (const distribution of distributionIds) {
      const reported = distributions[distribution];
      if (!reported) continue;
      const key = JSON.stringify([distribution, node, audience]);
      const known = this.byLabels.get(key) ?? { node, audience, distribution, histogram: new Histogram() };
      this.byLabels.set(key, known);
      known.histogram.merge(reported);
    }
  }

  of(run: string): readonly RunHistogram[] {
    return run === this.run ? [...this.byLabels.values()] : [];
  }
}
