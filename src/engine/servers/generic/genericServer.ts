import { connect } from 'node:net';
import { FullhouseError } from '../../../contract/calls';
import type { StreamView } from '../../../domain/model/node';
import { seriesDefinition, type SeriesId } from '../../../domain/series/series';
import type { Clock } from '../../base/clock';
import type { HttpLink } from '../../links/http/httpLink';
import type { PolledServer, ServerAccess } from '../adapter';
import {
  httpAddressKeys,
  portAddressKeys,
  streamAddresses,
  type PortAddressKey,
} from '../../../domain/model/addressKeys';
import { turnAddress } from '../../../domain/model/turn';
import { respondsAsTurn } from '../turnProbe';
import { respondsAsMedia } from '../mediaPortProbe';
import type { OriginSettings } from '../../../domain/model/nodeSettings';
import { rtmpPorts } from '../rtmpHandshake';
import { addressKinds, addressNames, genericAddresses, genericCapabilities } from './genericAddresses';
import { isLab, labStreams } from './lab';
import { ownMetrics } from './ownMetrics';
import { queryPrometheus, readQueries } from './prometheus';

/** An RTMP port is probed less often: the server logs every connection. */
const probeIntervalMs = 5000;
const probeTimeoutMs = 3000;

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
  const web = httpAddressKeys.find((key) => kinds.includes(key));
  const endpoint = web === undefined ? undefined : webProbe(http, who, settings[web] ?? '');
  const probe = portProbe(who, settings, clock);
  const metrics = settings.metrics ? ownMetrics(access, settings.metrics) : undefined;
  /** Metrics are its only source: without them it is unreachable. */
  const isMetricsOnly = !endpoint && !probe && known.length === 0;
  let lab = false;

  /** Why its metrics are missing now; throws that where they are the only source. */
  const currentProblem = (): string | undefined => {
    const lacking = metrics?.problem();
    if (isMetricsOnly && lacking !== undefined) throw new FullhouseError('no-metrics', lacking);
    return lacking;
  };

  /**
   * Checks that the server responds, without opening a session; returns its streams if it is a lab. Rejects when it
   * does not respond.
   */
  const visit = async (): Promise<readonly StreamView[] | undefined> => {
    if (!endpoint) {
      await probe?.();
      return undefined;
    }
    const streams = await endpoint();
    lab = streams !== undefined;
    return streams;
  };

  return {
    family: 'generic',
    get capabilities() {
      const figures = known.map(([series]) => seriesDefinition(series)?.title ?? series);
      return genericCapabilities(settings, [
        ...(lab ? ['streams', 'viewers'] : []),
        ...figures,
        ...(metrics?.measures ?? []),
      ]);
    },
    identify: async () => {
      await visit();
      // The polls read it from then on; a request between two of them would hide a GC pause from the later one.
      if (metrics?.isRequested === false) await metrics.read();
      const lacking = currentProblem();
      return {
        software: lab ? 'Fullhouse lab' : addressNames(kinds) || (known.length > 0 ? 'Prometheus' : 'Metrics'),
        ...(lacking === undefined ? {} : { lacking }),
        ...(settings.process ? { process: settings.process } : {}),
        remarks: [
          ...remarks,
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
    addresses: (stream) => genericAddresses(settings, stream),
  };
}

/** Requests `/`: only the lab's response is read, since it lists its streams there. */
function webProbe(http: HttpLink, who: string, address: string): () => Promise<StreamView[] | undefined> {
  const { origin } = new URL(address.replace(/\{\w+\}/g, 'x'));
  let isOther = false;
  return async () => {
    try {
      if (isOther) {
        await http.request({ method: 'HEAD', url: `${origin}/` });
        return undefined;
      }
      const { body } = await http.request({ url: `${origin}/`, firstBytes: 1_000_000 });
      isOther = !isLab(body);
      return isOther ? undefined : labStreams(body);
    } catch (error) {
      const { code } = error as { code?: unknown };
      // It closed the connection or sent no HTTP: something listens there.
      if (code === 'closed' || code === 'not-http') return undefined;
      isOther = false;
      throw error instanceof FullhouseError
        ? error
        : new FullhouseError('no-answer', `${who} can't be reached.`, { cause: error });
    }
  };
}

/** Probes of addresses that do not answer to HTTP. */
const portProbes: Readonly<
  Record<PortAddressKey, (who: string, address: string, clock: Clock, name: string) => () => Promise<void>>
> = { rtmp: rtmpProbe, rtsp: mediaPortProbe, srt: mediaPortProbe, turn: turnProbe };

/** Probes the port of the first address without HTTP; undefined without one. */
function portProbe(who: string, settings: OriginSettings, clock: Clock): (() => Promise<void>) | undefined {
  for (const key of portAddressKeys) {
    const address = settings[key];
    if (address !== undefined) return portProbes[key](who, address, clock, streamAddresses[key].name);
  }
  return undefined;
}

/** Probes the port of RTSP by a request, that of SRT by the start of a handshake: neither opens a session. */
function mediaPortProbe(who: string, address: string, clock: Clock, name: string): () => Promise<void> {
  const url = new URL(address.replace(/\{\w+\}/g, 'x'));
  return fromTimeToTime(clock, async () =>
    (await respondsAsMedia(url, clock, probeTimeoutMs))
      ? undefined
      : new FullhouseError(
          'refused',
          `${who}: no ${name} server responds at ${url.host}; check the port and that the server is running.`,
        ),
  );
}

/** Probes a TURN server by a STUN request, or by a connection over TCP. */
function turnProbe(who: string, address: string, clock: Clock): () => Promise<void> {
  const server = turnAddress(address);
  if (!server)
    throw new FullhouseError('bad-address', `${who}: "${address}" is not a TURN address; expected turn:HOST:PORT.`);
  return fromTimeToTime(clock, () =>
    respondsAsTurn(server, clock, probeTimeoutMs).then((responds) =>
      responds
        ? undefined
        : new FullhouseError(
            'refused',
            `${who}: no TURN server responds at ${address}; check the port and that the server is running.`,
          ),
    ),
  );
}

/** Runs a probe at intervals; the last result holds in between. */
function fromTimeToTime(clock: Clock, probe: () => Promise<Error | undefined>): () => Promise<void> {
  let last: { readonly atMs: number; readonly error?: Error } | undefined;
  return async () => {
    if (!last || clock.now() - last.atMs >= probeIntervalMs) last = { atMs: clock.now(), error: await probe() };
    if (last.error) throw last.error;
  };
}

/** Probes the port of an RTMP address from time to time; the last result holds in between. */
function rtmpProbe(who: string, address: string, clock: Clock): () => Promise<void> {
  const url = new URL(address.replace(/\{\w+\}/g, 'x'));
  const port = Number(url.port || (url.protocol === 'rtmps:' ? rtmpPorts['rtmps:'] : rtmpPorts['rtmp:']));
  return fromTimeToTime(clock, () =>
    connectTo(url.hostname.replace(/^\[|\]$/g, ''), port).then(
      () => undefined,
      (reason: unknown) =>
        new FullhouseError(
          'refused',
          `${who}: nothing accepts RTMP at ${url.host}; check the port and that the server is running.`,
          { cause: reason },
        ),
    ),
  );
}

function connectTo(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: probeTimeoutMs });
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('timeout', () => socket.destroy(new Error('no response')));
    socket.once('error', reject);
  });
}
