import { wcsTesterProtocols } from '../../../domain/model/protocols';
import { FullhouseError } from '../../../contract/calls';
import { everySecond, type Clock } from '../../base/clock';
import { Emitter } from '../../base/emitter';
import type { WcsStatistics } from '../../servers/wcs/statistics/statistics';
import type { PullParams, WcsRest } from '../../servers/wcs/wcsRest';
import type { LoadDriver, PullOrder, PullSample } from '../driver';
import { checkOrder, defaultAgentPorts, portWarning, type AgentPorts } from './checkOrder';
import { findLeftovers, terminateLeftovers, type WcsLeftover } from './leftovers';
import { newInstance } from './names';
import { PullJob } from './pullJob';
import type { PullViewer } from './pullViewer';
import { TesterPoll, type TesterLists } from './testerPoll';
import { errorText } from '../../../domain/text/errorText';

export interface WcsDriverOptions {
  /** The tester's REST API. */
  readonly rest: WcsRest;
  readonly clock: Clock;
  /** Concurrent orders; fewer than the connections of the link, so that polls are not delayed. Default 4. */
  readonly maxConcurrent?: number;
  /** Timeout for the tester to accept an order; default 15,000. */
  readonly orderTimeoutMs?: number;
}

/** A WCS as a tester. */
export interface WcsDriver extends LoadDriver {
  /** Viewers by WCS signalling for which the tester has ports, present ones included; more are tried all the same. */
  readonly portLimit: number;
  /** Reads the tester's statistics, and its ports from them. Rejects when it does not respond. */
  refresh(): Promise<WcsStatistics>;
  /**
   * A sentence when the tester can't be polled while it pulls, undefined when it can again. Meanwhile there are no
   * samples.
   */
  onProblem(listener: (sentence: string | undefined) => void): () => void;
  /** The part of its pulls' names that identifies this driver. */
  readonly instance: string;
  /** Pulls of our consoles left there after a crash, or of another running console. Excludes jobs of this driver. */
  leftovers(): Promise<readonly WcsLeftover[]>;
  /** Ends leftovers, by default all; resolves with those that failed to end. */
  terminateLeftovers(which?: readonly WcsLeftover[]): Promise<{ readonly left: readonly WcsLeftover[] }>;
  /** Stops the timers. Active pulls stay: stop them first. */
  close(): void;
}

const tickMs = 20;
const terminateTimeoutMs = 5000;
/** A job appears in this many more samples after it ended. */
const ticksAfterEnd = 5;

/** Uses a WCS to run the audience: each viewer is a stream that it pulls from the origin, at the configured rate. */
export function wcsDriver(options: WcsDriverOptions): WcsDriver {
  return new Driver(options);
}

class Driver implements WcsDriver {
  readonly protocols = wcsTesterProtocols;
  private readonly rest: WcsRest;
  private readonly clock: Clock;
  private readonly maxConcurrent: number;
  private readonly orderTimeoutMs: number;
  readonly instance = newInstance();
  private readonly look: TesterPoll;
  private readonly jobs = new Map<string, PullJob>();
  private readonly orders = new Map<PullViewer, AbortController>();
  private readonly samples = new Emitter<readonly PullSample[]>();
  private readonly problems = new Emitter<string | undefined>();
  private ports: AgentPorts | undefined;
  private problem: string | undefined;
  private lastOrdinal = 0;
  private concurrent = 0;
  private isPolling = false;
  private stopTick: (() => void) | undefined;
  private stopTicks: (() => void) | undefined;

  constructor({ rest, clock, maxConcurrent = 4, orderTimeoutMs = 15_000 }: WcsDriverOptions) {
    this.rest = rest;
    this.clock = clock;
    this.maxConcurrent = maxConcurrent;
    this.orderTimeoutMs = orderTimeoutMs;
    this.look = new TesterPoll(rest, clock.now);
  }

  get portLimit(): number {
    if (!this.ports) return defaultAgentPorts;
    const { free, quarantine } = this.ports;
    const pulled = this.active().filter(({ order }) => order.protocol === 'wcs');
    return free + quarantine + pulled.reduce((sum, job) => sum + job.present, 0);
  }

  async refresh(): Promise<WcsStatistics> {
    const statistics = await this.rest.statistics();
    this.ports = portsOf(statistics);
    return statistics;
  }

  async start(order: PullOrder): Promise<{ readonly warnings: readonly string[] }> {
    const { who } = this.rest;
    checkOrder(who, order);
    if (this.jobs.has(order.job) && this.jobs.get(order.job)?.state !== 'ended')
      throw new FullhouseError('duplicate-job', `${who} has a job ${order.job} already.`);
    await this.refresh();
    const waiting = this.active()
      .filter((job) => job.order.protocol === 'wcs')
      .reduce((sum, job) => sum + job.viewers.length - job.present, 0);
    // A pull over RTMP takes none of these ports.
    const ofPorts = order.protocol === 'wcs' ? portWarning(waiting + order.viewers, this.ports) : undefined;
    this.lastOrdinal += 1;
    this.jobs.set(order.job, new PullJob(order, this.instance, this.lastOrdinal, this.clock.now()));
    this.run();
    return {
      warnings: [
        'This tester is a WCS: it reports its viewers once a second, so connect times may be up to 1 s too long; it does not report packets, loss, jitter and round trips.',
        ...(ofPorts === undefined ? [] : [ofPorts]),
      ],
    };
  }

