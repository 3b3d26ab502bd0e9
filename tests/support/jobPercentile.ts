import type { JobSample } from '../../src/contract/agentSample';
import type { DistributionId } from '../../src/domain/series/distributions';
import { jobDistributions } from '../../src/engine/base/sampleHistograms';

/** A percentile over the viewers of a job's sample; undefined without values. */
export function jobPercentile(
  job: Pick<JobSample, 'distributions'> | undefined,
  distribution: DistributionId,
  percent = 50,
): number | undefined {
  return job && jobDistributions(job)[distribution]?.percentile(percent);
}
