import { agentState, isEnded, isRunning, indexOf, type ClusterEvent, type Pod } from '../../../domain/kubernetes/pod';
import { isScalingUp, podReason, type PodReason } from '../../../domain/kubernetes/podReason';
import type { AgentLink } from '../../links/agentLink';
import type { MissingMember } from './groupSource';

/** This many pods of one index that ended before they were ready: the next one will too. */
const enoughFailures = 3;

/** One index of a group of pods: its pod, the link to its agent, or why it has none. */
export class PodPlace {
  /** The pod that is connected, or being connected. */
  pod: Pod | undefined;
  link: AgentLink | undefined;
  /** Reason of the pod whose agent is being connected. */
  linkReason: PodReason | undefined;
  private lostReason: string | undefined;
  /** Pods that ended, whose reason is known. */
  private readonly ended = new Map<string, string>();
  private gaveUp: string | undefined;

  constructor(
    readonly index: number,
    /** Name of the Job, for places without a pod. */
    private readonly job: string,
  ) {}

  get isReady(): boolean {
    return this.link !== undefined;
  }

  /** Its pod in a list, newest first. */
  of(pods: readonly Pod[]): readonly Pod[] {
    return pods
      .filter((pod) => indexOf(pod) === this.index)
      .sort((a, b) => (b.metadata.creationTimestamp ?? 0) - (a.metadata.creationTimestamp ?? 0));
  }

  /** Gives up a pod that ended; `reason` is shown until its replacement is ready. */
  release(reason?: string): AgentLink | undefined {
    const { link } = this;
    this.pod = this.link = this.linkReason = undefined;
    this.lostReason = reason;
    return link;
  }

  /** Pods that ended before they were ready and whose reason is still unknown. */
  unexplained(pods: readonly Pod[]): readonly Pod[] {
    return this.isReady ? [] : this.of(pods).filter((pod) => isEnded(pod) && !this.ended.has(pod.metadata.uid));
  }

  explain(pod: Pod, reason: string): void {
    this.ended.set(pod.metadata.uid, reason);
  }

  /** Counts as not startable from now on. */
  giveUp(reason: string): void {
    this.gaveUp = reason;
  }

  /** A new attempt to start. */
  retry(): void {
    this.gaveUp = undefined;
    this.ended.clear();
  }

  /** The running pod to connect to; undefined while no pod runs, or one is connected. */
  toConnect(pods: readonly Pod[]): Pod | undefined {
    return this.pod ? undefined : this.of(pods).find(isRunning);
  }

  /** Why it is not ready. `general` is the reason of the Job for a place without a pod. */
  missing(circumstances: Circumstances): MissingMember {
    const { pods, nowMs, events, general, hasFailed } = circumstances;
    const [pod] = this.of(pods);
    const name = pod?.metadata.name ?? `${this.job}-${this.index}`;
    const of = (reason: PodReason | undefined): MissingMember => ({
      index: this.index,
      name,
      ...(reason ? { reason: `${reason.text.replace(/\.$/, '')}.`, ...(reason.isFinal ? { isFinal: true } : {}) } : {}),
    });
    if (this.gaveUp !== undefined) return of({ text: this.gaveUp, isFinal: true });
    if (this.linkReason) return of(this.linkReason);
    if (pod && !isEnded(pod)) {
      const created = pod.metadata.creationTimestamp ?? nowMs;
      return of(
        podReason(pod, { ageMs: Math.max(0, nowMs - created), isScalingUp: isScalingUp(pod, events) }) ??
          (this.lostReason === undefined ? undefined : { text: this.lostReason, isFinal: false }),
      );
    }
    const last = [...this.ended.values()].at(-1);
    if (last !== undefined)
      return of({
        text: this.ended.size > 1 ? `${last} (${this.ended.size} times)` : last,
        isFinal: hasFailed || this.ended.size >= enoughFailures || isDone(pod),
      });
    return of(general ?? (this.lostReason === undefined ? undefined : { text: this.lostReason, isFinal: false }));
  }
}

/** What is known of the cluster when a reason is looked up. */
export interface Circumstances {
  readonly pods: readonly Pod[];
  /** By the cluster's clock. */
  readonly nowMs: number;
  readonly events: readonly ClusterEvent[];
  readonly general: PodReason | undefined;
  /** The Job replaces its pods no more. */
  readonly hasFailed: boolean;
}

/** An index whose pod has ended without a fault is not replaced. */
function isDone(pod: Pod | undefined): boolean {
  return pod !== undefined && (pod.status?.phase === 'Succeeded' || agentState(pod)?.terminated?.exitCode === 0);
}
