import { FullhouseError } from '../../contract/calls';
import { seriesDefinition, type SeriesId } from '../../domain/series';
import type { MachineFingerprint } from '../../domain/node';
import type { Clock } from '../clock';
import type { HttpLink } from '../links/http/httpLink';
import { BestOffset } from './bestOffset';
import { hostValues, longestIntervalMs, type HostReading, type HostValues } from './hostRates';
import type { HostSource } from './hostSource';
import type { MetricValue } from './metrics/exposition';
import { counterMetrics, machineMetrics, nodeMachine } from './metrics/nodeMetrics';
import { Poll } from './metrics/poll';
import { hostInstances, theOnlyInstance, unknownInstance } from './metrics/hostInstance';
import { PrometheusApi, quoted } from './metrics/prometheusApi';
import { readingsOf } from './metrics/prometheusReadings';

export interface PrometheusHostOptions {
  readonly http: Pick<HttpLink, 'request'>;
  /** Address of the Prometheus, e.g. `http://host:9090`. */
  readonly url: string;
  /** The `instance` label of the host's node_exporter; may be left out where there is one only. */
  readonly instance?: string;
  /** The node's name, for sentences. */
  readonly who: string;
  readonly clock: Clock;
  /** PromQL by series, for figures beside or in place of node_exporter's. `$instance` stands for the quoted instance. */
  readonly queries?: Readonly<Record<string, string>>;
}

/** Of what Prometheus has already when we come, and after it could not be asked for a while. */
const longestWindowMs = 120_000;
const clockEveryBeats = 30;
/** Queries are asked when the host's figures are new, or after this where there are none. */
const queriesEveryMs = 5000;

/**
 * Figures of a host by way of a Prometheus that scrapes its node_exporter. What is asked for is not a value of now but what was
 * scraped since the last time: so each sample has the time of its scrape, there are as many as were scraped, and what
 * happened while Prometheus could not be reached is filled in.
 */
export function openPrometheusHost(options: PrometheusHostOptions): HostSource {
  return new PrometheusHost(options);
}

class PrometheusHost implements HostSource {
  machine: MachineFingerprint | undefined;
  /** The clock that can be measured here is Prometheus', not the host's. */
  readonly clock = undefined;
  private readonly api: PrometheusApi;
  private readonly poll: Poll;
  private readonly offset = new BestOffset();
  private version = '';
  private instance: string | undefined;
  private before: HostReading | undefined;
  /** Between the latest two scrapes. */
  private intervalMs = 0;
  private beats = 0;
  private queriedMs = -Infinity;

  constructor(private readonly options: PrometheusHostOptions) {
    const { http, who, url, clock } = options;
    this.api = new PrometheusApi(http, who, url);
    this.instance = options.instance;
    this.poll = new Poll({
      clock,
      slow: `${who}: the Prometheus at ${this.api.address} answers slowly; figures come late.`,
      ask: () => this.ask(),
    });
  }

  get label(): string {
    return `Prometheus ${this.version}`.trim();
  }

  onSample: HostSource['onSample'] = (listener) => this.poll.onSample(listener);
  onProblem: HostSource['onProblem'] = (listener) => this.poll.onProblem(listener);

  close(): void {
    this.poll.close();
  }

  private async ask(): Promise<void> {
    if (this.beats % clockEveryBeats === 0) await this.measureClock();
    this.beats += 1;
    this.version ||= await this.api.version();
    this.instance ??= await this.onlyInstance();
    const isNew = this.instance !== undefined && (await this.readHost(this.instance));
    const nowMs = this.options.clock.now();
    if (this.options.queries && (isNew || nowMs - this.queriedMs >= queriesEveryMs)) {
      this.queriedMs = nowMs;
      await this.readQueries(this.options.queries);
    }
  }

  private async measureClock(): Promise<void> {
    const { clock } = this.options;
    const askedMs = clock.now();
    const theirMs = await this.api.time();
    if (Number.isFinite(theirMs)) this.offset.add(askedMs, clock.now(), theirMs);
  }

