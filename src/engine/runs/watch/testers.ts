import type { NodeView } from '../../../domain/node';
import type { FailureGroup, TesterLimit } from '../../../domain/run';
import type { Sample } from '../../../domain/series';
import { failedHere, watchedTester } from '../../../domain/tester/testerLimit';
import { testerSeries } from '../../../domain/tester/testerRules';
import { byTime, TesterWatch } from '../../../domain/tester/testerWatch';

const watched: ReadonlySet<string> = new Set(testerSeries);

/** Who takes part in the pulls of a run. */
export interface Cast {
  readonly origins: readonly NodeView[];
  readonly testers: readonly NodeView[];
}

/** What has changed since the last look, and since when. */
export interface LimitNews {
  readonly state: 'began' | 'ended';
  readonly limit: TesterLimit;
}

/** Watches whether the testers of a run are at their own limit while it goes on. */
export class TesterLimits {
  private readonly watches = new Map<string, TesterWatch>();
  private readonly refused: TesterLimit[] = [];

  constructor(private readonly runStartMs: number) {}

  /** All stretches so far, in the order of time. */
  get all(): TesterLimit[] {
    return [...this.refused, ...[...this.watches.values()].flatMap(({ limits }) => limits)].sort(byTime);
  }

  /** Testers that could not take their part. */
  get refusals(): readonly TesterLimit[] {
    return this.refused;
  }

  refuse(limit: TesterLimit): void {
    this.refused.push(limit);
  }

  take({ series, node, timeMs, value }: Sample): void {
    if (watched.has(series)) this.watches.get(node)?.take(series, timeMs, value);
  }

  /** To be called once a second while viewers are there to be watched. */
  look(nowMs: number, { origins, testers }: Cast, failures: readonly FailureGroup[]): LimitNews[] {
    return testers.flatMap((tester) => {
      const watch =
        this.watches.get(tester.id) ?? new TesterWatch(watchedTester(tester, origins), this.runStartMs);
      this.watches.set(tester.id, watch);
      watch.takeFailures(failedHere(tester.id, failures));
      const { began, ended } = watch.look(nowMs);
      return [
        ...began.map((limit): LimitNews => ({ state: 'began', limit })),
        ...ended.map((limit): LimitNews => ({ state: 'ended', limit })),
      ];
    });
  }
}
