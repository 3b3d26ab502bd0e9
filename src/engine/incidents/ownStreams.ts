import type { JobView } from '../../domain/model/run';

/** A server may list a stream for this long after it was ended here. */
const listedAfterMs = 60_000;

/** The streams that this console publishes or has just ended: they are no incidents. */
export class OwnStreams {
  /** By node and stream, until when it counts. */
  private readonly untilMs = new Map<string, { readonly node: string; readonly name: RegExp; untilMs: number }>();

  /** To be called once a second with all publications; `node` is the id in the fleet. */
  take(jobs: ReadonlyArray<Pick<JobView, 'node' | 'stream'>>, nowMs: number): void {
    for (const { node, stream } of jobs) {
      const key = `${node}|${stream}`;
      const known = this.untilMs.get(key);
      if (known) known.untilMs = nowMs + listedAfterMs;
      else this.untilMs.set(key, { node, name: patternOf(stream), untilMs: nowMs + listedAfterMs });
    }
    for (const [key, { untilMs }] of this.untilMs) if (untilMs < nowMs) this.untilMs.delete(key);
  }

  has(node: string, stream: string): boolean {
    return [...this.untilMs.values()].some((each) => each.node === node && each.name.test(stream));
  }
}

/** `{n}` in a name is the number of each of several publishers. */
function patternOf(stream: string): RegExp {
  const parts = stream.split('{n}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('\\d+')}$`);
}
