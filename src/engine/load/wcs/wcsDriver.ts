import { FullhouseError } from '../../../contract/calls';
import { everySecond, type Clock } from '../../clock';
import { Emitter } from '../../emitter';
import type { WcsStatistics } from '../../servers/wcs/statistics/statistics';
import type { PullTerms, WcsRest } from '../../servers/wcs/wcsRest';
import type { LoadDriver, PullOrder, PullSample } from '../driver';
import { checkOrder, checkPorts, protocols, usualAgentPorts } from './checkOrder';
import { findLeftovers, terminateLeftovers, type Leftover } from './leftovers';
import { newInstance } from './names';
import { PullJob } from './pullJob';
import type { PullViewer } from './pullViewer';
import { TesterLook, type TesterSeen } from './testerLook';

export interface WcsDriverOptions {
  /** The tester's REST API. */
  readonly rest: WcsRest;
  readonly clock: Clock;
  /** Orders under way at once; fewer than the connections of the link, so that questions are not kept waiting. Default 4. */
  readonly mostUnderWay?: number;
  /** How long the tester may take to take an order; default 15,000. */
  readonly orderTimeoutMs?: number;
}

/** A WCS as a tester. */
export interface WcsDriver extends LoadDriver {
  /** Reads the tester's statistics, and how many viewers it can play by them. Rejects when it does not answer. */
  refresh(): Promise<WcsStatistics>;
  /** A sentence when the tester can't be asked while it pulls, undefined when it can again. Meanwhile there are no samples. */
  onProblem(listener: (sentence: string | undefined) => void): () => void;
  /** Pulls that a console of ours left there: after a crash, or of another console that still runs. Jobs of this driver are none. */
  leftovers(): Promise<readonly Leftover[]>;
  /** Ends leftovers, by default all; resolves with those that would not end. */
  terminateLeftovers(which?: readonly Leftover[]): Promise<{ readonly left: readonly Leftover[] }>;
  /** Ends the timers. Pulls that are still there stay: stop them first. */
  close(): void;
}

const tickMs = 20;
const terminateTimeoutMs = 5000;
const sessionsAtOnce = 200;
/** A job shows in this many more samples after it ended. */
const beatsAfterEnd = 5;

/** Makes a WCS play the audience: each viewer is a stream that it pulls from the origin, at the rate asked. */
export function wcsDriver(options: WcsDriverOptions): WcsDriver {
  return new Driver(options);
}

class Driver implements WcsDriver {
  readonly protocols = protocols;
  private readonly rest: WcsRest;
  private readonly clock: Clock;
  private readonly mostUnderWay: number;
  private readonly orderTimeoutMs: number;
  private readonly instance = newInstance();
  private readonly look: TesterLook;
  private readonly jobs = new Map<string, PullJob>();
  private readonly orders = new Map<PullViewer, AbortController>();
  private readonly samples = new Emitter<readonly PullSample[]>();
  private readonly problems = new Emitter<string | undefined>();
  private freePorts: number | undefined;
  private problem: string | undefined;
  private lastOrdinal = 0;
  private underWay = 0;
  private isLooking = false;
  private stopTick: (() => void) | undefined;
  private stopBeat: (() => void) | undefined;

  constructor({ rest, clock, mostUnderWay = 4, orderTimeoutMs = 15_000 }: WcsDriverOptions) {
    this.rest = rest;
    this.clock = clock;
    this.mostUnderWay = mostUnderWay;
    this.orderTimeoutMs = orderTimeoutMs;
    this.look = new TesterLook(rest, clock.now);
  }

  get viewerLimit(): number {
    return (this.freePorts ?? usualAgentPorts) + this.present();
  }

  async refresh(): Promise<WcsStatistics> {
    const statistics = await this.rest.statistics();
    this.freePorts = statistics.numbers.get('ports_wcs_agents_free');
    return statistics;
  }