  /** Whether something was scraped since the last time. */
  private async readHost(instance: string): Promise<boolean> {
    const nowMs = this.options.clock.now() + (this.offset.view?.offsetMs ?? 0);
    const lastMs = this.before?.monotonicMs ?? -Infinity;
    const windowMs = Math.min(longestWindowMs, nowMs - lastMs + 1000);
    const names = counterMetrics.join('|');
    const series = await this.api.query(
      `{__name__=~"${names}",instance=${quoted(instance)}}[${Math.max(1, Math.ceil(windowMs / 1000))}s]`,
    );
    const readings = readingsOf(series, lastMs);
    if (readings.length === 0) return this.nothingNew(instance, nowMs - lastMs);
    for (const now of readings) {
      const sinceMs = now.monotonicMs - (this.before?.monotonicMs ?? now.monotonicMs);
      // A gap is not how often it scrapes.
      const longestMs = this.intervalMs === 0 ? longestWindowMs : 2.5 * this.intervalMs;
      if (sinceMs > 0)
        this.intervalMs = Math.min(sinceMs, this.intervalMs === 0 ? sinceMs : 2 * this.intervalMs);
      const timeMs = this.offset.toOurs(now.monotonicMs);
      // A scrape may be rarer than a second: the interval is then what it is, and so is the rate.
      const values = hostValues(this.before, now, 'remote', Math.max(longestIntervalMs, longestMs));
      this.before = now;
      this.poll.sample({ timeMs, values });
    }
    this.machine ??= await this.readMachine(instance);
    return true;
  }

  /** Scrapes are rarer than our beats; only a long silence is told. */
  private async nothingNew(instance: string, silentMs: number): Promise<false> {
    const { who, queries } = this.options;
    if (silentMs === Infinity) {
      if (queries) return false;
      const known = await hostInstances(this.api);
      if (!known.includes(instance)) throw unknownInstance(this.api, who, instance, known);
      throw new FullhouseError(
        'no-instance',
        `${who}: the Prometheus at ${this.api.address} has no figures of "${instance}" from the last ${longestWindowMs / 1000} s; see whether its node_exporter runs.`,
      );
    }
    if (silentMs > Math.max(10_000, 3 * this.intervalMs))
      throw new FullhouseError(
        'no-scrapes',
        `${who}: the Prometheus at ${this.api.address} has had no figures of "${instance}" for ${Math.round(silentMs / 1000)} s; see whether its node_exporter runs.`,
      );
    return false;
  }

  private async onlyInstance(): Promise<string | undefined> {
    const known = await hostInstances(this.api);
    // Figures of a query need no host.
    if (known.length !== 1 && this.options.queries) return undefined;
    return theOnlyInstance(this.api, this.options.who, known);
  }

  private async readMachine(instance: string): Promise<MachineFingerprint> {
    const names = [...machineMetrics, 'node_memory_MemTotal_bytes', 'node_cpu_seconds_total'].join('|');
    const series = await this.api.query(`{__name__=~"${names}",instance=${quoted(instance)}}`);
    const metrics = new Map<string, MetricValue[]>();
    for (const { labels, points } of series) {
      const values = metrics.get(labels.__name__ ?? '') ?? [];
      metrics.set(labels.__name__ ?? '', [...values, { labels, value: points[0]?.value ?? NaN }]);
    }
    return nodeMachine(metrics);
  }

  private async readQueries(queries: Readonly<Record<string, string>>): Promise<void> {
    const values: HostValues = {};
    let theirMs = NaN;
    const faults: string[] = [];
    await Promise.all(
      Object.entries(queries).map(async ([series, query]) => {
        try {
          const filled = query.replaceAll('$instance', quoted(this.instance ?? ''));
          const [first] = await this.api.query(requireSeries(series, filled, this.options.who));
          const point = first?.points.at(-1);
          if (!point || !Number.isFinite(point.value)) return;
          theirMs = point.timeMs;
          values[series as SeriesId] = point.value;
        } catch (error) {
          faults.push(error instanceof Error ? error.message : String(error));
        }
      }),
    );
    if (Number.isFinite(theirMs)) this.poll.sample({ timeMs: this.offset.toOurs(theirMs), values });
    if (faults[0] !== undefined) throw new FullhouseError('query', faults[0]);
  }
}

/** Gives the query back when its series is one that can be recorded. */
function requireSeries(series: string, query: string, who: string): string {
  if (seriesDefinition(series)) return query;
  throw new FullhouseError(
    'no-series',
    `${who}: "${series}" is no series of Fullhouse; a figure of the server's own is called server:NAME.`,
  );
}
