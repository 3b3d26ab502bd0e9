import type { Sample } from '../../domain/series/series';

/** Limit of pending samples in memory (about 100 MB); a run of twenty nodes takes half an hour to reach it. */
const maxPending = 600_000;

/** Samples that are not in the run's file yet. When there are too many, every second one of the oldest is dropped. */
export class PendingSamples {
  /** How many were dropped since `forgetThinned`. */
  thinned = 0;
  private samples: Sample[] = [];

  constructor(private readonly most = maxPending) {}

  get count(): number {
    return this.samples.length;
  }

  add(samples: readonly Sample[]): void {
    for (const sample of samples) this.samples.push(sample);
    if (this.samples.length > this.most) this.thin();
  }

  /** The oldest, `count` at most; they stay until `drop`. */
  first(count: number): readonly Sample[] {
    return this.samples.slice(0, count);
  }

  drop(count: number): void {
    this.samples.splice(0, count);
  }

  private thin(): void {
    const half = Math.floor(this.samples.length / 2);
    const isOdd = new Map<string, boolean>();
    const remainingSamples = this.samples.filter(({ node, series }, i) => {
      if (i >= half) return true;
      const key = `${node}\n${series}`;
      const keep = isOdd.get(key) !== true;
      isOdd.set(key, keep);
      return keep;
    });
    this.thinned += this.samples.length - remainingSamples.length;
    this.samples = remainingSamples;
  }
}
