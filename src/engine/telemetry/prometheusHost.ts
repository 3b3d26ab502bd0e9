import { FullhouseError } from '../../contract/calls';
import { gapSteps } from '../../domain/series/gap';
import { seriesDefinition, type SeriesId } from '../../domain/series/series';
import type { MachineFingerprint } from '../../domain/model/node';
import type { Clock } from '../base/clock';
import { log } from '../base/log';
import type { HttpLink } from '../links/http/httpLink';
import { BestOffset } from '../links/bestOffset';
import { hostValues, longestIntervalMs, type HostReading, type HostValues } from './hostRates';
import type { HostSource } from './hostSource';
import type { MetricValue } from './metrics/exposition';
import { lackingFigures, machineNames, nodeMachine, readingNames } from './metrics/nodeMetrics';
import { Poll } from './metrics/poll';
import {
  hostInstances,
  instanceLabels,
  matchOf,
  seriesOfOneHost,
  singleInstance,
  unknownInstance,
} from './metrics/hostInstance';
import { PrometheusApi, quoted } from './metrics/prometheusApi';
import { readingsOf } from './metrics/prometheusReadings';
import { errorText } from '../../domain/text/errorText';

export interface PrometheusHostOptions {
  readonly http: Pick<HttpLink, 'request'>;
  /** Address of the Prometheus, e.g. `http://host:9090`. */
  readonly url: string;
  /**
   * The `instance` label of the host's node_exporter, with further labels in braces where several hosts have it;
   * optional if it is the only one.
   */
  readonly instance?: string;
  /** The node's name, for messages. */
  readonly who: string;
  readonly clock: Clock;
  /**
   * PromQL by series, for figures besides or instead of node_exporter's. `$instance` stands for the quoted instance.
   */
  readonly queries?: Readonly<Record<string, string>>;
}

/** Read back this far at the start, and after Prometheus was unreachable. */
const longestWindowMs = 120_000;
const clockEveryPolls = 30;
/** Queries run when the host's figures are new, or after this time where there are none. */
const queriesEveryMs = 5000;

/**
 * Figures of a host through a Prometheus that scrapes its node_exporter. It requests not the current value but all
 * scrapes since the last request: each sample has the time of its scrape, none is missed, and
 * an outage of Prometheus is backfilled.
 */
export function openPrometheusHost(options: PrometheusHostOptions): HostSource {
  return new PrometheusHost(options);
}

class PrometheusHost implements HostSource {
  machine: MachineFingerprint | undefined;
  lacking: readonly string[] | undefined;
  /** The clock that can be measured here is Prometheus', not the host's. */
  readonly clock = undefined;
  private readonly api: PrometheusApi;
  private readonly poll: Poll;
  private readonly offset = new BestOffset();
  private version = '';
  private instance: string | undefined;
  private before: HostReading | undefined;
  /** Interval between the latest two scrapes. */
  private intervalMs = 0;
  private polls = 0;
  private queriedMs = -Infinity;

