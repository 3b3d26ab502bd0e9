import { agentState, type ClusterEvent, type Pod } from './pod';

/** Why a place of the group has no ready pod. */
export interface PodReason {
  /** A part of a sentence, without its full stop. */
  readonly text: string;
  /** Kubernetes can't resolve it without a change by the user. */
  readonly isFinal: boolean;
}

/** A state that may still change on its own is final only after this time. */
const patienceMs = 30_000;

export interface PodCircumstances {
  /** For how long the pod exists, ms. */
  readonly ageMs: number;
  /** The cluster adds a node for it. */
  readonly isScalingUp: boolean;
}

/** Why a pod that exists is not ready; undefined while it is starting. */
export function podReason(pod: Pod, { ageMs, isScalingUp }: PodCircumstances): PodReason | undefined {
  const isLate = ageMs >= patienceMs;
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False' && scheduled.reason === 'Unschedulable') {
    if (isScalingUp) return { text: 'waiting for a new node of the cluster', isFinal: false };
    return { text: `unschedulable: ${unschedulableText(scheduled.message ?? '')}`, isFinal: isLate };
  }
  const waiting = agentState(pod)?.waiting;
  if (waiting) return waitingReason(waiting.reason ?? '', waiting.message ?? '', isLate);
  return undefined;
}

const imageFaults: ReadonlySet<string> = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'ImageInspectError',
  'RegistryUnavailable',
]);
/** The registry or the policy has answered: another attempt ends the same. */
const definite =
  /not found|manifest unknown|does not exist|unauthorized|denied|authentication required|forbidden|invalid reference/i;

function waitingReason(reason: string, message: string, isLate: boolean): PodReason | undefined {
  if (reason === 'ErrImageNeverPull')
    return { text: 'image is not on its node, and pullPolicy is Never', isFinal: true };
  if (reason === 'InvalidImageName') return { text: 'image has an invalid name', isFinal: true };
  if (imageFaults.has(reason)) {
    const why = shortMessage(message);
    return {
      text: `image can't be pulled${why === '' ? '' : `: ${why}`}`,
      isFinal: isLate || definite.test(message),
    };
  }
  if (reason === 'CreateContainerConfigError' || reason === 'CreateContainerError' || reason === 'RunContainerError')
    return { text: `container can't be started: ${shortMessage(message) || reason}`, isFinal: isLate };
  return undefined;
}

/** The scheduler's sentence in words: `0/3 nodes are available: 3 Insufficient cpu.` */
function unschedulableText(message: string): string {
  const [, nodes, rest = message] = /^0\/(\d+) nodes are available: ?(.*)$/s.exec(message) ?? [];
  const body = rest.split(/\.? preemption:/)[0] ?? '';
  const parts = body
    .split(/, (?=\d+ )/)
    .map((part) => schedulerPart(part.trim().replace(/\.$/, '')))
    .filter((part) => part !== '');
  const of = nodes === undefined ? '' : nodes === '1' ? ' (1 node)' : ` (${nodes} nodes)`;
  return parts.length > 0 ? `${[...new Set(parts)].join(', ')}${of}` : 'no node accepts it';
}

function schedulerPart(part: string): string {
  const text = part.replace(/^\d+ /, '').replace(/^node\(s\) /, '');
  const resource = /^Insufficient (.+)$/.exec(text)?.[1];
  if (resource !== undefined)
    return resource === 'cpu' || resource === 'memory'
      ? `not enough ${resource === 'cpu' ? 'CPU' : resource}`
      : `not enough ${resource}`;
  if (text === 'Too many pods') return 'too many pods on the nodes';
  if (/^didn't match Pod's node affinity/.test(text)) return 'nodeSelector matches no node';
  if (/^didn't have free ports/.test(text)) return 'hostNetwork allows one tester per node';
  const taint = /^had untolerated taint\(?s?\)? \{(.*)\}$/.exec(text)?.[1];
  if (taint !== undefined) return `taint ${taint.replace(/: $/, '').replace(': ', '=')} is not tolerated`;
  return text;
}

/** Why a pod has ended. */
export function endReason(pod: Pod, lastLogLine: string | undefined): string {
  const { metadata, status } = pod;
  const ended = agentState(pod)?.terminated;
  if (ended?.reason === 'OOMKilled') return 'out of memory (OOM killed)';
  if (status?.reason === 'Evicted') return `evicted${status.message ? `: ${shortMessage(status.message)}` : ''}`;
  const disruption = status?.conditions?.find(({ type, status: is }) => type === 'DisruptionTarget' && is === 'True');
  if (disruption) return `evicted${disruption.message ? `: ${shortMessage(disruption.message)}` : ''}`;
  const log = lastLogLine ? `: ${shortMessage(lastLogLine)}` : '';
  if (ended && ended.exitCode !== 0) {
    const signal = ended.exitCode > 128 ? signals[ended.exitCode - 128] : undefined;
    if (metadata.deletionTimestamp === undefined || ended.exitCode !== 143)
      return signal ? `killed by ${signal}` : `ended with code ${ended.exitCode}${log}`;
  }
  if (metadata.deletionTimestamp !== undefined) return 'deleted';
  return ended ? `ended${log}` : 'deleted';
}

const signals: Readonly<Record<number, string>> = { 6: 'SIGABRT', 9: 'SIGKILL', 11: 'SIGSEGV', 15: 'SIGTERM' };

/** Why the Job can't create pods, by its latest event; undefined without such an event. */
export function createReason(events: readonly ClusterEvent[]): PodReason | undefined {
  const failed = events.filter(({ reason }) => reason === 'FailedCreate');
  const latest = failed.sort((a, b) => timeOf(a) - timeOf(b)).at(-1);
  if (!latest) return undefined;
  const message = latest.message ?? '';
  const quota = /exceeded quota: ([^,]+), requested: (.+?), used: (.+?), limited: (.+?)\.?$/.exec(message);
  if (quota) {
    const [, name, requested, used, limited] = quota;
    return { text: `quota ${name} exceeded: requests ${requested}, used ${used} of ${limited}`, isFinal: true };
  }
  const lacking = /failed quota: ([^:]+): must specify (.+?)(?: for: .*)?$/.exec(message);
  if (lacking) return { text: `quota ${lacking[1]} requires ${lacking[2]} in the resources`, isFinal: true };
  const policy = /violates PodSecurity "([^"]+)": (.+)$/.exec(message);
  if (policy) return { text: `Pod Security ${policy[1]} refuses ${shortMessage(policy[2] ?? '')}`, isFinal: true };
  return { text: `pod can't be created: ${shortMessage(message)}`, isFinal: /forbidden/i.test(message) };
}

function timeOf({ lastTimestamp, eventTime }: ClusterEvent): number {
  return lastTimestamp ?? eventTime ?? 0;
}

/** Whether the cluster adds a node for this pod. */
export function isScalingUp(pod: Pod, events: readonly ClusterEvent[]): boolean {
  return events.some(
    ({ reason, involvedObject }) => reason === 'TriggeredScaleUp' && involvedObject.name === pod.metadata.name,
  );
}

function shortMessage(text: string): string {
  const line = text.trim().split('\n').at(-1)?.trim().replace(/\.$/, '') ?? '';
  return line.length > 240 ? `${line.slice(0, 239)}…` : line;
}
