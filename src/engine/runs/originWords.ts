/** What an origin said of its viewers, control players already taken off. */
export interface OriginWord {
  readonly timeMs: number;
  readonly viewers: number;
  readonly degraded?: number;
  readonly outMbps?: number;
}

/** An older word is not shown as if it were of now. */
const freshMs = 3500;

/** The latest word of every origin of a run. */
export class OriginWords<Node extends { readonly running: boolean }> {
  private readonly words = new Map<Node, OriginWord>();

  take(node: Node, word: OriginWord): void {
    this.words.set(node, word);
  }

  get count(): number {
    return this.words.size;
  }

  /** Sums over the origins that have spoken lately; absent figures stay absent. */
  totals(nowMs: number): {
    readonly viewers?: number;
    readonly degraded?: number;
    readonly outMbps?: number;
  } {
    const fresh = [...this.words].flatMap(([node, word]) =>
      node.running && nowMs - word.timeMs <= freshMs ? [word] : [],
    );
    const sum = (pick: (word: OriginWord) => number | undefined): number | undefined => {
      const known = fresh.flatMap((word) => pick(word) ?? []);
      return known.length > 0 ? known.reduce((total, value) => total + value, 0) : undefined;
    };
    return {
      viewers: sum((word) => word.viewers),
      degraded: sum((word) => word.degraded),
      outMbps: sum((word) => word.outMbps),
    };
  }

  /** Whether every origin that still runs has said, since `sinceMs`, that nobody is left. */
  areEmpty(sinceMs: number): boolean {
    return [...this.words].every(
      ([node, word]) => !node.running || (word.timeMs >= sinceMs && word.viewers === 0),
    );
  }

  /** What the origins that still run count; undefined when none of them can be asked. */
  left(): number | undefined {
    const answering = [...this.words].filter(([node]) => node.running);
    return answering.length > 0 ? answering.reduce((sum, [, word]) => sum + word.viewers, 0) : undefined;
  }
}
