import type { HostBaseline, OtherLoad, OtherShare, ProgramShare } from '../../domain/model/otherLoad';
import type { Sample } from '../../domain/series/series';
import { sleep, type Clock } from '../base/clock';
import type { HostLoadWatch } from '../fleet/hostLoadWatch';
import type { FleetNode } from '../fleet/node';
import type { RunNodes } from './runParts';

/** Default duration of the measurement of hosts before the first viewer. */
export const defaultBaselineMs = 3000;
/**
 * A host with less frequent figures, such as those of a Prometheus, is represented by its last ones before the
 * baseline.
 */
const lastKnownMs = 20_000;
/** Limit of names saved with a run: beyond it every second one is dropped, so that a long run is covered evenly. */
const maxLoads = 240;

/** What is aggregated for each host. */
const baselineSeries = [
  'cpuPercent',
  'otherCpuPercent',
  'consoleCpuPercent',
  'stolenCpuPercent',
  'load1',
  'memoryUsedBytes',
  'otherMemoryBytes',
  'networkInMbps',
  'networkOutMbps',
  'diskBusyPercent',
  'gcPauseMs',
  'processCpuPercent',
  'processMemoryBytes',
] as const;
const summed: ReadonlySet<string> = new Set(baselineSeries);

/** Measures the hosts of a run before its first viewer, and records what else ran on them. */
export class Baseline {
  hosts: readonly HostBaseline[] | undefined;
  private loads: OtherLoad[] = [];
  private samples: Sample[] = [];
  private sinceMs: number | undefined;
  private readonly stopListening: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly nodes: RunNodes,
    private readonly watch: HostLoadWatch | undefined,
  ) {
    this.stopListening = watch?.named.on(({ host, timeMs, programs }) => this.named(host, timeMs, programs));
  }

  /** CPU use of the hosts outside of the test, by program. */
  get otherLoad(): readonly OtherLoad[] {
    return this.loads;
  }

  take(samples: readonly Sample[]): void {
    if (this.hosts) return;
    this.samples.push(...samples.filter(({ series }) => summed.has(series)));
    const oldestMs = this.clock.now() - lastKnownMs;
    if (this.sinceMs === undefined) this.samples = this.samples.filter(({ timeMs }) => timeMs >= oldestMs);
  }

  /** Resolves when the hosts are measured, or early when `signal` aborts. */
  async measure(forMs: number, signal: AbortSignal): Promise<void> {
    this.sinceMs = this.clock.now();
    const hosts = [...new Set([...this.nodes.all.values()].map(({ host }) => host))];
    const measure = (): Promise<unknown> =>
      Promise.all(hosts.map((host) => this.watch?.measure(host) ?? Promise.resolve()));
    // The first measurement is the reference for the second one.
    const first = measure();
    await sleep(this.clock, forMs, signal);
    if (!signal.aborted) await Promise.race([first.then(measure), sleep(this.clock, 1500, signal)]);
    this.hosts = this.sumUp(hosts, this.sinceMs);
    this.samples = [];
  }

  /**
   * Current use of a node's host by other programs; where processes can't be distinguished, the use before the first
   * viewer.
   */
  shareOf(name: string): OtherShare | undefined {
    const node = this.nodes.get(name);
    const now = node && this.watch?.share(node.host);
    if (now) return now;
    const before = this.hosts?.find(({ nodes }) => nodes.includes(name))?.values.cpuPercent;
    return before === undefined ? undefined : { other: before, stolen: 0, isMeasured: false };
  }

  close(): void {
    this.stopListening?.();
  }

  private sumUp(hosts: readonly string[], sinceMs: number): HostBaseline[] {
    return hosts.flatMap((host) => {
      const nodes = [...this.nodes.all].filter(([, node]) => node.host === host).map(([name]) => name);
      const values: Record<string, number> = {};
      for (const series of baselineSeries) {
        // Figures of a process are those of the origin; the host's are the same under each name.
        const names = series.startsWith('process') || series === 'gcPauseMs' ? this.origins(nodes) : nodes;
        const value = this.valueOf(series, names, sinceMs);
        if (value !== undefined) values[series] = value;
      }
      if (Object.keys(values).length === 0) return [];
      const programs = this.loads.filter(({ node }) => nodes.includes(node)).at(-1)?.programs;
      return [{ nodes, values, ...(programs ? { programs } : {}) }];
    });
  }

  private origins(names: readonly string[]): string[] {
    return names.filter((name) => this.nodes.get(name)?.role === 'origin');
  }

  private valueOf(series: string, names: readonly string[], sinceMs: number): number | undefined {
    const mine = this.samples.filter((sample) => sample.series === series && names.includes(sample.node));
    const within = mine.filter(({ timeMs }) => timeMs > sinceMs);
    // An earlier pause does not count now; an earlier level holds until the next value.
    const counted = within.length > 0 || series === 'gcPauseMs' ? within : mine.slice(-1);
    if (counted.length === 0) return undefined;
    const values = counted.map(({ value }) => value);
    return series === 'gcPauseMs'
      ? Math.max(...values)
      : values.reduce((sum, reading) => sum + reading, 0) / values.length;
  }

  private named(host: string, timeMs: number, programs: readonly ProgramShare[]): void {
    const [name] = [...this.nodes.all].find(([, node]: [string, FleetNode]) => node.host === host) ?? [];
    if (name === undefined) return;
    if (this.loads.length >= maxLoads) this.loads = this.loads.filter((_, place) => place % 2 === 1);
    this.loads.push({ node: name, timeMs: Math.round(timeMs), programs });
  }
}
