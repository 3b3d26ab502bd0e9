import type { AgentJob, AgentRecord } from '../../contract/agentSample';
import type { Distributions } from '../../domain/distribution/percentileValues';
import { histogramOfText } from './histogramBytes';

/** The histograms of a job's sample. Throws on a text that is none. */
export function jobDistributions({ distributions = {} }: Pick<AgentJob, 'distributions'>): Distributions {
  return Object.fromEntries(
    Object.entries(distributions).flatMap(([id, text]) => (text === undefined ? [] : [[id, histogramOfText(text)]])),
  );
}

/** Why a histogram of a record can't be read; undefined if all can. */
export function histogramProblem(record: AgentRecord): string | undefined {
  if (record.kind === 'event') return undefined;
  try {
    for (const job of record.sample.jobs ?? []) {
      jobDistributions(job);
      for (const text of [job.delay?.senderReportMs, job.delay?.captureTimeMs]) if (text) histogramOfText(text);
    }
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
