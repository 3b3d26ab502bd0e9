import { FullhouseError } from '../../contract/calls';
import type { ClockView, MachineFingerprint } from '../../domain/model/node';
import type { Clock } from '../base/clock';
import type { HttpLink } from '../links/http/httpLink';
import { shownAddress } from '../links/http/httpFaults';
import { BestOffset } from '../links/bestOffset';
import { hostValues, type HostReading } from './hostRates';
import type { HostSource } from './hostSource';
import { metricValue, parseMetrics } from './metrics/exposition';
import { canonicalMetrics, namesOf } from './metrics/hostMetricNames';
import {
  isNodeExporter,
  lackingFigures,
  machineNames,
  nodeMachine,
  nodeReading,
  readingNames,
} from './metrics/nodeMetrics';
import { Poll } from './metrics/poll';

export interface NodeExporterOptions {
  readonly http: Pick<HttpLink, 'text'>;
  /** `http://host:9100`, with or without `/metrics`. */
  readonly url: string;
  /** The node's name, for messages. */
  readonly who: string;
  readonly clock: Clock;
}

/** Its time at the scrape, from the exporter's time collector. */
const timeMetric = 'node_time_seconds';
const wanted: ReadonlySet<string> = new Set([...readingNames, ...machineNames, ...namesOf([timeMetric])]);

/** Figures of a host from its node_exporter, once a second. */
export function openNodeExporterHost(options: NodeExporterOptions): HostSource {
  const { http, who, clock } = options;
  const url = metricsUrl(options.url);
  const offset = new BestOffset();
  let label = 'node_exporter';
  let machine: MachineFingerprint | undefined;
  let before: HostReading | undefined;
  let lacking: readonly string[] | undefined;

  const ask = async (): Promise<void> => {
    const requestedMs = clock.now();
    try {
      const reported = parseMetrics(await http.text({ url }), (name) => wanted.has(name), `${who} at ${url}`);
      const metrics = canonicalMetrics(reported);
      const answeredMs = clock.now();
      if (!isNodeExporter(metrics))
        throw new FullhouseError(
          'not-node-exporter',
          `${who}: the metrics at ${url} are not those of a node_exporter; check the address (usually port 9100).`,
        );
      const remoteSeconds = metricValue(metrics, timeMetric);
      if (remoteSeconds !== undefined) offset.add(requestedMs, answeredMs, remoteSeconds * 1000);
      machine = nodeMachine(metrics);
      const { node_exporter: version, windows_exporter: ofWindows } = machine.versions;
      if (version) label = `node_exporter ${version}`;
      else if (ofWindows) label = `windows_exporter ${ofWindows}`;
      const timeMs =
        remoteSeconds === undefined ? Math.round((requestedMs + answeredMs) / 2) : offset.toLocal(remoteSeconds * 1000);
      // Rates by its own clock: ours has it only to within a round trip.
      const now = nodeReading(metrics, remoteSeconds === undefined ? timeMs : remoteSeconds * 1000);
      const values = hostValues(before, now, 'remote');
      before = now;
      lacking ??= lackingFigures(now);
      poll.sample({ timeMs, values });
    } catch (error) {
      // The next one is the first after a gap.
      before = undefined;
      const status = error instanceof FullhouseError ? /^http-(\d+)$/.exec(error.code)?.[1] : undefined;
      if (status === undefined) throw error;
      throw new FullhouseError(
        `http-${status}`,
        `${who}: the node_exporter at ${shownAddress(new URL(url))} answered ${status}; check the address (usually port 9100) and what it may read there.`,
        { cause: error },
      );
    }
  };
  const poll = new Poll({
    clock,
    slow: `${who}'s node_exporter responds slowly: it takes more than a second, so some seconds have no figures.`,
    ask,
  });
  return {
    get label() {
      return label;
    },
    get machine() {
      return machine;
    },
    get clock(): ClockView | undefined {
      return offset.view;
    },
    get lacking() {
      return lacking;
    },
    onSample: (listener) => poll.onSample(listener),
    onProblem: (listener) => poll.onProblem(listener),
    close: () => poll.close(),
  };
}

/** Adds the usual path to an address without one. */
export function metricsUrl(address: string): string {
  const withScheme = /^https?:\/\//i.test(address) ? address : `http://${address}`;
  return /^https?:\/\/[^/?]+\/?$/i.test(withScheme) ? `${withScheme.replace(/\/$/, '')}/metrics` : withScheme;
}
