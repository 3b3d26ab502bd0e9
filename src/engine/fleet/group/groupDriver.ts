import type { AudienceViewer, ViewerDetail } from '../../../contract/viewerSchemas';
import type { ClockView } from '../../../domain/model/node';
import type { PullProtocol } from '../../../domain/model/protocols';
import { clockCorrectionMs } from '../../../domain/node/clockCorrection';
import type { SeriesId } from '../../../domain/series/series';
import { FullhouseError } from '../../../contract/calls';
import type { Clock } from '../../base/clock';
import { Emitter } from '../../base/emitter';
import { agentDriver } from '../../load/agent/agentDriver';
import { markedNames, type JobNames } from '../../load/agent/jobNames';
import type { LoadDriver, PullOrder, PullSample } from '../../load/driver';
import { processValues } from '../agentValues';
import { GroupJob } from './groupJob';
import { groupViewers } from './groupViewers';
import type { GroupMember } from './groupSource';
import { machineFigures, type MachineReport } from './machineFigures';
import type { MemberPart } from './memberPart';
import { orderPart, sharesOf } from './shares';
import { Rounds, type Round } from './rounds';
import { sameWords } from './sameWords';

export interface GroupDriverOptions {
  /** The group's name, for sentences. */
  readonly who: string;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** Distinguishes our jobs from those of other consoles. */
  readonly mark: string;
}

interface Member extends GroupMember {
  readonly driver: LoadDriver;
  readonly stopListening: () => void;
  machine: MachineReport;
}

/** The agent may have accepted an order although its answer was lost. */
const unanswered: ReadonlySet<string> = new Set(['link-lost', 'no-answer']);
/** The viewers of older jobs are no longer listed. */
const maxHistory = 500;
const ourClock: ClockView = { offsetMs: 0, uncertaintyMs: 0 };

/** Splits each job over the members of a tester group, and merges what they report into one sample a second. */
export class GroupDriver implements LoadDriver {
  private readonly members = new Map<number, Member>();
  private readonly jobs = new Map<string, GroupJob>();
  private readonly samples = new Emitter<readonly PullSample[]>();
  private readonly rounds: Rounds<readonly PullSample[]>;
  /** Viewers that failed because their member ended. */
  private lostViewers = 0;
  /** The worst figures of the agents' processes in the latest round. */
  readonly process = new Emitter<{ readonly timeMs: number; readonly values: Partial<Record<SeriesId, number>> }>();
  readonly names: JobNames;
  /** Sentences about members. */
  readonly problems = new Emitter<string>();

  constructor(private readonly options: GroupDriverOptions) {
    this.names = markedNames(options.mark);
    this.rounds = new Rounds(options.clock, (round) => this.merge(round));
  }

  /** A member is ready; one in the place of an ended one continues its shares. */
  join(member: GroupMember): void {
    const { index, link, name } = member;
    this.members.get(index)?.stopListening();
    const driver = agentDriver(link, this.names);
    const process: Partial<Record<SeriesId, number>> = {};
    const joined: Member = {
      ...member,
      driver,
      machine: { index, tester: {}, process, packetsPerSecond: 0 },
      stopListening: () => stops.forEach((stop) => stop()),
    };
    let timeMs = 0;
    const stops = [
      // Before the driver's own listener: a sample without jobs has no time of its own.
      link.onRecord((record) => {
        timeMs = record.timeMs;
        if (record.kind === 'sample')
          joined.machine = { ...joined.machine, process: processValues(record.sample.process) };
      }),
      driver.onSample((samples) => {
        this.takeMachine(joined, samples);
        this.rounds.take(
          index,
          timeMs,
          samples.map((sample) => inOurClock(sample, link.remoteClock)),
        );
      }),
      link.onState((state) => {
        if (state !== 'live') this.rounds.silent(index);
      }),
    ];
    this.members.set(index, joined);
    this.rounds.join(index);
    for (const job of this.jobs.values()) {
      const part = job.parts.get(index);
      if (!part?.isLost || job.isLeaving || job.isHistory) continue;
      part.replace();
      this.startPart(job, part, joined).catch((error: unknown) => {
        part.isLost = true;
        this.problems.emit(`${name} could not take over ${part.viewers} viewers: ${(error as Error).message}`);
      });
    }
  }

