import type { JobSample, AgentRecord } from '../../contract/agentSample';
import type { Distributions } from '../../domain/distribution/percentileValues';
import { histogramOfText } from './histogramBytes';

type Texts = NonNullable<JobSample['distributions']>;

/** By the texts of a sample: they are decoded when the sample is checked, and used afterwards. */
const decoded = new WeakMap<Texts, Distributions>();

/** The histograms of a job's sample. Throws on any other text. */
export function jobDistributions({ distributions: texts = {} }: Pick<JobSample, 'distributions'>): Distributions {
  const known = decoded.get(texts);
  if (known) return known;
  const all: Distributions = Object.fromEntries(
    Object.entries(texts).flatMap(([id, text]) => (text === undefined ? [] : [[id, histogramOfText(text)]])),
  );
  decoded.set(texts, all);
  return all;
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
