import type { FailureGroup } from '../../../domain/run';

const notable = [1, 10, 100, 1000, 10_000, 100_000];

/** Tells of a kind of failure when it first happens, and again each time its count has grown tenfold. */
export class FailureWatch {
  private readonly told = new Map<string, number>();

  update(groups: readonly FailureGroup[]): Array<{ readonly group: FailureGroup; readonly first: boolean }> {
    return groups.flatMap((group) => {
      const key = `${group.tester} ${group.stage} ${group.cause}`;
      const before = this.told.get(key) ?? 0;
      const reached = Math.max(0, ...notable.filter((count) => count <= group.count));
      if (reached <= before) return [];
      this.told.set(key, reached);
      return [{ group, first: before === 0 }];
    });
  }
}
