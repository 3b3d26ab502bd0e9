import { FullhouseError } from '../../../contract/calls';
import { Histogram } from '../../../domain/distribution/histogram';
import { type FailureCause, isListed } from '../../../domain/failure/causes';
import { percentile } from '../../../domain/series/percentile';
import type { AudienceViewer } from '../../../contract/viewerSchemas';
import type { PullOrder, PullSample } from '../driver';
import { pullName } from './names';
import { Pace } from './pace';
import { PullViewer } from './pullViewer';
import type { TesterLists } from './testerPoll';
import { errorText } from '../../../domain/text/errorText';

/** A terminated pull that is still listed is terminated again after this time. */
const terminateAgainMs = 3000;

/** One job of a tester: its viewers, which of them to start or end now, and their results. No I/O. */
export class PullJob {
  readonly viewers: readonly PullViewer[];
  state: PullSample['state'] = 'ramping-up';
  /** Ticks since it ended. */
  ticksSinceEnd = 0;
  private readonly byName: ReadonlyMap<string, PullViewer>;
  private readonly pace: Pace;
  private next = 0;
  private active = 0;
  private firstMs: number | undefined;
  private lastMs: number | undefined;
  private connectedNow: number[] = [];
  private ending: PullViewer[] = [];
  private readonly failures = new Map<string, PullSample['failures'][number]>();

  constructor(
    readonly order: PullOrder,
    instance: string,
    readonly ordinal: number,
    nowMs: number,
  ) {
    this.viewers = Array.from(
      { length: order.viewers },
      (_, index) => new PullViewer(index + 1, pullName({ instance, job: ordinal, viewer: index + 1 })),
    );
    this.byName = new Map(this.viewers.map((viewer) => [viewer.name, viewer]));
    this.pace = new Pace(order.ratePerSecond, nowMs);
  }

  /** The next viewer, when one is due. */
  begin(nowMs: number): PullViewer | undefined {
    if (this.state !== 'ramping-up' || this.pace.available(nowMs) < 1) return undefined;
    const viewer = this.viewers[this.next];
    if (!viewer) return undefined;
    this.next += 1;
    this.pace.use(1);
    this.active += 1;
    this.firstMs ??= nowMs;
    this.lastMs = nowMs;
    viewer.arrivedMs = nowMs;
    viewer.state = 'connecting';
    viewer.isHeld = true;
    return viewer;
  }

  accepted(viewer: PullViewer, nowMs: number): void {
    this.active -= 1;
    viewer.accept(nowMs);
    if (viewer.state === 'disconnecting') this.ending.push(viewer);
    this.settle();
  }

  /** The order failed. Only an HTTP status means that the tester did not execute it; otherwise that is open. */
  refused(viewer: PullViewer, error: unknown, nowMs: number): void {
    this.active -= 1;
    const code = error instanceof FullhouseError ? error.code : 'internal';
    viewer.refuse(nowMs, code.startsWith('http-'));
    if (viewer.state === 'disconnecting') {
      if (!viewer.isHeld) viewer.state = 'disconnected';
    } else {
      viewer.fail('signalling', causeOfOrder(code), errorText(error));
      this.count(viewer, nowMs);
    }
    this.settle();
  }

  /** The next viewer to terminate; it counts as terminated. */
  end(nowMs: number): PullViewer | undefined {
    let viewer = this.ending.shift();
    // Those that ended meanwhile need no request.
    while (viewer && !viewer.isHeld) viewer = this.ending.shift();
    if (viewer) viewer.terminatedMs = nowMs;
    return viewer;
  }

  /** The tester reports that it has no such pull. */
  markMissing(viewer: PullViewer, nowMs: number): void {
    if (nowMs < viewer.unsureUntilMs) return;
    viewer.isHeld = false;
    if (viewer.state === 'disconnecting') viewer.state = 'disconnected';
  }

  /** Disconnects all viewers. Viewers that had not started stay waiting. */
  leave(): void {
    if (this.state === 'ended') return;
    this.state = 'tearing-down';
    for (const viewer of this.viewers) {
      if (viewer.state !== 'connecting' && viewer.state !== 'connected') continue;
      viewer.state = 'disconnecting';
      viewer.degraded = undefined;
      if (viewer.answeredMs !== undefined) this.ending.push(viewer);
    }
  }

