import type { JobNetwork } from '../../../contract/networkProtocol';
import { networkLimits, type PlanNetwork } from '../../../domain/model/network';
import { isRealNetwork, resolveNetwork, type ResolvedStep } from '../../../domain/plan/networkPresets';

type Direction = JobNetwork['steps'][number]['down'];

/**
 * A plan's network as an agent takes it, for a job that starts when the network's schedule has been running for
 * `forMs`; undefined if there is nothing to simulate.
 */
export function jobNetwork(network: PlanNetwork | undefined, forMs: number): JobNetwork | undefined {
  if (network === undefined || isRealNetwork(network)) return undefined;
  const steps = resolveNetwork(network, networkLimits.steps);
  // What is in force at the start, and what follows.
  const first = steps.filter(({ atMs }) => atMs <= forMs).length - 1;
  return {
    sharedBy: network.sharedBy ?? 1,
    steps: steps.slice(Math.max(first, 0)).map((step) => ({
      afterMs: Math.max(0, Math.round(step.atMs - forMs)),
      down: directionOf(step, step.downKbps),
      up: directionOf(step, step.upKbps),
    })),
  };
}

function directionOf(
  { rttMs, jitterMs, lossPercent, burst, queueMs, queuePackets }: ResolvedStep,
  rateKbps: number | undefined,
): Direction {
  return {
    ...(rateKbps === undefined ? {} : { rateKbps }),
    ...(rateKbps === undefined || queueMs === undefined ? {} : { queueMs }),
    ...(rateKbps === undefined || queuePackets === undefined ? {} : { queuePackets }),
    ...(rttMs ? { delayMs: rttMs / 2 } : {}),
    ...(jitterMs ? { jitterMs } : {}),
    ...(lossPercent ? { lossPercent } : {}),
    ...(burst ? { burst } : {}),
  };
}
