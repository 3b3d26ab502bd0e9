import type { Plan, Audience } from '../model/plan';
import { networkLimits, type PlanNetwork } from '../model/network';
import { resolveNetwork } from './networkPresets';

/** Maximum steps that a plan states; those of presets are added. */
export const maxNetworkSteps = 50;

/** What is impossible in a network: the step, undefined for its own values, and one sentence. */
export interface NetworkFault {
  readonly step?: number;
  readonly sentence: string;
}

/** What is impossible in a network; undefined if nothing is. */
export function networkFault(network: PlanNetwork): NetworkFault | undefined {
  const { steps = [] } = network;
  for (const [step, { atMs }] of steps.entries())
    if (atMs <= (steps[step - 1]?.atMs ?? 0))
      return { step, sentence: 'The steps of a network must be in order of time, each later than the one before it.' };
  for (const [step, { rttMs = 0, jitterMs = 0, atMs }] of resolveNetwork(network, networkLimits.steps).entries())
    if (jitterMs > rttMs / 2) {
      const of = steps.findIndex((each) => each.atMs === atMs);
      return {
        ...(step > 0 && of >= 0 ? { step: of } : {}),
        sentence: `A jitter of ${jitterMs} ms needs a round-trip time of ${2 * jitterMs} ms or more: each direction has half of it, and no packet arrives before it is sent.`,
      };
    }
  return undefined;
}

/** What only viewers of an agent can do. */
const agentFields = [
  'network',
  'reconnect',
  'transport',
  'tracks',
  'participant',
  'videos',
  'adaptiveStream',
  'watchFor',
  'withoutMedia',
  'headers',
] as const;
type AgentField = (typeof agentFields)[number];

const withoutAgent: Readonly<Record<AgentField, (tester: string) => string>> = {
  network: (tester) => `"${tester}" is a WCS, which can't simulate a network for its viewers.`,
  reconnect: (tester) => `The viewers of "${tester}", a WCS, can't connect again.`,
  transport: (tester) => `The viewers of "${tester}", a WCS, have no choice of transport.`,
  tracks: (tester) => `The viewers of "${tester}", a WCS, receive audio and video.`,
  watchFor: (tester) => `"${tester}" is a WCS, which can't replace its viewers.`,
  withoutMedia: (tester) => `"${tester}" is a WCS, which pulls streams and opens no sessions without media.`,
  headers: (tester) => `The viewers of "${tester}", a WCS, can't send headers of a plan.`,
  participant: (tester) => `The viewers of "${tester}", a WCS, can't choose a participant.`,
  videos: (tester) => `The viewers of "${tester}", a WCS, receive one video each.`,
  adaptiveStream: (tester) => `The viewers of "${tester}", a WCS, can't choose a layer.`,
};

/** What an audience requests that one of its testers can't do, with the fix. */
export function testerFault(
  {
    by,
    network,
    reconnect,
    transport,
    tracks,
    participant,
    videos,
    adaptiveStream,
    watchFor,
    withoutMedia,
    headers,
  }: Pick<Audience, AgentField | 'by'>,
  nodes: Plan['nodes'],
): { readonly field: AgentField; readonly sentence: string } | undefined {
  const used = {
    network,
    reconnect,
    watchFor,
    withoutMedia,
    headers,
    transport: transport === 'tcp',
    tracks: tracks === 'audio',
    participant,
    videos,
    adaptiveStream,
  };
  const field = agentFields.find((each) => used[each]);
  const wcs = by.find((name) => {
    const node = nodes[name];
    return node && 'tester' in node && node.tester === 'wcs';
  });
  if (field === undefined || wcs === undefined) return undefined;
  return {
    field,
    sentence: `${withoutAgent[field](wcs)} Use testers with an agent, or remove ${field === 'network' ? 'the network' : field}.`,
  };
}
