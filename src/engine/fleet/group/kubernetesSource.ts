import type { KubernetesSettings } from '../../../domain/model/kubernetesSettings';
import { agentPort } from '../../../domain/kubernetes/names';
import { endOf, includesIndex, type Job } from '../../../domain/kubernetes/objects';
import { imageMissing } from '../../../domain/plan/fields/kubernetes';
import type { ClusterOwner } from '../../../domain/kubernetes/owner';
import { isEnded, type ClusterEvent, type Pod } from '../../../domain/kubernetes/pod';
import { createReason, type PodReason } from '../../../domain/kubernetes/podReason';
import { FullhouseError } from '../../../contract/calls';
import { every, inTime, type Cancel, type Clock } from '../../base/clock';
import { Emitter } from '../../base/emitter';
import type { Cluster } from '../../kubernetes/cluster';
import { openCluster } from '../../kubernetes/clusterClient';
import { PodWatch } from '../../kubernetes/podWatch';
import { deleteJobCompletely, renewDeadline, startJob, type StartedJob } from '../../kubernetes/startedJob';
import { idleTimeouts } from '../../links/idleTimeout';
import { openAgentLink } from '../../links/webSocketLink';
import type { GroupMember, GroupReadiness, GroupSource } from './groupSource';
import { endReasonOf, endTimeOf } from './podEnd';
import { PodPlace } from './podPlace';

export interface KubernetesSourceOptions {
  /** The group's name in the fleet. */
  readonly id: string;
  readonly settings: KubernetesSettings;
  readonly owner: ClusterOwner;
  /** Our version. */
  readonly version: string;
  readonly clock: Clock;
  /** For tests. */
  readonly open?: typeof openCluster;
  readonly openLink?: typeof openAgentLink;
}

/** A place that is not ready after this time counts as missing. */
const readyMs = 5 * 60_000;
/** While places are missing, the reasons are read this often. */
const examineMs = 2000;
/** The app exits after this time, whatever the cluster answers. */
const closeMs = 8000;

interface Active extends StartedJob {
  readonly cluster: Cluster;
  readonly watch: PodWatch;
  readonly stopRenewing: () => void;
  job: Job | undefined;
  events: readonly ClusterEvent[];
}

/** Members of a tester group as pods of one Job. */
export class KubernetesSource implements GroupSource {
  private readonly members = new Emitter<GroupMember>();
  private readonly losses = new Emitter<{ readonly index: number; readonly reason: string; readonly timeMs: number }>();
  private readonly changes = new Emitter<void>();
  private places: readonly PodPlace[] = [];
  private active: Active | undefined;
  private stopExamining: Cancel = () => undefined;
  private isExamining = false;
  private ending: Promise<void> | undefined;

  constructor(private readonly options: KubernetesSourceOptions) {}

  get readiness(): GroupReadiness {
    const { size, places, active } = this;
    if (!active)
      return { size, ready: 0, missing: Array.from({ length: size }, (_, index) => ({ index, name: `pod ${index}` })) };
    const missing = places
      .filter(({ isReady }) => !isReady)
      .map((place) => place.missing(this.circumstances(active, place)));
    return { size, ready: size - missing.length, missing };
  }

  async start(signal: AbortSignal): Promise<void> {
    await this.ending?.catch(() => undefined); // reported to the caller of stop
    // Agents that ended without a console complete their Job, which starts no more of them.
    if (this.active && !this.places.some(({ isReady }) => isReady) && (await this.hasEnded(this.active)))
      await this.stop(true);
    this.active ??= await this.launch();
    for (const place of this.places) place.retry();
    this.review();
    await this.settled(signal);
  }

  stop(force = false): Promise<void> {
    this.ending ??= this.end(force).finally(() => {
      this.ending = undefined;
    });
    return this.ending;
  }

  onMember(listener: (member: GroupMember) => void): () => void {
    return this.members.on(listener);
  }

  onLost(listener: (index: number, reason: string, timeMs: number) => void): () => void {
    return this.losses.on(({ index, reason, timeMs }) => listener(index, reason, timeMs));
  }

  onReadiness(listener: () => void): () => void {
    return this.changes.on(listener);
  }

  /** Deletes the pods too: their token is known to this console only, so no other one could use them. */
  async close(): Promise<void> {
    if (this.ending) {
      await inTime(this.options.clock, this.ending, closeMs);
      return;
    }
    const { active } = this;
    if (!active) return;
    this.detach();
    const limits = { deleteMs: closeMs, goneMs: 0 };
    await deleteJobCompletely(active.cluster, active, this.options.clock, limits).catch(() => undefined); // as after a crash
  }

  private async end(force: boolean): Promise<void> {
    const { active } = this;
    if (!active) return;
    const links = this.places.flatMap(({ link }) => link ?? []);
    // An agent that ends by itself reports its last second; the others end with their pod.
    if (!force) await Promise.all(links.map((link) => link.request('shutdown', {}, 12_000).catch(() => undefined)));
    this.detach();
    await deleteJobCompletely(active.cluster, active, this.options.clock);
  }

  private get size(): number {
    return this.options.settings.replicas ?? 1;
  }

  private async launch(): Promise<Active> {
    const { id, settings, owner, version, clock, open = openCluster } = this.options;
    const { image } = settings;
    if (image === undefined) throw new FullhouseError('no-image', `${id}: ${imageMissing}`);
    const cluster = await open(settings, clock);
    const started = await startJob(cluster, {
      node: id,
      settings: { ...settings, image },
      owner,
      version,
      idleTimeout: idleTimeouts.sshTester,
    });
    this.places = Array.from({ length: this.size }, (_, index) => new PodPlace(index, started.name));
    this.stopExamining = every(clock, examineMs, () => void this.examine());
    return {
      ...started,
      cluster,
      watch: new PodWatch(cluster, started.selector, () => this.review(), clock),
      stopRenewing: renewDeadline(cluster, started.name, clock, () => undefined), // a later renewal succeeds, or the Job ends
      job: undefined,
      events: [],
    };
  }

