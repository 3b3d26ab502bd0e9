import { FullhouseError } from '../../../contract/calls';
import type { StreamView } from '../../../domain/model/node';
import { seriesDefinition, type SeriesId } from '../../../domain/series/series';
import type { PolledServer, ServerAccess } from '../adapter';
import { addressKinds, addressNames, configuredAddresses, configuredCapabilities } from '../configuredAddresses';
import { labReader } from './labReader';
import { ownMetrics } from './ownMetrics';
import { portsOf } from '../ports';
import { queryPrometheus, readQueries } from './prometheus';

/**
 * Opens a server of which only addresses are known; sends no request yet. Throws `no-address` when the settings have
 * none.
 */
export function openGeneric(access: ServerAccess): PolledServer {
  const { who, settings, http, clock } = access;
  const { prometheus, queries = {} } = settings;
  const { known, remarks } = readQueries(who, prometheus ? queries : {});
  const kinds = addressKinds(settings);
  if (kinds.length === 0 && known.length === 0 && !settings.metrics)
    throw new FullhouseError(
      'no-address',
      `${who} has no address to pull or publish at; edit the node and add one, e.g. WHEP.`,
    );
  const ports = portsOf(who, settings, clock);
  const lab = labReader(http, settings);
  const metrics = settings.metrics ? ownMetrics(access, settings.metrics) : undefined;
  /** Metrics are its only source: without them it is unreachable. */
  const isMetricsOnly = ports.length === 0 && known.length === 0;
  /** A sentence for each port that does not respond. */
  let silent: readonly string[] = [];
  let remarked: Set<string> | undefined;

  /** Why its metrics are missing now; throws that where they are the only source. */
  const currentProblem = (): string | undefined => {
    const lacking = metrics?.problem();
    if (isMetricsOnly && lacking !== undefined) throw new FullhouseError('no-metrics', lacking);
    return lacking;
  };

  /**
   * Checks that one of the ports responds, without opening a session; returns the streams if it is a lab. Rejects with
   * the first port's sentence when none responds, and while a lab does not.
   */
  const visit = async (): Promise<readonly StreamView[] | undefined> => {
    let ofLab: Error | undefined;
    const listed = lab?.isLab ? await lab.read().catch((error: Error) => void (ofLab = error)) : undefined;
    // A lab that has just responded needs no other check.
    const checked = listed ? ports.filter(({ origin }) => origin !== lab?.origin) : ports;
    const found = await Promise.all(checked.map(async (port) => ({ port, fault: await port.check() })));
    silent = found.flatMap(({ port, fault }) =>
      fault ? [`${who}: no response for ${port.names}: ${fault.message.replace(`${who}: `, '')}`] : [],
    );
    if (listed) return listed;
    const isLabSilent = found.some(({ port, fault }) => fault && port.origin === lab?.origin);
    if (isLabSilent) lab?.forget();
    const [first] = found;
    if (first?.fault && found.every(({ fault }) => fault)) throw first.fault;
    if (isLabSilent) return undefined;
    if (ofLab) throw ofLab;
    return lab?.readFirst();
  };

  /** Remarks on ports that stop responding after the node was identified. */
  const remarkSilent = (): void => {
    if (!remarked) return;
    for (const sentence of silent)
      if (!remarked.has(sentence)) {
        remarked.add(sentence);
        access.remark?.(sentence);
      }
  };

  return {
    family: 'generic',
    get capabilities() {
      const figures = known.map(([series]) => seriesDefinition(series)?.title ?? series);
      return configuredCapabilities(settings, [
        ...(lab?.isLab ? ['streams', 'viewers'] : []),
        ...figures,
        ...(metrics?.measures ?? []),
      ]);
    },
    identify: async () => {
      await visit();
      // The polls read it from then on; a request between two of them would hide a GC pause from the later one.
      await metrics?.readFirst();
      const lacking = currentProblem();
      remarked ??= new Set(silent);
      return {
        software: lab?.isLab ? 'Fullhouse lab' : addressNames(kinds) || (known.length > 0 ? 'Prometheus' : 'Metrics'),
        ...(lacking === undefined ? {} : { lacking }),
        ...(settings.process ? { process: settings.process } : {}),
        remarks: [
          ...remarks,
          ...silent,
          ...(lacking === undefined ? [] : [lacking]),
          ...(!prometheus && Object.keys(queries).length > 0
            ? [`${who}: its queries are skipped: the node has no Prometheus address.`]
            : []),
        ],
      };
    },
    poll: async () => {
      const [streams, process, figures] = await Promise.all([
        visit(),
        metrics?.read(),
        Promise.all(
          known.map(async ([series, query]) => {
            const value = await queryPrometheus(http, who, prometheus ?? '', series, query);
            return value === undefined ? undefined : ([series, value] as const);
          }),
        ),
      ]);
      currentProblem();
      remarkSilent();
      const values: Partial<Record<SeriesId, number>> = streams
        ? {
            ...process,
            originViewers: streams.reduce((sum, { viewers }) => sum + (viewers ?? 0), 0),
            originStreams: streams.length,
          }
        : { ...process };
      // A configured query has priority over detected metrics.
      for (const figure of figures) if (figure) values[figure[0]] = figure[1];
      return { values, streams: streams ?? [] };
    },
    addresses: (stream) => configuredAddresses(settings, stream),
  };
}
