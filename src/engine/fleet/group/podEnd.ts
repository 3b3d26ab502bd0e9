import { agentState, type Pod } from '../../../domain/kubernetes/pod';
import { endReason } from '../../../domain/kubernetes/podReason';
import { inTime, type Clock } from '../../base/clock';
import type { Cluster } from '../../kubernetes/cluster';

/** The log of an ended pod is waited for this long before its end is reported. */
const logMs = 1500;
/** The cluster reports the end of a pod in whole seconds. */
const preciseMs = 3000;

/** When a pod ended, by our clock: the cluster may report it late. */
export function endTimeOf(pod: Pod, nowMs: number, remoteOffsetMs = 0): number {
  const finished = agentState(pod)?.terminated?.finishedAt;
  if (finished === undefined) return nowMs;
  const here = finished - remoteOffsetMs;
  return nowMs - here > preciseMs ? here : nowMs;
}

/** Why a pod ended, with the last line of its log where its agent has failed. */
export async function endReasonOf(
  cluster: Pick<Cluster, 'lastLogLine'>,
  pod: Pod,
  clock: Clock,
  known?: string,
): Promise<string> {
  if (known !== undefined) return known;
  const ended = agentState(pod)?.terminated;
  const hasFailed = ended !== undefined && ended.exitCode !== 0 && ended.exitCode < 128;
  return endReason(pod, hasFailed ? await inTime(clock, cluster.lastLogLine(pod.metadata.name), logMs) : undefined);
}
