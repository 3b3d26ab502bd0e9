import type { NodeView } from '../../../domain/model/node';
import type { FailureGroup, TesterLimit } from '../../../domain/model/run';
import type { Sample } from '../../../domain/series/series';
import { failuresOfTester, monitoredTester } from '../../../domain/tester/testerLimit';
import { testerSeries } from '../../../domain/tester/testerRules';
import { byTime, TesterLimitDetector } from '../../../domain/tester/testerWatch';

const observed: ReadonlySet<string> = new Set(testerSeries);

/** The testers and origins in the pulls of a run. */
export interface PulledNodes {
  readonly origins: readonly NodeView[];
  readonly testers: readonly NodeView[];
}

/** What has changed since the last check, and since when. */
export interface LimitChange {
  readonly state: 'began' | 'ended';
  readonly limit: TesterLimit;
}

/** Checks whether the testers of an active run are at their own limit. */
export class TesterLimits {
  private readonly watches = new Map<string, TesterLimitDetector>();
  private readonly refused: TesterLimit[] = [];

  constructor(private readonly runStartMs: number) {}

  /** All intervals so far, in order of time. */
  get all(): TesterLimit[] {
    return [...this.refused, ...[...this.watches.values()].flatMap(({ limits }) => limits)].sort(byTime);
  }

  /** Testers that could not take their share. */
  get refusals(): readonly TesterLimit[] {
    return this.refused;
  }

  refuse(limit: TesterLimit): void {
    this.refused.push(limit);
  }

  take({ series, node, timeMs, value }: Sample): void {
    if (observed.has(series)) this.watches.get(node)?.take(series, timeMs, value);
  }

  /** To be called once a second while viewers are connected. */
  look(nowMs: number, { origins, testers }: PulledNodes, failures: readonly FailureGroup[]): LimitChange[] {
    return testers.flatMap((tester) => {
      const watch =
        this.watches.get(tester.id) ?? new TesterLimitDetector(monitoredTester(tester, origins), this.runStartMs);
      this.watches.set(tester.id, watch);
      watch.takeFailures(failuresOfTester(tester.id, failures));
      const { began, ended } = watch.look(nowMs);
      return [
        ...began.map((limit): LimitChange => ({ state: 'began', limit })),
        ...ended.map((limit): LimitChange => ({ state: 'ended', limit })),
      ];
    });
  }
}
