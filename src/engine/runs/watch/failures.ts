import type { FailureGroup } from '../../../domain/model/run';
import { failureKey } from '../../../domain/run/failureKey';

const notable = [1, 10, 100, 1000, 10_000, 100_000];

/** Reports a kind of failure when it first happens, and again each time its count has grown tenfold. */
export class FailureWatch {
  private readonly reported = new Map<string, number>();

  update(groups: readonly FailureGroup[]): Array<{ readonly group: FailureGroup; readonly first: boolean }> {
    return groups.flatMap((group) => {
      const key = failureKey(group);
      const before = this.reported.get(key) ?? 0;
      const reached = Math.max(0, ...notable.filter((count) => count <= group.count));
      if (reached <= before) return [];
      this.reported.set(key, reached);
      return [{ group, first: before === 0 }];
    });
  }
}
