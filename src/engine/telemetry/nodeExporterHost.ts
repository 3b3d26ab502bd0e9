import { FullhouseError } from '../../contract/calls';
import type { ClockView, MachineFingerprint } from '../../domain/model/node';
import type { Clock } from '../base/clock';
import type { HttpLink } from '../links/http/httpLink';
import { BestOffset } from '../links/bestOffset';
import { hostValues, type HostReading } from './hostRates';
import type { HostSource } from './hostSource';
import { metricValue, parseMetrics } from './metrics/exposition';
import { counterMetrics, isNodeExporter, machineMetrics, nodeMachine, nodeReading } from './metrics/nodeMetrics';
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
const wanted: ReadonlySet<string> = new Set([...counterMetrics, ...machineMetrics, timeMetric]);

/** Figures of a host from its node_exporter, once a second. */
export function openNodeExporterHost(options: NodeExporterOptions): HostSource {
  const { http, who, clock } = options;
  const url = metricsUrl(options.url);
  const offset = new BestOffset();
  let label = 'node_exporter';
  let machine: MachineFingerprint | undefined;
  let before: HostReading | undefined;

  const ask = async (): Promise<void> => {
    const requestedMs = clock.now();
    try {
      const metrics = parseMetrics(await http.text({ url }), (name) => wanted.has(name), `${who} at ${url}`);
      const answeredMs = clock.now();
      if (!isNodeExporter(metrics))
        throw new FullhouseError(
          'not-node-exporter',
          `${who}: the metrics at ${url} are not those of a node_exporter; check the address (usually port 9100).`,
        );
      const remoteSeconds = metricValue(metrics, timeMetric);
      if (remoteSeconds !== undefined) offset.add(requestedMs, answeredMs, remoteSeconds * 1000);
      machine = nodeMachine(metrics);
      const { node_exporter: version } = machine.versions;
      if (version) label = `node_exporter ${version}`;
      const timeMs =
        remoteSeconds === undefined ? Math.round((requestedMs + answeredMs) / 2) : offset.toLocal(remoteSeconds * 1000);
      // Rates by its own clock: ours has it only to within a round trip.
      const now = nodeReading(metrics, remoteSeconds === undefined ? timeMs : remoteSeconds * 1000);
      const values = hostValues(before, now, 'remote');
      before = now;
      poll.sample({ timeMs, values });
    } catch (error) {
      // The next one is the first after a gap.
      before = undefined;
      throw error;
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
