import { connect } from 'node:net';
import { FullhouseError } from '../../../contract/calls';
import type { StreamView } from '../../../domain/node';
import { seriesDefinition, type SeriesId } from '../../../domain/series';
import type { HttpLink } from '../../links/http/httpLink';
import type { PolledServer, ServerAccess } from '../adapter';
import { rtmpPorts } from '../rtmpHandshake';
import { addressKinds, addressNames, genericAddresses, genericCapabilities } from './genericAddresses';
import { isLab, labStreams } from './lab';
import { ownMetrics } from './ownMetrics';
import { askPrometheus, readQueries } from './prometheus';

/** A port of RTMP is knocked at less often: the server notes every knock in its log. */
const knockEveryMs = 5000;
const knockTimeoutMs = 3000;

/** Opens a server of which only addresses are known; nothing is asked yet. Throws `no-address` when there is none at all. */
export function openGeneric(access: ServerAccess): PolledServer {
  const { who, settings, http, now } = access;
  const { whep, whip, hls, flv, rtmp, prometheus, queries = {} } = settings;
  const { known, remarks } = readQueries(who, prometheus ? queries : {});
  const web = [whep, whip, hls, flv].find((each) => each !== undefined);
  if (web === undefined && rtmp === undefined && known.length === 0 && !settings.metrics)
    throw new FullhouseError(
      'no-address',
      `${who} has no address to watch or publish at; edit the node and give it one, e.g. of WHEP.`,
    );
  const door = web === undefined ? undefined : webDoor(http, who, web);
  const knock = rtmp === undefined ? undefined : rtmpDoor(who, rtmp, now);
  const metrics = settings.metrics ? ownMetrics(access, settings.metrics) : undefined;
  /** Its metrics are all there is of it: when they are silent, it is. */
  const isMetricsOnly = !door && !knock && known.length === 0;
  let lab = false;

  /** Why its metrics are missing now; throws that where nothing else is known of it. */
  const lackingNow = (): string | undefined => {
    const lacking = metrics?.problem();
    if (isMetricsOnly && lacking !== undefined) throw new FullhouseError('no-metrics', lacking);
    return lacking;
  };

  /** Whether the server is there, without a session being made; the streams where it is a lab. Rejects when it is not. */
  const visit = async (): Promise<readonly StreamView[] | undefined> => {
    if (!door) {
      await knock?.();
      return undefined;
    }
    const streams = await door();
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
      // The beats ask it from then on; a question between two of them would take a GC pause away from the later.
      if (metrics?.isAsked === false) await metrics.read();
      const lacking = lackingNow();
      return {
        software: lab
          ? "Fullhouse's lab"
          : addressNames(addressKinds(settings)) || (known.length > 0 ? 'Prometheus' : 'Metrics'),
        ...(lacking === undefined ? {} : { lacking }),
        ...(settings.process ? { process: settings.process } : {}),
        remarks: [
          ...remarks,
          ...(lacking === undefined ? [] : [lacking]),
          ...(!prometheus && Object.keys(queries).length > 0
            ? [`${who}: its queries are not asked, since the node has no address of a Prometheus.`]
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
            const value = await askPrometheus(http, who, prometheus ?? '', series, query);
            return value === undefined ? undefined : ([series, value] as const);
          }),
        ),
      ]);
      lackingNow();
      const values: Partial<Record<SeriesId, number>> = streams
        ? {
            ...process,
            originViewers: streams.reduce((sum, { viewers }) => sum + (viewers ?? 0), 0),
            originStreams: streams.length,
          }
        : { ...process };
      // A query that a person wrote comes before what was found.
      for (const figure of figures) if (figure) values[figure[0]] = figure[1];
      return { values, streams: streams ?? [] };
    },
    addresses: (stream) => genericAddresses(settings, stream),
  };
}

/** Asks for `/`: what comes does not matter, but for the lab, which lists its streams there. */
function webDoor(http: HttpLink, who: string, address: string): () => Promise<StreamView[] | undefined> {
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
      // It hung up or spoke otherwise: something listens, and does not like the question.
      if (code === 'closed' || code === 'not-http') return undefined;
      isOther = false;
      throw error instanceof FullhouseError
        ? error
        : new FullhouseError('no-answer', `${who} can't be asked.`, { cause: error });
    }
  };
}

/** Knocks at the port of an RTMP address now and then; in between the last result holds. */
function rtmpDoor(who: string, address: string, now: () => number): () => Promise<void> {
  const url = new URL(address.replace(/\{\w+\}/g, 'x'));
  const port = Number(url.port || (url.protocol === 'rtmps:' ? rtmpPorts['rtmps:'] : rtmpPorts['rtmp:']));
  let last: { readonly atMs: number; readonly error?: Error } | undefined;
  return async () => {
    if (!last || now() - last.atMs >= knockEveryMs) {
      const error = await knockAt(url.hostname.replace(/^\[|\]$/g, ''), port).then(
        () => undefined,
        (reason: unknown) =>
          new FullhouseError(
            'refused',
            `${who}: nothing takes RTMP at ${url.host}; check the port, and that the server runs.`,
            { cause: reason },
          ),
      );
      last = { atMs: now(), error };
    }
    if (last.error) throw last.error;
  };
}

function knockAt(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: knockTimeoutMs });
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('timeout', () => socket.destroy(new Error('no answer')));
    socket.once('error', reject);
  });
}