  async start(order: PullOrder): Promise<{ readonly warnings: readonly string[] }> {
    const { who } = this.rest;
    checkOrder(who, order);
    if (this.jobs.has(order.job) && this.jobs.get(order.job)?.state !== 'ended')
      throw new FullhouseError('duplicate-job', `${who} has a job ${order.job} already.`);
    await this.refresh();
    const waiting = this.active().reduce((sum, job) => sum + job.viewers.length - job.present, 0);
    // Its agent ports are for its own signalling; of those for RTMP it tells nothing.
    const free = order.protocol === 'wcs' ? this.freePorts : undefined;
    checkPorts(who, waiting + order.viewers, free);
    this.lastOrdinal += 1;
    this.jobs.set(order.job, new PullJob(order, this.instance, this.lastOrdinal, this.clock.now()));
    this.run();
    return {
      warnings: [
        'This tester is a WCS: it tells of its viewers once a second, so times to connect may be 1 s too long; packets, loss, jitter and round trips it does not tell.',
      ],
    };
  }

  stop(name: string, force: boolean): Promise<{ readonly left: number }> {
    const job = this.jobs.get(name);
    if (!job) return Promise.reject(new FullhouseError('no-job', `${this.rest.who} has no job ${name}.`));
    this.leave(job, force);
    return Promise.resolve({ left: job.present });
  }

  stopAll(force: boolean): Promise<{ readonly left: number }> {
    for (const job of this.active()) this.leave(job, force);
    return Promise.resolve({ left: this.present() });
  }

  onSample(listener: (samples: readonly PullSample[]) => void): () => void {
    return this.samples.on(listener);
  }

  onProblem(listener: (sentence: string | undefined) => void): () => void {
    return this.problems.on(listener);
  }

  viewers: LoadDriver['viewers'] = (name, offset, limit, state) => {
    const job = this.jobs.get(name);
    if (!job) return Promise.reject(new FullhouseError('no-job', `${this.rest.who} has no job ${name}.`));
    const fitting = state ? job.viewers.filter((viewer) => viewer.state === state) : job.viewers;
    const viewers = fitting.slice(offset, offset + limit).map((viewer) => viewer.row());
    return Promise.resolve({ total: fitting.length, viewers });
  };

  leftovers(): Promise<readonly Leftover[]> {
    return findLeftovers(
      this.rest,
      ({ instance, job }) =>
        instance === this.instance && this.active().some(({ ordinal }) => ordinal === job),
    );
  }

  async terminateLeftovers(which?: readonly Leftover[]): Promise<{ readonly left: readonly Leftover[] }> {
    return { left: await terminateLeftovers(this.rest, which ?? (await this.leftovers())) };
  }

  close(): void {
    for (const control of this.orders.values()) control.abort();
    this.stopTick?.();
    this.stopBeat?.();
    this.stopTick = undefined;
    this.stopBeat = undefined;
  }

  private active(): PullJob[] {
    return [...this.jobs.values()].filter(({ state }) => state !== 'ended');
  }

  private present(): number {
    return this.active().reduce((sum, job) => sum + job.present, 0);
  }

  private leave(job: PullJob, force: boolean): void {
    job.leave();
    if (force) this.force(job);
    this.pump();
  }

  /** Takes back what is under way, and ends many streams with one request, beside the pulls that are told one by one. */
  private force(job: PullJob): void {
    for (const viewer of job.viewers) this.orders.get(viewer)?.abort();
    const ids = job.heldSessions();
    for (let index = 0; index < ids.length; index += sessionsAtOnce)
      this.rest.stream
        .terminate(ids.slice(index, index + sessionsAtOnce), { timeoutMs: terminateTimeoutMs })
        // Whether they went is seen by the next look; the pulls are told on their own in any case.
        .catch(() => undefined);
  }

  /** Timers run while there is a job to report of. */
  private run(): void {
    this.stopBeat ??= everySecond(this.clock, () => void this.beat());
    if (this.stopTick) return;
    const tick = (): void => {
      this.stopTick = this.clock.after(tickMs, tick);
      this.pump();
    };
    tick();
  }

