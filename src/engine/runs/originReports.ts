/** An origin's report of its viewers, without control players. */
export interface OriginReport {
  readonly timeMs: number;
  readonly viewers: number;
  readonly degraded?: number;
  readonly outMbps?: number;
}

/** An older report is not shown as current. */
const freshMs = 3500;

/** The latest report of every origin of a run. */
export class OriginReports<Node extends { readonly running: boolean }> {
  private readonly words = new Map<Node, OriginReport>();

  take(node: Node, word: OriginReport): void {
    this.words.set(node, word);
  }

  /** Sums over the origins with a recent report; absent figures stay absent. */
  totals(nowMs: number): {
    readonly viewers?: number;
    readonly degraded?: number;
    readonly outMbps?: number;
  } {
    const fresh = [...this.words].flatMap(([node, word]) =>
      node.running && nowMs - word.timeMs <= freshMs ? [word] : [],
    );
    const sum = (pick: (word: OriginReport) => number | undefined): number | undefined => {
      const known = fresh.flatMap((word) => pick(word) ?? []);
      return known.length > 0 ? known.reduce((total, value) => total + value, 0) : undefined;
    };
    return {
      viewers: sum((word) => word.viewers),
      degraded: sum((word) => word.degraded),
      outMbps: sum((word) => word.outMbps),
    };
  }

  /** Whether every running origin has reported, since `sinceMs`, that no viewer is left. */
  areEmpty(sinceMs: number): boolean {
    return [...this.words].every(([node, word]) => !node.running || (word.timeMs >= sinceMs && word.viewers === 0));
  }

  /** The count of the running origins; undefined when none of them can be queried. */
  left(): number | undefined {
    const answering = [...this.words].filter(([node]) => node.running);
    return answering.length > 0 ? answering.reduce((sum, [, word]) => sum + word.viewers, 0) : undefined;
  }
}
