import type { Plan } from '../../domain/plan';
import { playAddress } from '../servers/addresses';
import { Pull } from './pull';
import type { Nodes } from './runParts';
import { viewers } from './sentences';

/** A pull that its testers have not been told of yet, and what they need to know. */
export interface PullToBegin {
  readonly pull: Pull;
  readonly url: string;
  /** The stream's own frame rate, when the origin tells it. */
  readonly nominalFps?: number;
}

/** A plan's pull on the nodes of its run, whose origin has to be running; undefined when the run has no such origin. Throws a sentence when the origin can't be pulled from that way. */
export function pullOf(plan: Plan, nodes: Nodes, nextJob: () => string): PullToBegin | undefined {
  const { by, from, stream, protocol } = plan.pull;
  const origin = nodes.get(from);
  if (!origin) return undefined;
  const testers = by.flatMap((name) => {
    const node = nodes.get(name);
    return node ? [{ name, node }] : [];
  });
  const served = origin.streams.find((candidate) => candidate.stream === stream);
  return {
    pull: new Pull(plan.pull, testers, nextJob),
    url: playAddress(origin.server, from, stream, protocol),
    nominalFps: served?.fps,
  };
}

/** One sentence for each tester that did not take its part. */
export function refusals(pull: Pull): string[] {
  return pull.jobs.flatMap((job) =>
    job.state === 'failed'
      ? [`${job.tester.name} did not take ${viewers(job.viewers)}: ${job.problem ?? 'no reason given'}`]
      : [],
  );
}
