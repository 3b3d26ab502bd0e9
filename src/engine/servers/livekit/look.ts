import type { HttpAnswer, HttpLink } from '../../links/http/httpLink';
import type { ProbeTarget, ServerFound } from '../adapter';
import { hostInAddress } from '../addressTemplate';
import { apiBase, guessedMetricsUrl, usualApiPort } from './addresses';
import { lookMs } from '../lookLimit';

/** Asks the typed address, or LiveKit's usual ones. */
export async function look(target: ProbeTarget): Promise<ServerFound | undefined> {
  const [found, metrics] = await Promise.all([
    firstOf(addressesOf(target).map((base) => lookAt(base, target))),
    hasMetrics(guessedMetricsUrl(hostInAddress(target.host)), target.http),
  ]);
  if (!found) return undefined;
  const metricsUrl = metrics ? guessedMetricsUrl(hostInAddress(target.host)) : undefined;
  return {
    certainty: found.certainty,
    software: found.software,
    detail: [
      `API on ${portOf(found.base)}`,
      metricsUrl
        ? `metrics on ${portOf(metricsUrl)}`
        : 'no metrics on 6789 (prometheus.port is off or elsewhere)',
    ].join(', '),
    settings: { server: 'livekit', url: found.base, ...(metricsUrl ? { metrics: metricsUrl } : {}) },
    needs: target.secrets.apiSecret ? ['apiKey'] : ['apiKey', 'apiSecret'],
  };
}

function addressesOf({ host, port, url }: ProbeTarget): readonly string[] {
  const typed = url && apiBase(url.href);
  if (typed) return [typed];
  if (port !== undefined)
    return [`http://${hostInAddress(host)}:${port}`, `https://${hostInAddress(host)}:${port}`];
  return [`http://${hostInAddress(host)}:${usualApiPort}`, `https://${hostInAddress(host)}`];
}

const portOf = (address: string): string => {
  const { port, protocol } = new URL(address);
  return port || (protocol === 'https:' ? '443' : '80');
};

interface Seen {
  readonly base: string;
  readonly certainty: number;
  readonly software: string;
}

async function lookAt(base: string, { http }: ProbeTarget): Promise<Seen | undefined> {
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

/** `OK`, or a word that it is not ready. */
const isHealth = (answer: HttpAnswer | undefined): boolean =>
  (answer?.status === 200 && answer.body.trim() === 'OK') ||
  (answer?.status === 406 && answer.body.startsWith('Not Ready'));

async function hasMetrics(url: string, http: HttpLink): Promise<boolean> {
  const answer = await answerOf(http, url);
  return answer?.status === 200 && /^livekit_/m.test(answer.body);
}

/** Silence and everything else that is no answer counts as nothing: the next family may know better. */
async function answerOf(http: HttpLink, url: string): Promise<HttpAnswer | undefined> {
  try {
    return await http.request({ url, timeoutMs: lookMs });
  } catch {
    return undefined;
  }
}

async function firstOf<T>(looks: ReadonlyArray<Promise<T | undefined>>): Promise<T | undefined> {
  return (await Promise.all(looks)).find((each) => each !== undefined);
}
