import { hostInAddress, webPortOf } from '../addressTemplate';
import type { ProbeTarget, ServerFound } from '../adapter';
import { isSrsAnswer, streamsResponse, versionsResponse } from './responses';
import { isExporter } from './exporter';
import { defaultPorts, mediaAddresses, writeName } from './srsAddresses';
import { apiPort } from './srsApi';
import { exporterPort } from './srsServer';
import type { HttpLink } from '../../links/http/httpLink';
import { validParts } from '../../links/http/validParts';
import { probeMs } from '../probeTimeout';
import { parseForeignJson } from '../../../domain/budget/foreignJson';
import { percentDecoded } from '../../../domain/text/percentDecoded';

/**
 * Probes the entered address for SRS's API, and the usual port: what people have at hand is the address of a stream, of
 * its player's page, or of its HTTP server, which answers `versions` and no other part of the API.
 */
export async function detectSrs(target: ProbeTarget): Promise<ServerFound | undefined> {
  const { host, url, http } = target;
  const usual = `http://${hostInAddress(host)}:${apiPort}`;
  const typed = typedBase(target);
  if (typed === undefined) return named(await probe(target, usual), url, undefined);
  // The usual port of a host whose port was entered is another server, unless SRS itself responds there.
  const [atTyped, isSrs] = await Promise.all([probe(target, typed), url ? true : respondsAsSrs(http, typed)]);
  if (atTyped) return named(atTyped, url, undefined);
  return isSrs ? named(await probe(target, usual), url, typed) : undefined;
}

/** The HTTP server of the entered address or port. */
function typedBase({ host, port, url }: ProbeTarget): string | undefined {
  if (url) return /^https?:$/.test(url.protocol) ? url.origin : undefined;
  return port === undefined ? undefined : `http://${hostInAddress(host)}:${port}`;
}

/** Whether the server at this address says that it is SRS. */
const respondsAsSrs = (http: HttpLink, base: string): Promise<boolean> =>
  http.request({ url: `${base}/`, timeoutMs: probeMs, firstBytes: 1 }).then(
    ({ headers }) => String(headers.server ?? '').startsWith('SRS'),
    () => false,
  );

/** With the stream that the address names, and the HTTP server that it is on if that is not the usual one. */
function named(
  found: ServerFound | undefined,
  url: URL | undefined,
  media: string | undefined,
): ServerFound | undefined {
  if (!found) return undefined;
  const stream = url && streamOf(url);
  const isOther = media !== undefined && new URL(media).port !== String(defaultPorts.media);
  const streams = isOther && (url === undefined || mediaPath.test(url.pathname));
  return {
    ...found,
    ...(stream === undefined ? {} : { stream }),
    ...(streams ? { settings: { ...found.settings, ...mediaAddresses(media) } } : {}),
  };
}

const mediaPath = /^\/(.+)\/([^/]+)\.(?:flv|m3u8)$/;

/** The stream named by an address as SRS writes them: RTMP, `webrtc://`, WHIP and WHEP, HTTP-FLV, HLS. */
function streamOf({ protocol, pathname, searchParams }: URL): string | undefined {
  if (/^\/rtc\/v1\//.test(pathname)) {
    const [app, stream] = [searchParams.get('app'), searchParams.get('stream')];
    return app && stream ? writeName({ app, stream }) : undefined;
  }
  const path = /^(?:rtmps?|webrtc):$/.test(protocol) ? /^\/(.+)\/([^/]+)$/ : mediaPath;
  const [, app, stream] = path.exec(pathname) ?? [];
  const vhost = searchParams.get('vhost');
  return app && stream
    ? writeName({ app: percentDecoded(app), stream: percentDecoded(stream), ...(vhost ? { vhost } : {}) })
    : undefined;
}

async function probe({ http }: ProbeTarget, base: string): Promise<ServerFound | undefined> {
  const get = (path: string, at = base): Promise<{ status: number; server: string; body: string } | undefined> =>
    http.request({ url: new URL(path, at).href, timeoutMs: probeMs }).then(
      ({ status, headers, body }) => ({ status, server: String(headers.server ?? ''), body }),
      // Timeout, refusal and anything that is not HTTP are the same to a probe.
      () => undefined,
    );
  const exporterUrl = `http://${new URL(base).hostname}:${exporterPort}/metrics`;
  const [versions, streams, metrics] = await Promise.all([
    get('/api/v1/versions'),
    get('/api/v1/streams/'),
    get(exporterUrl),
  ]);
  if (!versions) return undefined;
  const shownPort = webPortOf(new URL(base));
  const isSrs = versions.server.startsWith('SRS');
  const settings = {
    server: 'srs' as const,
    url: base,
    ...(metrics && isExporter(metrics.body) ? { metrics: exporterUrl } : {}),
  };
  if (isSrs && (versions.status === 401 || versions.status === 403))
    return {
      certainty: 0.9,
      software: 'SRS',
      detail: `API on ${shownPort}, behind a password`,
      settings,
      needs: ['user', 'httpPassword'],
    };
  // Its HTTP server, on 8080, answers `versions` too, and 404 for the rest.
  if (!isSrsAnswer(versions.body) || streams?.status === 404) return undefined;
  const version = validParts(versionsResponse, parseForeignJson(versions.body));
  if (!version.isUsable) return undefined;
  const listed =
    streams && isSrsAnswer(streams.body) ? validParts(streamsResponse, parseForeignJson(streams.body)) : undefined;
  const live = (listed?.isUsable ? listed.data : undefined)?.streams.filter(({ publish }) => publish?.active).length;
  const parts = [
    `API on ${shownPort}`,
    ...(live === undefined ? [] : [live === 1 ? 'one stream live' : `${live === 0 ? 'no' : live} streams live`]),
    ...(settings.metrics ? [`exporter on ${exporterPort}`] : []),
  ];
  return {
    certainty: isSrs ? 1 : 0.9,
    software: `SRS ${version.data.data.version}`,
    detail: parts.join(', '),
    settings,
  };
}
