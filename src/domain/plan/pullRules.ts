import { sampleSource, type Plan, type PlanPull } from '../model/plan';
import type { PullProtocol } from '../model/protocols';

/** Whether the protocol has a choice of fidelity: only WHEP, which only agents pull. */
export const supportsFidelity = (protocol: PullProtocol | undefined): boolean => protocol === 'whep';

/** Whether viewers of the protocol can send CMCD. */
export const supportsCmcd = (protocol: PullProtocol | undefined): boolean => protocol === 'hls' || protocol === 'dash';

/** Why an audience can't have its fidelity, one sentence; undefined if it can. */
export function fidelityFault({ fidelity, protocol }: Pick<PlanPull, 'fidelity' | 'protocol'>): string | undefined {
  return fidelity === 'browser' && !supportsFidelity(protocol)
    ? `Only WHEP supports browser fidelity, ${protocol} does not. Remove it.`
    : undefined;
}

/** Whether a plan publishes the sample as the stream of an audience. */
export const publishesSample = ({ publish }: Plan, { stream, from }: Pick<PlanPull, 'stream' | 'from'>): boolean =>
  publish.some((each) => each.stream === stream && each.node === from && each.source === sampleSource);