  private rests(): void {
    if (this.active().length > 0) return;
    this.stopTick?.();
    this.stopTick = undefined;
    if ([...this.jobs.values()].every(({ beatsOver }) => beatsOver > beatsAfterEnd)) {
      this.stopBeat?.();
      this.stopBeat = undefined;
    }
  }

  /** Sends what is due, as far as there is room. Who has to go comes before who wants in. */
  private pump(): void {
    const nowMs = this.clock.now();
    for (const job of this.jobs.values()) {
      while (this.underWay < this.mostUnderWay) {
        const leaving = job.end(nowMs);
        if (leaving) {
          void this.terminate(job, leaving);
          continue;
        }
        const coming = job.begin(nowMs);
        if (!coming) break;
        void this.orderFor(job, coming);
      }
    }
  }

  private async orderFor(job: PullJob, viewer: PullViewer): Promise<void> {
    const control = new AbortController();
    this.orders.set(viewer, control);
    this.underWay += 1;
    try {
      await this.rest.pull.pull(termsOf(job.order, viewer), {
        timeoutMs: this.orderTimeoutMs,
        signal: control.signal,
      });
      job.accepted(viewer, this.clock.now());
    } catch (error) {
      job.refused(viewer, error, this.clock.now());
    } finally {
      this.orders.delete(viewer);
      this.underWay -= 1;
      this.pump();
    }
  }

  private async terminate(job: PullJob, viewer: PullViewer): Promise<void> {
    this.underWay += 1;
    try {
      await this.rest.pull.terminate(termsOf(job.order, viewer), { timeoutMs: terminateTimeoutMs });
    } catch (error) {
      // Anything but "no such pull" leaves it listed, and it is told again by the next beats.
      if (error instanceof FullhouseError && error.code === 'http-404')
        await this.terminateStream(job, viewer);
    } finally {
      this.underWay -= 1;
      this.pump();
    }
  }

  /** The pull is none to `/pull/terminate`: it may be over, or be one of RTMP, which ends by the session of its stream. */
  private async terminateStream(job: PullJob, viewer: PullViewer): Promise<void> {
    const { mediaSessionId } = viewer;
    if (job.order.protocol !== 'rtmp' || mediaSessionId === undefined)
      return job.notThere(viewer, this.clock.now());
    try {
      await this.rest.stream.terminate([mediaSessionId], { timeoutMs: terminateTimeoutMs });
    } catch (error) {
      if (error instanceof FullhouseError && error.code === 'http-404')
        job.notThere(viewer, this.clock.now());
    }
  }

  private async beat(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      const byRtmp = this.active().some(({ order }) => order.protocol === 'rtmp');
      const seen = await this.look.look(byRtmp);
      this.take(seen);
      this.tell(undefined);
    } catch (error) {
      this.tell(error instanceof Error ? error.message : String(error));
    } finally {
      this.isLooking = false;
    }
  }

  private take(seen: TesterSeen): void {
    const nowMs = this.clock.now();
    const { statistics } = seen;
    this.freePorts = statistics?.numbers.get('ports_wcs_agents_free') ?? this.freePorts;
    const told = [...this.jobs.values()].filter(({ beatsOver }) => beatsOver <= beatsAfterEnd);
    for (const job of told) job.see(nowMs, seen);
    // The tester counts the degraded streams of everybody; a job answers for its part of all that are there.
    const degraded = statistics?.numbers.get('degraded_streams') ?? 0;
    const all = Math.max(1, seen.streams.size);
    this.samples.emit(told.map((job) => job.sample(nowMs, Math.round((degraded * job.connected()) / all))));
    this.pump();
    this.rests();
  }

  private tell(sentence: string | undefined): void {
    if (sentence === this.problem) return;
    this.problem = sentence;
    this.problems.emit(sentence);
  }
}

/** By RTMP the address holds the stream, and every pull has the same. */
function termsOf({ url, stream }: PullOrder, { name }: PullViewer): PullTerms {
  return { uri: url.replace(/\/+$/, ''), localStreamName: name, remoteStreamName: stream };
}