  stop(name: string, force: boolean): Promise<{ readonly present: number }> {
    const job = this.jobs.get(name);
    if (!job) return Promise.reject(new FullhouseError('no-job', `${this.rest.who} has no job ${name}.`));
    this.leave(job, force);
    return Promise.resolve({ present: job.present });
  }

  stopAll(force: boolean): Promise<{ readonly present: number }> {
    for (const job of this.active()) this.leave(job, force);
    return Promise.resolve({ present: this.present() });
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

  leftovers(): Promise<readonly WcsLeftover[]> {
    return findLeftovers(
      this.rest,
      ({ instance, job }) => instance === this.instance && this.active().some(({ ordinal }) => ordinal === job),
    );
  }

  async terminateLeftovers(which?: readonly WcsLeftover[]): Promise<{ readonly left: readonly WcsLeftover[] }> {
    return { left: await terminateLeftovers(this.rest, which ?? (await this.leftovers())) };
  }

  close(): void {
    for (const control of this.orders.values()) control.abort();
    this.stopTick?.();
    this.stopTicks?.();
    this.stopTick = undefined;
    this.stopTicks = undefined;
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

  /** Cancels active orders, and ends the streams themselves, besides the requests that end their pulls. */
  private force(job: PullJob): void {
    for (const viewer of job.viewers) this.orders.get(viewer)?.abort();
    this.rest.stream
      .terminate(job.heldSessions(), { timeoutMs: terminateTimeoutMs })
      // Success is checked by the next poll; the pulls also get their own requests in any case.
      .catch(() => undefined);
  }

  /** Timers run while there is a job to report. */
  private run(): void {
    this.stopTicks ??= everySecond(this.clock, () => void this.pollTick());
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
    if ([...this.jobs.values()].every(({ ticksSinceEnd }) => ticksSinceEnd > ticksAfterEnd)) {
      this.stopTicks?.();
      this.stopTicks = undefined;
    }
  }

  /** Sends what is due, as far as slots are free. Disconnects come before connects. */
  private pump(): void {
    const nowMs = this.clock.now();
    for (const job of this.jobs.values()) {
      while (this.concurrent < this.maxConcurrent) {
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
    this.concurrent += 1;
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
      this.concurrent -= 1;
      this.pump();
    }
  }

  private async terminate(job: PullJob, viewer: PullViewer): Promise<void> {
    this.concurrent += 1;
    try {
      await this.rest.pull.terminate(termsOf(job.order, viewer), { timeoutMs: terminateTimeoutMs });
    } catch (error) {
      // Any other error leaves it listed, and the next ticks repeat the request.
      if (error instanceof FullhouseError && error.code === 'http-404') await this.terminateStream(job, viewer);
    } finally {
      this.concurrent -= 1;
      this.pump();
    }
  }

  /** Unknown to `/pull/terminate`: it may have ended, or be an RTMP pull, which ends by the session of its stream. */
  private async terminateStream(job: PullJob, viewer: PullViewer): Promise<void> {
    const { mediaSessionId } = viewer;
    if (job.order.protocol !== 'rtmp' || mediaSessionId === undefined) return job.markMissing(viewer, this.clock.now());
    try {
      await this.rest.stream.terminate([mediaSessionId], { timeoutMs: terminateTimeoutMs });
    } catch (error) {
      if (error instanceof FullhouseError && error.code === 'http-404') job.markMissing(viewer, this.clock.now());
    }
  }

  private async pollTick(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    try {
      const jobs = this.active();
      const seen = await this.look.look({
        byRtmp: jobs.some(({ order }) => order.protocol === 'rtmp'),
        connecting: jobs.flatMap((job) => job.heldNames('connecting')),
        others: jobs.flatMap((job) => job.heldNames('others')),
      });
      this.take(seen);
      this.report(undefined);
    } catch (error) {
      this.report(errorText(error));
    } finally {
      this.isPolling = false;
    }
  }

  private take(seen: TesterLists): void {
    const nowMs = this.clock.now();
    const { statistics } = seen;
    this.ports = (statistics && portsOf(statistics)) ?? this.ports;
    const reported = [...this.jobs.values()].filter(({ ticksSinceEnd }) => ticksSinceEnd <= ticksAfterEnd);
    for (const job of reported) job.see(nowMs, seen);
    // The tester counts all degraded streams; a job gets its share of all that are present.
    const degraded = statistics?.numbers.get('degraded_streams') ?? 0;
    const all = Math.max(1, seen.streams.size);
    this.samples.emit(reported.map((job) => job.sample(nowMs, Math.round((degraded * job.connected()) / all))));
    this.pump();
    this.rests();
  }

  private report(sentence: string | undefined): void {
    if (sentence === this.problem) return;
    this.problem = sentence;
    this.problems.emit(sentence);
  }
}

function portsOf({ numbers }: WcsStatistics): AgentPorts | undefined {
  const free = numbers.get('ports_wcs_agents_free');
  return free === undefined ? undefined : { free, quarantine: numbers.get('ports_wcs_agents_quarantine') ?? 0 };
}

/** For RTMP the address contains the stream, and every pull has the same. */
function termsOf({ url, stream }: PullOrder, { name }: PullViewer): PullParams {
  return { uri: url.replace(/\/+$/, ''), localStreamName: name, remoteStreamName: stream };
}