  /** Takes the tester's lists, and advances the time. */
  see(nowMs: number, lists: TesterLists): void {
    for (const [name, viewer] of this.byName) {
      if (viewer.arrivedMs === undefined || viewer.state === 'disconnected') continue;
      const pull = lists.pulls.get(name);
      const stream = lists.streams.get(name);
      const before = viewer.state;
      const isAsked = lists.asked === undefined || lists.asked.has(name);
      const isNew = isAsked
        ? viewer.see(nowMs, lists.requestedMs, pull, stream, lists.hasMetrics)
        : viewer.seePull(pull);
      if (isNew) this.connectedNow.push(nowMs - viewer.arrivedMs);
      if (before !== 'failed' && viewer.state === 'failed') this.count(viewer, nowMs);
      const isUnwanted = viewer.state === 'failed' || viewer.state === 'disconnecting';
      const wasTerminated = viewer.terminatedMs !== undefined && nowMs - viewer.terminatedMs < terminateAgainMs;
      if (isUnwanted && (pull || stream) && viewer.answeredMs !== undefined && !wasTerminated)
        if (!this.ending.includes(viewer)) this.ending.push(viewer);
    }
    const nominalFps = this.order.nominalFps ?? percentile(this.rates(), 90) ?? 0;
    for (const viewer of this.viewers) viewer.judge(nowMs, nominalFps);
    const { maxHoldMs } = this.order;
    if (this.state === 'holding' && maxHoldMs > 0 && nowMs - (this.lastMs ?? nowMs) >= maxHoldMs) this.leave();
    this.settle();
    if (this.state === 'ended') this.ticksSinceEnd += 1;
  }

  /** Names of the pulls that may exist on the tester: those without media yet, or the others. */
  heldNames(which: 'connecting' | 'others'): string[] {
    return this.viewers.flatMap(({ name, isHeld, state, answeredMs }) =>
      isHeld && answeredMs !== undefined && (state === 'connecting') === (which === 'connecting') ? name : [],
    );
  }

  /** Sessions of the streams that are still open. */
  heldSessions(): string[] {
    return this.viewers.flatMap(({ isHeld, mediaSessionId }) => (isHeld && mediaSessionId ? mediaSessionId : []));
  }

  get present(): number {
    return this.viewers.filter(({ isHeld }) => isHeld).length;
  }

  connected(): number {
    return this.countOf('connected');
  }

  /** `worse`: degraded viewers by the tester's own count, of which this job has its share. */
  sample(nowMs: number, worse: number): PullSample {
    const connected = this.connected();
    const rates = this.rates();
    const degradedCount = this.viewers.filter(({ degraded }) => degraded !== undefined).length;
    const { order } = this;
    const connectMs = this.connectedNow;
    this.connectedNow = [];
    return {
      timeMs: nowMs,
      job: order.job,
      state: this.state,
      requested: order.viewers,
      waiting: this.countOf('waiting'),
      connecting: this.countOf('connecting'),
      connected,
      failed: this.countOf('failed'),
      degraded: Math.max(degradedCount, Math.min(connected, worse)),
      present: this.present,
      rateTarget: order.ratePerSecond,
      rateAchieved: this.rateAchieved(),
      bitrateKbps: this.viewers.reduce((sum, viewer) => sum + viewer.bitsPerSecond, 0) / 1000,
      stalls: this.viewers.reduce((sum, viewer) => sum + viewer.stalls, 0),
      distributions: {
        ...(rates.length > 0 ? { frameRate: Histogram.of(rates) } : {}),
        ...(connectMs.length > 0 ? { connectMs: Histogram.of(connectMs) } : {}),
      },
      values: {},
      failures: [...this.failures.values()],
    };
  }

  /** Frame rates of the connected viewers, ascending. */
  private rates(): number[] {
    return this.viewers.flatMap(({ fps }) => fps ?? []).sort((one, other) => one - other);
  }

  /** Over all arrivals, from the first to the latest. */
  private rateAchieved(): number {
    const spanMs = (this.lastMs ?? 0) - (this.firstMs ?? 0);
    return spanMs > 0 ? ((this.next - 1) * 1000) / spanMs : 0;
  }

  private countOf(state: AudienceViewer['state']): number {
    return this.viewers.filter((viewer) => viewer.state === state).length;
  }

  private settle(): void {
    if (this.state === 'ramping-up' && this.next >= this.viewers.length && this.active === 0) this.state = 'holding';
    if (this.state === 'tearing-down' && this.active === 0 && this.present === 0) this.state = 'ended';
  }

  private count({ number, failure }: PullViewer, timeMs: number): void {
    if (!failure) return;
    const { stage, cause, detail } = failure;
    const key = `${stage} ${cause}`;
    const known = this.failures.get(key);
    this.failures.set(
      key,
      known
        ? { ...known, count: known.count + 1 }
        : { stage, cause, count: 1, example: { viewer: number, timeMs, detail } },
    );
  }
}

/** The cause of an order that failed with an error code. */
function causeOfOrder(code: string): FailureCause {
  const status = /^http-(\d{3})$/.exec(code);
  if (status) return `http-${Number(status[1])}`;
  return isListed(code) ? code : 'order-failed';
}
