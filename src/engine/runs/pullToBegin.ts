import type { PlanPull } from '../../domain/plan/plan';
import { FullhouseError } from '../../contract/calls';
import type { ViewerTokens } from '../servers/adapter';
import { playAddress } from '../servers/addresses';
import type { Pull, Tester } from './pull';
import type { Nodes } from './runParts';
import { viewers } from './sentences';

/** Where a plan's audience watches, and who plays it. */
export interface Venue {
  readonly testers: readonly Tester[];
  readonly url: string;
  /** The stream's own frame rate, when the origin tells it. */
  readonly nominalFps?: number;
  readonly allowCrossOrigin?: boolean;
  /** Where each viewer needs a token of its own. */
  readonly tokens?: ViewerTokens;
}

/** The venue of an audience on the nodes of its run, whose origin has to be running; undefined when the run has no such origin. Throws a sentence when the origin can't be pulled from that way. */
export function venueOf({ by, from, stream, protocol }: PlanPull, nodes: Nodes): Venue | undefined {
  const origin = nodes.get(from);
  if (!origin) return undefined;
  const testers = by.flatMap((name) => {
    const node = nodes.get(name);
    return node ? [{ name, node }] : [];
  });
  const served = origin.streams.find((candidate) => candidate.stream === stream);
  const venue = {
    testers,
    url: playAddress(origin.server, from, stream, protocol),
    nominalFps: served?.fps,
    allowCrossOrigin: origin.settings.allowCrossOrigin,
  };
  if (protocol !== 'livekit') return venue;
  const { viewerTokens } = origin.server.addresses(stream);
  if (viewerTokens) return { ...venue, tokens: viewerTokens };
  throw new FullhouseError(
    'needs-secret',
    `Viewers join a room of ${from} with tokens, which are made with LiveKit's API key and secret; enter them at the node.`,
  );
}

/** One sentence for each tester that did not take its part. */
export function refusals(pull: Pull): string[] {
  return pull.jobs.flatMap((job) =>
    job.state === 'failed'
      ? [`${job.tester.name} did not take ${viewers(job.viewers)}: ${job.problem ?? 'no reason given'}`]
      : [],
  );
}
