import { hostInAddress } from '../addressTemplate';
import type { ProbeTarget, ServerFound } from '../adapter';
import { isSrsAnswer, streamsResponse, versionsResponse } from './responses';
import { isExporter } from './exporter';
import { exporterPort } from './srsServer';
import { validParts } from '../../links/http/validParts';
import { probeMs } from '../probeTimeout';
import { parseForeignJson } from '../../../domain/budget/foreignJson';

const apiPort = 1985;

/** Probes the entered address and the usual port for SRS's API. */
export async function detectSrs(target: ProbeTarget): Promise<ServerFound | undefined> {
  const found = await Promise.all(candidatesOf(target).map((base) => probe(target, base)));
  return found.find((result) => result !== undefined);
}

function candidatesOf({ host, port, url }: ProbeTarget): string[] {
  const usual = `http://${hostInAddress(host)}:${apiPort}`;
  // A complete address may be one of a stream, with the API beside it.
  if (url) return [...new Set([...(/^https?:$/.test(url.protocol) ? [url.origin] : []), usual])];
  return port === undefined ? [usual] : [`http://${hostInAddress(host)}:${port}`];
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
  const { port, protocol } = new URL(base);
  const shownPort = port || (protocol === 'https:' ? '443' : '80');
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
  if (!isSrsAnswer(versions.body)) return undefined;
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