  /** A member has ended. Returns how many viewers it still had, which count as failed due to their tester. */
  lose(index: number, reason: string, timeMs: number): number {
    const member = this.members.get(index);
    if (!member) return 0;
    member.stopListening();
    for (const samples of this.rounds.leave(index)) this.takeReport(index, samples);
    this.members.delete(index);
    let viewers = 0;
    for (const job of this.jobs.values()) viewers += job.parts.get(index)?.lose(timeMs, reason) ?? 0;
    this.lostViewers += viewers;
    // No other member will report in its place.
    if (this.members.size === 0) this.emit(timeMs);
    return viewers;
  }

  /** The members are stopped: nothing more is merged. */
  close(): void {
    for (const member of this.members.values()) member.stopListening();
    this.members.clear();
    this.rounds.close();
  }

  get remoteClock(): ClockView | undefined {
    const known = this.live.flatMap(({ link }) => link.remoteClock ?? []);
    if (known.length === 0) return undefined;
    return { offsetMs: 0, uncertaintyMs: Math.max(...known.map(({ uncertaintyMs }) => uncertaintyMs)) };
  }

  get protocols(): readonly PullProtocol[] {
    const [first, ...others] = [...this.members.values()].map(({ driver }) => driver.protocols);
    return (first ?? []).filter((protocol) => others.every((protocols) => protocols.includes(protocol)));
  }

  get viewerLimit(): number {
    return [...this.members.values()].reduce((sum, { driver }) => sum + (driver.viewerLimit ?? 0), 0);
  }

  async start(order: PullOrder): Promise<{ readonly warnings: readonly string[] }> {
    const members = this.live;
    if (members.length === 0)
      throw new FullhouseError('not-live', `${this.options.who} has no ready member; start it again.`);
    const shares = sharesOf(
      order.viewers,
      members.map(({ index, driver, weight = 1 }) => ({
        weight,
        present: this.presentOn(index),
        limit: driver.viewerLimit,
      })),
    );
    const job = new GroupJob(
      order,
      this.options.clock.now(),
      members.map(({ index }, place) => ({ member: index, viewers: shares[place] ?? 0 })),
    );
    this.jobs.delete(order.job);
    this.jobs.set(order.job, job);
    this.forgetOld();
    const warnings: Array<{ readonly who: string; readonly sentence: string }> = [];
    const refusals: FullhouseError[] = [];
    await Promise.all(
      members.map(async (member) => {
        const part = job.parts.get(member.index);
        if (!part) return;
        try {
          for (const sentence of (await this.startPart(job, part, member)).warnings)
            warnings.push({ who: member.name, sentence });
        } catch (error) {
          const code = error instanceof FullhouseError ? error.code : 'internal';
          refusals.push(new FullhouseError(code, `${member.name}: ${(error as Error).message}`));
        }
      }),
    );
    const [refusal] = refusals;
    if (!refusal) return { warnings: sameWords(warnings) };
    // An order is refused as a whole: a part of the audience would be another test.
    await this.stop(order.job, true).catch(() => undefined); // they end with their own safety net
    this.jobs.delete(order.job);
    throw refusal;
  }

  async stop(name: string, force: boolean): Promise<{ readonly present: number }> {
    const job = this.jobs.get(name);
    if (!job) throw new FullhouseError('no-job', `${this.options.who} has no job ${name}.`);
    job.leaving();
    const manner = force ? 'by force' : 'properly';
    return this.ofAll([...job.parts], async (member, part) => {
      if (part.isOver || part.leaveTaken === 'by force' || part.leaveTaken === manner)
        return part.isOver ? 0 : (part.latest?.present ?? 0);
      if (!member) return 0;
      const { present } = await member.driver.stop(name, force).catch((error: unknown) => {
        // It never accepted the order, or has forgotten it.
        if (error instanceof FullhouseError && error.code === 'no-job') return { present: 0 };
        throw error;
      });
      part.leaveTaken = manner;
      return present;
    });
  }

  stopAll(force: boolean): Promise<{ readonly present: number }> {
    for (const job of this.jobs.values()) job.leaving();
    const all = [...this.members.keys()].map((index) => [index, undefined] as const);
    return this.ofAll(all, async (member) => (member ? (await member.driver.stopAll(force)).present : 0));
  }

  onSample(listener: (samples: readonly PullSample[]) => void): () => void {
    return this.samples.on(listener);
  }

  async viewers(
    name: string,
    offset: number,
    limit: number,
    state?: AudienceViewer['state'],
  ): Promise<{ readonly total: number; readonly viewers: readonly AudienceViewer[] }> {
    const job = this.job(name);
    const page = await groupViewers(job, (index) => this.members.get(index)?.driver, { offset, limit, state });
    return {
      ...page,
      viewers: page.viewers.map((row) => {
        if (row.delayMs === undefined) return row;
        const location = job.find(row.viewer);
        const clock = location && this.members.get(location.member)?.link.remoteClock;
        return { ...row, delayMs: row.delayMs + clockCorrectionMs(clock, ourClock) };
      }),
    };
  }

