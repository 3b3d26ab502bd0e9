import type { Pod } from '../../domain/kubernetes/pod';
import { sleep, type Clock } from '../base/clock';
import type { Cluster } from './cluster';

/** Between the end of a watch and the next list. */
const retryMs = 1000;

/** The pods of a group, as the cluster reports them; a watch that ends is followed by a new list. */
export class PodWatch {
  private readonly abort = new AbortController();
  private known = new Map<string, Pod>();
  /** Why the cluster can't be read now. */
  problem: string | undefined;

  constructor(
    private readonly cluster: Pick<Cluster, 'pods' | 'watchPods'>,
    private readonly selector: string,
    /** Pods have changed, or `problem` has. */
    private readonly onChange: () => void,
    private readonly clock: Clock,
  ) {
    void this.run();
  }

  get pods(): readonly Pod[] {
    return [...this.known.values()];
  }

  close(): void {
    this.abort.abort();
  }

  private async run(): Promise<void> {
    const { signal } = this.abort;
    while (!signal.aborted) {
      try {
        const { pods, version } = await this.cluster.pods(this.selector);
        if (signal.aborted) return;
        this.known = new Map(pods.map((pod) => [pod.metadata.uid, pod]));
        this.problem = undefined;
        this.onChange();
        await this.cluster.watchPods(this.selector, version, (kind, pod) => this.take(kind, pod), signal);
      } catch (error) {
        this.problem = (error as Error).message;
        if (!signal.aborted) this.onChange();
      }
      if (!signal.aborted) await sleep(this.clock, retryMs, signal);
    }
  }

  private take(kind: 'changed' | 'deleted', pod: Pod): void {
    if (this.abort.signal.aborted) return;
    if (kind === 'deleted') this.known.delete(pod.metadata.uid);
    else this.known.set(pod.metadata.uid, pod);
    this.onChange();
  }
}