  /** Resolves once each place is ready or has a final reason, or after the limit on time. */
  private settled(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const { clock } = this.options;
      const startedMs = clock.monotonic();
      const check = (): void => {
        const { missing } = this.readiness;
        if (clock.monotonic() - startedMs > readyMs)
          for (const { index, reason } of missing) this.places[index]?.giveUp(reason ?? 'not ready within 5 min');
        else if (!signal.aborted && missing.some(({ isFinal }) => !isFinal)) return;
        stopListening();
        stopChecking();
        signal.removeEventListener('abort', check);
        resolve();
      };
      const stopListening = this.changes.on(check);
      const stopChecking = every(clock, 1000, check);
      signal.addEventListener('abort', check);
      check();
    });
  }

  /** Compares what is connected with what the cluster reports. */
  private review(): void {
    const { active } = this;
    if (!active) return;
    const { pods } = active.watch;
    for (const place of this.places) {
      const { pod } = place;
      if (pod) {
        const now = pods.find(({ metadata }) => metadata.uid === pod.metadata.uid);
        if (!now || isEnded(now)) this.lose(active, place, now ?? pod);
      }
      const next = place.toConnect(pods);
      if (next) void this.connect(active, place, next);
    }
    this.changes.emit();
  }

  private async connect(active: Active, place: PodPlace, pod: Pod): Promise<void> {
    const { openLink = openAgentLink, version, clock } = this.options;
    const { name } = pod.metadata;
    place.pod = pod;
    const isCurrent = (): boolean => this.active === active && place.pod === pod;
    try {
      const link = await openLink({
        address: () => `127.0.0.1:${agentPort}`,
        token: active.token,
        tunnel: () => active.cluster.connect(name, agentPort),
        who: `The agent in ${name}`,
        version,
        clock,
      });
      if (!isCurrent()) return link.close();
      place.link = link;
      place.linkReason = undefined;
      link.onState((state) => {
        if (state === 'closed' && isCurrent()) this.lose(active, place, pod, 'its agent refuses the connection');
      });
      this.members.emit({ index: place.index, name, link });
      this.changes.emit();
    } catch (error) {
      if (!isCurrent()) return;
      const isFinal = error instanceof FullhouseError && ['protocol-mismatch', 'token-refused'].includes(error.code);
      place.linkReason = { text: (error as Error).message, isFinal };
      this.changes.emit();
      if (isFinal) return;
      clock.after(1000, () => {
        if (!isCurrent()) return;
        place.pod = undefined;
        this.review();
      });
    }
  }

  private lose(active: Active, place: PodPlace, pod: Pod, why?: string): void {
    const { index } = place;
    const wasReady = place.isReady;
    const timeMs = endTimeOf(pod, this.options.clock.now(), place.link?.remoteClock?.offsetMs);
    place.release(why)?.close();
    if (!wasReady) return;
    void endReasonOf(active.cluster, pod, this.options.clock, why).then((reason) => {
      if (this.active !== active) return;
      if (!place.pod) place.release(reason);
      this.losses.emit({ index, reason: `${pod.metadata.name} ended: ${reason}`, timeMs });
      this.changes.emit();
    });
  }

  /** Reads why places are missing. */
  private async examine(): Promise<void> {
    const { active } = this;
    if (!active || this.isExamining || this.places.every(({ isReady }) => isReady)) return;
    this.isExamining = true;
    try {
      const { cluster, name } = active;
      const [job, created, scaled] = await Promise.all([
        cluster.job(name),
        cluster.events({ kind: 'Job', name }),
        cluster.events({ kind: 'Pod', reason: 'TriggeredScaleUp' }),
      ]);
      active.job = job;
      active.events = [...created, ...scaled];
      for (const place of this.places)
        for (const pod of place.unexplained(active.watch.pods))
          place.explain(pod, await endReasonOf(cluster, pod, this.options.clock));
    } catch {
      // The watch reports an absent cluster; the reasons are read again later.
    } finally {
      this.isExamining = false;
      if (this.active === active) this.changes.emit();
    }
  }

  private async hasEnded({ cluster, name }: Active): Promise<boolean> {
    try {
      const job = await cluster.job(name);
      return endOf(job) !== undefined || (job.status?.active ?? 0) === 0;
    } catch (error) {
      if (error instanceof FullhouseError && error.code === 'no-such-object') return true;
      throw error;
    }
  }

  private circumstances({ watch, events, job }: Active, { index }: PodPlace) {
    const unreachable: PodReason | undefined =
      watch.problem === undefined ? undefined : { text: watch.problem, isFinal: false };
    const end = job && endOf(job);
    const ended: PodReason | undefined = end && {
      text: `its Job has ended: ${end.message ?? end.reason ?? end.type}`,
      isFinal: true,
    };
    return {
      pods: watch.pods,
      nowMs: this.options.clock.now(),
      events,
      general:
        unreachable ?? ended ?? createReason(events.filter(({ involvedObject }) => involvedObject.kind === 'Job')),
      hasFailed: end !== undefined || includesIndex(job?.status?.failedIndexes, index),
    };
  }

  private detach(): void {
    const { active } = this;
    this.stopExamining();
    active?.watch.close();
    active?.stopRenewing();
    this.active = undefined;
    for (const place of this.places) place.release()?.close();
    this.places = [];
    this.changes.emit();
  }
}