  async viewer(name: string, viewer: number): Promise<ViewerDetail> {
    const location = this.job(name).find(viewer);
    const member = location && this.members.get(location.member);
    if (!location || !member?.driver.viewer)
      throw new FullhouseError(
        'no-viewer-detail',
        `The member of ${this.options.who} with viewer ${viewer} has ended.`,
      );
    return member.driver.viewer(name, location.viewer);
  }

  private get live(): Member[] {
    return [...this.members.values()].filter(({ link }) => link.state === 'live').sort((a, b) => a.index - b.index);
  }

  private job(name: string): GroupJob {
    const job = this.jobs.get(name);
    if (job) return job;
    throw new FullhouseError('no-job', `${this.options.who} has no job ${name}.`);
  }

  private presentOn(index: number): number {
    let present = 0;
    for (const job of this.jobs.values()) present += job.parts.get(index)?.present ?? 0;
    return present;
  }

  /** Rejects when the member refuses. One whose answer was lost is asked again once it reports that it has no such job. */
  private async startPart(
    job: GroupJob,
    part: MemberPart,
    { driver }: Member,
  ): Promise<{ readonly warnings: readonly string[] }> {
    const order = job.orderNow(this.options.clock.now());
    if (!order) return { warnings: [] };
    part.isAsked = true;
    try {
      return await driver.start(orderPart(order, part));
    } catch (error) {
      if (!(error instanceof FullhouseError) || !unanswered.has(error.code)) throw error;
      part.isAsked = false;
      return { warnings: [] };
    }
  }

  /** Asks all members at once; rejects with the first failure once all have answered. */
  private async ofAll<Part>(
    all: ReadonlyArray<readonly [number, Part]>,
    ask: (member: Member | undefined, part: Part) => Promise<number>,
  ): Promise<{ readonly present: number }> {
    const answers = await Promise.allSettled(all.map(([index, part]) => ask(this.members.get(index), part)));
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed) throw failed.reason as Error;
    return { present: answers.reduce((sum, answer) => sum + (answer.status === 'fulfilled' ? answer.value : 0), 0) };
  }

  private takeMachine(member: Member, samples: readonly PullSample[]): void {
    member.machine = {
      ...member.machine,
      tester: samples.find(({ tester }) => tester)?.tester ?? {},
      packetsPerSecond: samples.reduce((sum, { packetsPerSecond = 0 }) => sum + packetsPerSecond, 0),
    };
  }

  private takeReport(index: number, samples: readonly PullSample[]): void {
    const member = this.members.get(index);
    for (const job of this.jobs.values()) {
      const part = job.parts.get(index);
      if (!part || job.isHistory) continue;
      const sample = samples.find((sample) => sample.job === job.name);
      part.take(sample);
      if (sample || part.latest || part.isAsked || part.isLost || !member) continue;
      this.startPart(job, part, member).catch((error: unknown) => {
        this.problems.emit(`${member.name} refused ${part.viewers} viewers: ${(error as Error).message}`);
        this.lostViewers += part.lose(this.options.clock.now(), (error as Error).message);
      });
    }
  }

  private merge({ timeMs, reports }: Round<readonly PullSample[]>): void {
    for (const [index, all] of reports) for (const samples of all) this.takeReport(index, samples);
    this.emit(timeMs);
  }

  private emit(timeMs: number): void {
    const { tester, process } = machineFigures([...this.members.values()].map(({ machine }) => machine));
    if (this.lostViewers > 0) tester.viewersFailedOnTester = (tester.viewersFailedOnTester ?? 0) + this.lostViewers;
    const merged = [...this.jobs.values()].flatMap((job) => job.sample(timeMs) ?? []);
    this.process.emit({ timeMs, values: process });
    this.samples.emit(merged.map((sample) => ({ ...sample, tester })));
  }

  private forgetOld(): void {
    for (const [name, job] of this.jobs) {
      if (this.jobs.size <= maxHistory) return;
      if (job.isHistory) this.jobs.delete(name);
    }
  }
}

/** Delays are measured by the clock of the member. */
function inOurClock({ tester: _, ...sample }: PullSample, clock: ClockView | undefined): PullSample {
  const { delay } = sample;
  if (!delay) return sample;
  return { ...sample, delay: { ...delay, referenceMs: delay.referenceMs + clockCorrectionMs(clock, ourClock) } };
}