  constructor(private readonly options: PrometheusHostOptions) {
    const { http, who, url, clock } = options;
    const reported = new Set<string>();
    this.api = new PrometheusApi(http, who, url, (sentence) => {
      if (!reported.has(sentence)) log.info(sentence);
      reported.add(sentence);
    });
    this.instance = options.instance;
    this.poll = new Poll({
      clock,
      slow: `${who}: the Prometheus at ${this.api.address} responds slowly; figures are late.`,
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
    if (this.polls % clockEveryPolls === 0) await this.measureClock();
    this.polls += 1;
    if (this.polls === 1) await this.decorate();
    this.instance ??= await this.onlyInstance();
    const isNew = this.instance !== undefined && (await this.readHost(this.instance));
    const nowMs = this.options.clock.now();
    if (this.options.queries && (isNew || nowMs - this.queriedMs >= queriesEveryMs)) {
      this.queriedMs = nowMs;
      await this.readQueries(this.options.queries);
    }
  }

  /** The version is only shown: no figure depends on it. */
  private async decorate(): Promise<void> {
    this.version = (await this.api.version().catch(() => undefined)) ?? '';
  }

  private async measureClock(): Promise<void> {
    const { clock } = this.options;
    const requestedMs = clock.now();
    const remoteMs = await this.api.time();
    if (Number.isFinite(remoteMs)) this.offset.add(requestedMs, clock.now(), remoteMs);
  }

  /** Whether there is a new scrape. */
  private async readHost(instance: string): Promise<boolean> {
    const nowMs = this.options.clock.now() + (this.offset.view?.offsetMs ?? 0);
    const lastMs = this.before?.monotonicMs ?? -Infinity;
    const windowMs = Math.min(longestWindowMs, nowMs - lastMs + 1000);
    const names = [...readingNames].join('|');
    const found = await this.api.query(
      `{__name__=~"${names}",${matchOf(instanceLabels(instance))}}[${Math.max(1, Math.ceil(windowMs / 1000))}s]`,
    );
    const series = seriesOfOneHost(this.api, this.options.who, instance, found);
    const readings = readingsOf(series, lastMs);
    if (readings.length === 0) return this.nothingNew(instance, nowMs - lastMs);
    for (const now of readings) {
      const sinceMs = now.monotonicMs - (this.before?.monotonicMs ?? now.monotonicMs);
      // A gap is not the scrape interval.
      const longestMs = this.intervalMs === 0 ? longestWindowMs : gapSteps * this.intervalMs;
      if (sinceMs > 0) this.intervalMs = Math.min(sinceMs, this.intervalMs === 0 ? sinceMs : 2 * this.intervalMs);
      const timeMs = this.offset.toLocal(now.monotonicMs);
      // A scrape may be less frequent than once a second; the rate covers its actual interval.
      const values = hostValues(this.before, now, 'remote', Math.max(longestIntervalMs, longestMs));
      this.before = now;
      this.lacking ??= lackingFigures(now);
      this.poll.sample({ timeMs, values });
    }
    this.machine ??= await this.readMachine(instance);
    return true;
  }

  /** Scrapes are less frequent than our polls; only a long absence is reported. */
  private async nothingNew(instance: string, silentMs: number): Promise<false> {
    const { who, queries } = this.options;
    if (silentMs === Infinity) {
      if (queries) return false;
      const known = await hostInstances(this.api);
      if (!known.includes(instanceLabels(instance).instance ?? ''))
        throw unknownInstance(this.api, who, instance, known);
      throw new FullhouseError(
        'no-instance',
        `${who}: the Prometheus at ${this.api.address} has no figures of "${instance}" from the last ${longestWindowMs / 1000} s; check that its node_exporter is running.`,
      );
    }
    if (silentMs > Math.max(10_000, 3 * this.intervalMs))
      throw new FullhouseError(
        'no-scrapes',
        `${who}: the Prometheus at ${this.api.address} has received no figures of "${instance}" for ${Math.round(silentMs / 1000)} s; check that its node_exporter is running.`,
      );
    return false;
  }

  private async onlyInstance(): Promise<string | undefined> {
    const known = await hostInstances(this.api);
    // Figures of a query need no host.
    if (known.length !== 1 && this.options.queries) return undefined;
    return singleInstance(this.api, this.options.who, known);
  }

  private async readMachine(instance: string): Promise<MachineFingerprint> {
    const found = await this.api.query(
      `{__name__=~"${[...machineNames].join('|')}",${matchOf(instanceLabels(instance))}}`,
    );
    const series = seriesOfOneHost(this.api, this.options.who, instance, found);
    const metrics = new Map<string, MetricValue[]>();
    for (const { labels, points } of series) {
      const values = metrics.get(labels.__name__ ?? '') ?? [];
      metrics.set(labels.__name__ ?? '', [...values, { labels, value: points[0]?.value ?? NaN }]);
    }
    return nodeMachine(metrics);
  }

  private async readQueries(queries: Readonly<Record<string, string>>): Promise<void> {
    const values: HostValues = {};
    let remoteMs = NaN;
    const faults: string[] = [];
    await Promise.all(
      Object.entries(queries).map(async ([series, query]) => {
        try {
          const filled = query.replaceAll('$instance', quoted(instanceLabels(this.instance ?? '').instance ?? ''));
          const [first] = await this.api.query(requireSeries(series, filled, this.options.who));
          const point = first?.points.at(-1);
          if (!point || !Number.isFinite(point.value)) return;
          remoteMs = point.timeMs;
          values[series as SeriesId] = point.value;
        } catch (error) {
          faults.push(errorText(error));
        }
      }),
    );
    if (Number.isFinite(remoteMs)) this.poll.sample({ timeMs: this.offset.toLocal(remoteMs), values });
    if (faults[0] !== undefined) throw new FullhouseError('query', faults[0]);
  }
}

/** Returns the query when its series can be recorded. */
function requireSeries(series: string, query: string, who: string): string {
  if (seriesDefinition(series)) return query;
  throw new FullhouseError(
    'no-series',
    `${who}: "${series}" is not a series of Fullhouse; a server-specific figure is called server:NAME.`,
  );
}
