import { testerLimitKinds, type TesterLimit, type TesterLimitKind } from '../model/run';
import type { SeriesId } from '../series/series';
import {
  testerRules,
  type TesterFailure,
  type TesterFigure,
  type TesterWindow,
  type MonitoredTester,
} from './testerRules';
import { formatRunTime } from '../text/timeFormat';

/** A spike of a second does no harm; one of five seconds does. */
const windowMs = 5000;
/** Minimum number of samples in a window. */
const minInWindow = 4;
/**
 * An interval continues while its figure is above this share of the limit, so that a hovering figure makes one
 * interval.
 */
const backRatio = 0.9;
/** It ends after this long below. */
const calmMs = 5000;

/** An interval while it changes. */
interface JudgedInterval {
  limit: TesterLimit;
  /** When a rule was last at the limit. */
  lastMs: number;
}

export interface TesterChanges {
  readonly began: readonly TesterLimit[];
  readonly ended: readonly TesterLimit[];
}

/** Sorts by start; of limits that started together, the one that explains the others is first. */
export function byTime(a: TesterLimit, b: TesterLimit): number {
  return a.fromMs - b.fromMs || testerLimitKinds.indexOf(a.kind) - testerLimitKinds.indexOf(b.kind);
}

/**
 * Finds the intervals in which one tester was at its own limit. Samples are added as measured, `look` is called once a
 * second: the same samples give the same intervals, live and from a file.
 */
export class TesterLimitDetector {
  private readonly recent = new Map<SeriesId, Array<{ readonly timeMs: number; readonly value: number }>>();
  private readonly open = new Map<TesterLimitKind, JudgedInterval>();
  private readonly over: TesterLimit[] = [];
  private failures: readonly TesterFailure[] = [];
  private firstMs: number | undefined;

  constructor(
    private readonly tester: MonitoredTester,
    private readonly runStartMs: number,
  ) {}

  take(series: SeriesId, timeMs: number, value: number): void {
    const known = this.recent.get(series);
    if (known) known.push({ timeMs, value });
    else this.recent.set(series, [{ timeMs, value }]);
  }

  /** Viewers that have failed due to the tester so far. */
  takeFailures(failures: readonly TesterFailure[]): void {
    this.failures = failures;
  }

  /** All intervals so far, in order of time. */
  get limits(): TesterLimit[] {
    return [...this.over, ...[...this.open.values()].map(({ limit }) => limit)].sort(byTime);
  }

  look(nowMs: number): TesterChanges {
    this.firstMs ??= nowMs;
    const window = this.window(nowMs);
    const began: TesterLimit[] = [];
    const ended: TesterLimit[] = [];
    for (const kind of testerLimitKinds) {
      const findings = testerRules[kind].flatMap((rule) => rule(window, this.tester) ?? []);
      const beyond = findings.find(({ ratio }) => ratio > 1);
      const interval = this.open.get(kind);
      if (!interval) {
        if (!beyond) continue;
        const limit = this.begin(kind, beyond, nowMs);
        this.open.set(kind, { limit, lastMs: nowMs });
        began.push(limit);
      } else if (findings.some(({ ratio }) => ratio > backRatio)) interval.lastMs = nowMs;
      else if (nowMs - interval.lastMs >= calmMs) {
        const limit = { ...interval.limit, toMs: interval.lastMs };
        this.open.delete(kind);
        this.over.push(limit);
        ended.push(limit);
      }
    }
    this.forget(nowMs);
    return { began, ended };
  }

  private begin(kind: TesterLimitKind, { words, expected }: TesterFigure, nowMs: number): TesterLimit {
    const { id, name } = this.tester;
    // The figure covers the entire window, so the interval started with it.
    const fromMs = Math.max(nowMs - windowMs, this.firstMs ?? nowMs);
    const connected = this.within('viewersConnected', nowMs)[0]?.value ?? 0;
    return {
      node: id,
      kind,
      fromMs,
      viewers: connected,
      sentence: `${name} was at its own limit: ${words}${this.onMember(nowMs)} at ${formatRunTime(nowMs - this.runStartMs)}.`,
      expected,
    };
  }

  /** The member of a group that is at its limit. */
  private onMember(nowMs: number): string {
    const place = this.within('testerWorstMember', nowMs).at(-1)?.value;
    const member = place === undefined ? undefined : this.tester.members?.[place - 1];
    return member === undefined ? '' : ` on ${member}`;
  }

  private within(series: SeriesId, nowMs: number): ReadonlyArray<{ readonly timeMs: number; readonly value: number }> {
    return (this.recent.get(series) ?? []).filter(({ timeMs }) => timeMs > nowMs - windowMs && timeMs <= nowMs);
  }

  private window(nowMs: number): TesterWindow {
    const sum = (series: SeriesId): number => this.within(series, nowMs).reduce((total, { value }) => total + value, 0);
    return {
      fromMs: nowMs - windowMs,
      toMs: nowMs,
      sum,
      mean: (series) => {
        const { length } = this.within(series, nowMs);
        return length < minInWindow ? undefined : sum(series) / length;
      },
      last: (series) => this.within(series, nowMs).at(-1)?.value,
      times: (series) => this.within(series, nowMs).filter(({ value }) => value > 0).length,
      growth: (series) => {
        const values = this.within(series, nowMs);
        return (values.at(-1)?.value ?? 0) - (values[0]?.value ?? 0);
      },
      failures: this.failures,
    };
  }

  private forget(nowMs: number): void {
    for (const values of this.recent.values()) {
      const firstWithin = values.findIndex(({ timeMs }) => timeMs > nowMs - windowMs);
      values.splice(0, firstWithin < 0 ? values.length : firstWithin);
    }
  }
}
