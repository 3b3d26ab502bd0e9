import type { HttpResponse, HttpLink } from '../../links/http/httpLink';
import type { ProbeTarget, ServerFound } from '../adapter';
import { hostInAddress, webPortOf } from '../addressTemplate';
import { apiBase, defaultMetricsUrl, defaultApiPort } from './addresses';
import { probeMs } from '../probeTimeout';

/** Probes the entered address, or LiveKit's usual ones. */
export async function look(target: ProbeTarget): Promise<ServerFound | undefined> {
  const [found, metrics] = await Promise.all([
    firstOf(addressesOf(target).map((base) => probe(base, target))),
    hasMetrics(defaultMetricsUrl(hostInAddress(target.host)), target.http),
  ]);
  if (!found) return undefined;
  const metricsUrl = metrics ? defaultMetricsUrl(hostInAddress(target.host)) : undefined;
  return {
    certainty: found.certainty,
    software: found.software,
    detail: [
      `API on ${portOf(found.base)}`,
      metricsUrl ? `metrics on ${portOf(metricsUrl)}` : 'no metrics on 6789 (prometheus.port is off or elsewhere)',
    ].join(', '),
    settings: { server: 'livekit', url: found.base, ...(metricsUrl ? { metrics: metricsUrl } : {}) },
    needs: target.secrets.apiSecret ? ['apiKey'] : ['apiKey', 'apiSecret'],
  };
}

function addressesOf({ host, port, url }: ProbeTarget): readonly string[] {
  const typed = url && apiBase(url.href);
  if (typed) return [typed];
  if (port !== undefined) return [`http://${hostInAddress(host)}:${port}`, `https://${hostInAddress(host)}:${port}`];
  return [`http://${hostInAddress(host)}:${defaultApiPort}`, `https://${hostInAddress(host)}`];
}

const portOf = (address: string): string => webPortOf(new URL(address));

interface Responses {
  readonly base: string;
  readonly certainty: number;
  readonly software: string;
}

async function probe(base: string, { http }: ProbeTarget): Promise<Responses | undefined> {
  const validate = await answerOf(http, `${base}/rtc/validate`);
  if (validate?.status !== 401) return undefined;
  const [root, health] = await Promise.all([
    answerOf(http, `${base}/`),
    // A call that only OpenVidu's build has.
    answerOf(http, `${base}/twirp/health`),
  ]);
  const isKnown = /permissions? to access the room|invalid authorization token/i.test(validate.body);
  const isOpenvidu = isHealth(health) || /<title>[^<]*openvidu/i.test(root?.body ?? '');
  if (!isKnown && !isHealth(root) && !isOpenvidu) return undefined;
  return { base, certainty: isKnown ? 0.95 : 0.7, software: isOpenvidu ? 'OpenVidu 3' : 'LiveKit' };
}

/** `OK`, or a message that it is not ready. */
const isHealth = (answer: HttpResponse | undefined): boolean =>
  (answer?.status === 200 && answer.body.trim() === 'OK') ||
  (answer?.status === 406 && answer.body.startsWith('Not Ready'));

async function hasMetrics(url: string, http: HttpLink): Promise<boolean> {
  const answer = await answerOf(http, url);
  return answer?.status === 200 && /^livekit_/m.test(answer.body);
}

/** Timeouts and every other failure count as "not found": another family may match. */
async function answerOf(http: HttpLink, url: string): Promise<HttpResponse | undefined> {
  try {
    return await http.request({ url, timeoutMs: probeMs });
  } catch {
    return undefined;
  }
}

async function firstOf<T>(looks: ReadonlyArray<Promise<T | undefined>>): Promise<T | undefined> {
  return (await Promise.all(looks)).find((result) => result !== undefined);
}
