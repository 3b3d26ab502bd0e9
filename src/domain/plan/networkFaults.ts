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
      const of = steps.findIndex((step) => step.atMs === atMs);
      return {
        ...(step > 0 && of >= 0 ? { step: of } : {}),
        sentence: `A jitter of ${jitterMs} ms needs a round-trip time of ${2 * jitterMs} ms or more: each direction has half of it, and no packet arrives before it is sent.`,
      };
    }
  return undefined;
}
