import type { LostTester } from '../../domain/evidence/evidence';
import type { FleetNode } from '../fleet/node';
import type { Pull, PullJob } from './pull';
import { isHoldOver, type PullStep } from './pullSteps';
import type { RunData } from './runData';
import type { GroupJob, PublishersInParts } from './runPublishers';

/** How long the origin may still count viewers after the last one has disconnected. */
const agreePatienceMs = 8000;
/** Patience after a forced stop: no session was closed, the origin has to time them out, and the user is waiting. */
const forcedPatienceMs = 3000;

/** How the viewers of a run are disconnected, and why. */
export class TearDown {
  /** Testers that stopped before the plan's end, each with its reason. */
  readonly lostTesters: LostTester[] = [];

  constructor(private readonly data: RunData) {}

  /** A stop counts as the user's only while the plan had not reached its end. */
  markStopped(): void {
    const list = [...this.data.pulls.list, ...this.data.published.list];
    const leavingByItself = list.length > 0 && list.every((pull) => pull.leaveMs !== undefined);
    if (!leavingByItself) this.data.stoppedMs ??= this.data.deps.clock.now();
  }

  /** Disconnects all viewers; no more are started. */
  async leaveAll(force: boolean): Promise<void> {
    const { data } = this;
    data.wasForced ||= force;
    data.close();
    for (const load of [...data.pulls.controlled, ...data.published.controlledList]) load.close();
    data.setState('stopping');
    await Promise.all([
      ...data.pulls.list.map((pull) => pull.leave(data.deps.clock.now(), force)),
      this.leavePublishers(data.published.list),
    ]);
  }

  /** Ends publishers alone. */
  async leavePublishers(groups: readonly GroupJob[]): Promise<void> {
    for (const sentence of await this.data.published.leave(groups)) this.data.log.say(sentence);
  }

  /** Ends publishers whose controller decides on their number. */
  async endSearch(controlled: PublishersInParts): Promise<void> {
    controlled.close();
    await this.leavePublishers(controlled.active);
  }

  /** Does what is due for publishers alone. */
  advancePublishers(group: GroupJob, step: PullStep, nowMs: number): void {
    if (step === 'leave' && !group.isControlled && group.live === 0 && !isHoldOver(nowMs, group.seen()))
      group.lostAllMs ??= nowMs;
    if (step === 'leave') void this.leavePublishers([group]);
    if (step !== 'kill') return;
    this.data.log.say(`The publishers of ${group.group.publication.stream} on ${group.group.by} could not be ended.`);
    group.giveUp();
  }

  /** Stops one job of the run. */
  async leaveJob(id: string, force: boolean): Promise<void> {
    const controlled = this.data.pulls.findControlled(id);
    const plain = this.data.pulls.find(id);
    if (controlled) controlled.audience.withdraw(controlled.tester, force);
    else if (plain) await plain.pull.leaveJob(this.data.deps.clock.now(), plain.job, force);
  }

  /** Does what is due for a pull. */
  advance(pull: Pull, step: PullStep, nowMs: number): void {
    if (step === 'leave' && pull.connected === 0 && !isHoldOver(nowMs, pull.seen())) pull.lostAllMs ??= nowMs;
    // A tester that could not be reached gets the order again.
    const isOrderDue = step === 'leave' || step === 'force' || (step === 'wait' && pull.leaveMs !== undefined);
    if (isOrderDue) void pull.leave(nowMs, step === 'force');
    if (step === 'kill') pull.kill();
  }

  /** All viewers are gone by the testers: whether the origins agree, or had time enough to. */
  isAgreed(nowMs: number): boolean {
    const { data } = this;
    const drainedMs = (data.drainedMs ??= nowMs);
    if (data.pulls.list.length === 0 || data.origins.areEmpty(drainedMs - 1000)) return true;
    return nowMs - drainedMs > (data.wasForced ? forcedPatienceMs : agreePatienceMs);
  }

  /** A tester had no console for too long and has disconnected its viewers. That was not planned. */
  consoleTimedOut(node: FleetNode, timeMs: number, problem: string): void {
    for (const pull of this.data.pulls.list)
      for (const job of pull.jobs)
        if (job.tester.node === node && timeMs < (pull.leaveMs ?? Number.POSITIVE_INFINITY))
          this.addLost(job, timeMs, problem);
    for (const job of this.data.published.list)
      if (job.tester === node && timeMs < (job.leaveMs ?? Number.POSITIVE_INFINITY) && job.lose(problem))
        this.addLostNode(job.group.by, timeMs, problem);
  }

  /** A tester's process is gone, and its viewers with it. */
  lose(node: FleetNode, problem: string): void {
    for (const pull of this.data.pulls.list)
      for (const job of pull.lose(node, problem))
        if (pull.leaveMs === undefined) this.addLost(job, this.data.deps.clock.now(), problem);
    for (const job of this.data.published.list)
      if (job.tester === node && job.lose(problem)) {
        this.data.published.controlled?.close();
        this.addLostNode(job.group.by, this.data.deps.clock.now(), problem);
      }
  }

  private addLost({ tester: { name } }: PullJob, timeMs: number, problem: string): void {
    this.addLostNode(name, timeMs, problem);
  }

  private addLostNode(name: string, timeMs: number, problem: string): void {
    this.lostTesters.push({ node: name, timeMs, sentence: `${name}: ${problem}` });
  }
}
