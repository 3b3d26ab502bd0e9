import type { OriginSettings } from '../../../domain/model/nodeSettings';
import type { Clock } from '../../base/clock';
import type { HttpLink } from '../../links/http/httpLink';
import { bareHost, hostInAddress } from '../addressTemplate';
import type { ProbeTarget, ServerFound } from '../adapter';
import { respondsAsTurn } from '../turnProbe';
import { turnAddress } from '../../../domain/model/turn';
import { rtmpPorts, supportsRtmp } from '../rtmpHandshake';
import {
  keyOfScheme,
  pathEndings,
  streamAddresses,
  urlKeys,
  type PortAddressKey,
  type StreamAddressKey,
} from '../../../domain/model/addressKeys';
import { protocolNames, type StreamAddress } from '../../../domain/model/protocols';
import { addressNames } from '../configuredAddresses';
import { isLab, labStreams } from './lab';
import { templateOf, counterpartOf, type Template } from './template';
import { servesWebSocketFlv } from './webSocketFlv';
import { probeMs } from '../probeTimeout';
import { respondsAsMedia } from '../mediaPortProbe';

/** Low, so that a known family comes first. */
const certainty = { lab: 0.5, stream: 0.4, rtmp: 0.3, rtmpPort: 0.2 };

/** Recognises an address by its path and by what responds there; opens no session. */
export async function detectAddress(target: ProbeTarget): Promise<ServerFound | undefined> {
  const { host, port, url, http, clock } = target;
  const portKey = url && keyOfScheme(schemeOf(url));
  if (portKey) return portProbes[portKey](url, clock);
  if (url && isWebSocket(url)) return probeWebSocket(url, target);
  const place = url ?? (port === undefined ? undefined : new URL(`http://${hostInAddress(host)}:${port}`));
  if (place && /^https?:$/.test(place.protocol)) {
    const [lab, stream] = await Promise.all([
      probeLab(http, place),
      place.pathname === '/' && place.search === '' ? undefined : probeStream(target, place),
    ]);
    if (lab ?? stream) return lab ?? stream;
    if (url) return undefined;
  }
  return probeRtmp(clock, host, 'rtmp:', port);
}

const isWebSocket = ({ protocol }: URL): boolean => /^wss?:$/.test(protocol);

async function probeWebSocket(
  url: URL,
  { clock, acceptSelfSigned = false, proxy }: Pick<ProbeTarget, 'clock' | 'acceptSelfSigned' | 'proxy'>,
): Promise<ServerFound | undefined> {
  if (!(await servesWebSocketFlv(url, { clock, timeoutMs: probeMs, acceptSelfSigned, proxy }))) return undefined;
  return { ...found(templateOf(url), 'flv', {}), software: protocolNames['ws-flv'] };
}

const schemeOf = (url: URL): string => url.protocol.slice(0, -1);

/** Probes of addresses with a scheme of their protocol. */
const portProbes: Readonly<Record<PortAddressKey, (url: URL, clock: Clock) => Promise<ServerFound | undefined>>> = {
  rtmp: probeRtmpUrl,
  rtsp: (url, clock) => probeMedia(url, 'rtsp', clock),
  srt: (url, clock) => probeMedia(url, 'srt', clock),
  turn: ({ href }, clock) => probeTurn(href, clock),
};

async function probeTurn(text: string, clock: Clock): Promise<ServerFound | undefined> {
  const address = turnAddress(text);
  if (!address || !(await respondsAsTurn(address, clock, probeMs))) return undefined;
  return {
    certainty: certainty.rtmp,
    software: 'TURN',
    detail: `over ${address.transport.toUpperCase()}`,
    settings: { server: 'generic', turn: text },
  };
}

async function probeMedia(url: URL, key: PortAddressKey, clock: Clock): Promise<ServerFound | undefined> {
  return (await respondsAsMedia(url, clock, probeMs)) ? found(templateOf(url), key, {}) : undefined;
}

async function probeLab(http: HttpLink, { origin }: URL): Promise<ServerFound | undefined> {
  const answer = await http
    .request({ url: `${origin}/`, timeoutMs: probeMs, firstBytes: 1_000_000 })
    .catch(() => undefined);
  if (answer?.status !== 200 || !isLab(answer.body)) return undefined;
  const streams = labStreams(answer.body).length;
  return {
    certainty: certainty.lab,
    software: 'Fullhouse lab',
    detail: `WHIP and WHEP, ${streams === 1 ? 'one stream' : `${streams === 0 ? 'no' : streams} streams`} live`,
    settings: { server: 'generic', whep: `${origin}/whep/{stream}`, whip: `${origin}/whip/{stream}` },
  };
}

async function probeStream(target: ProbeTarget, url: URL): Promise<ServerFound | undefined> {
  const { http } = target;
  const template = templateOf(url);
  const [offers, media] = await Promise.all([takesOffers(http, url.href), mediaAt(http, url.href)]);
  if (media === 'page') return streamOfPage(target, url);
  if (media) return found(template, media, {});
  if (!offers) return undefined;
  const kind: StreamAddressKey = /\/whip(?=[/?]|$)/i.test(url.href) ? 'whip' : 'whep';
  const counterpart = counterpartOf(url.href);
  const counterpartTemplate = counterpartOf(template.address);
  const hasCounterpart = counterpart !== undefined && (await takesOffers(http, counterpart));
  return found(
    template,
    kind,
    hasCounterpart && counterpartTemplate ? { [kind === 'whep' ? 'whip' : 'whep']: counterpartTemplate } : {},
  );
}

function found(template: Template, kind: StreamAddressKey, beside: Partial<OriginSettings>): ServerFound {
  return {
    certainty: certainty.stream,
    software: addressNames([kind, ...(Object.keys(beside) as StreamAddressKey[])]),
    detail: template.stream === undefined ? 'one address for all streams' : `stream ${template.stream}`,
    settings: { server: 'generic', [kind]: template.address, ...beside },
    ...(template.stream === undefined ? {} : { stream: template.stream }),
  };
}

/** Addresses of streams that a page of a player names, at most so many. */
const maxInPage = 5;

/** The first stream named by a page that responds. Pages that compute the address in a script name none. */
async function streamOfPage(target: ProbeTarget, page: URL): Promise<ServerFound | undefined> {
  const { http, clock } = target;
  const { body, redirectedTo } = await http.request({ url: page.href, timeoutMs: probeMs, firstBytes: 500_000 });
  for (const address of streamsIn(body, new URL(redirectedTo ?? page.href)).slice(0, maxInPage)) {
    const portKey = keyOfScheme(schemeOf(address));
    if (portKey) {
      const media = await portProbes[portKey](address, clock);
      if (media) return media;
    } else if (isWebSocket(address)) {
      const media = await probeWebSocket(address, target);
      if (media) return media;
    } else {
      const media = await mediaAt(http, address.href);
      if (media && media !== 'page') return found(templateOf(address), media, {});
      if (/\/whep(?=[/?]|$)/i.test(address.pathname) && (await takesOffers(http, address.href)))
        return found(templateOf(address), 'whep', {});
    }
  }
  return undefined;
}

const endingsInPage = [...pathEndings.map(({ ending }) => `\\.${ending}`), '\\/whep'].join('|');
const schemesInPage = urlKeys
  .flatMap((key) => streamAddresses[key].schemes)
  .filter((scheme) => keyOfScheme(scheme) !== undefined)
  .join('|');
/** Each text in quotes once, in time proportional to the page: a server may send any. */
const quoted = /["'`]([^"'`\s<>]+)(?=["'`])/g;
const ofStream = new RegExp(`(?:${endingsInPage})(?:[/?]|$)|^(?:${schemesInPage})://.`, 'i');

/** Part of an address that the script of a page resolves against the page's own, as MediaMTX's does. */
const partInScript = /\bnew URL\(\s*["'`](whep)["'`]\s*,/gi;

/** Addresses of streams in the text of a page, each once. `page` is the address that responded, after redirects. */
export function streamsIn(text: string, page: URL): readonly URL[] {
  const byScript = [...text.matchAll(partInScript)].map(([, part = '']) => new URL(part + page.search, page).href);
  const named = [...text.matchAll(quoted)].flatMap(([, address = '']) => {
    if (!ofStream.test(address)) return [];
    const plain = address.replaceAll('&amp;', '&').replaceAll('\\/', '/');
    try {
      return [new URL(plain, page.href).href];
    } catch {
      return []; // some other text in quotes
    }
  });
  return [...new Set([...named, ...byScript])].map((address) => new URL(address));
}

/** Which format is served there, by its first bytes; `page` for HTML. */
async function mediaAt(http: HttpLink, url: string): Promise<StreamAddressKey | 'page' | undefined> {
  const answer = await http.request({ url, timeoutMs: probeMs, firstBytes: 1000 }).catch(() => undefined);
  if (answer?.status !== 200) return undefined;
  const contentType = String(answer.headers['content-type'] ?? '').toLowerCase();
  const text = answer.body.replace(/^\uFEFF/, '');
  const ofType = keyWith((hint) => 'contentType' in hint && contentType.startsWith(hint.contentType));
  const media =
    ofType ??
    keyWith(
      (hint) =>
        ('start' in hint && text.startsWith(hint.start)) || ('contains' in hint && text.includes(hint.contains)),
    );
  if (media) return media;
  return /<(!doctype html|html|head|body|script|video)\b/i.test(answer.body) ? 'page' : undefined;
}

/** The address whose hint about the response holds. */
const keyWith = (holds: (hint: NonNullable<StreamAddress['response']>) => boolean): StreamAddressKey | undefined =>
  urlKeys.find((key) => {
    const { response } = streamAddresses[key];
    return response !== undefined && holds(response);
  });

/** Whether WHIP or WHEP offers are accepted there: by OPTIONS, or by the response to an invalid offer. */
async function takesOffers(http: HttpLink, url: string): Promise<boolean> {
  const named = /\/(whep|whip|rtc\/v1)(?=[/?]|$)/i.test(url);
  const options = await http.request({ method: 'OPTIONS', url, timeoutMs: probeMs }).catch(() => undefined);
  const headerOf = (header: string): string => String(options?.headers[header] ?? '');
  if (options && /application\/sdp/i.test(headerOf('accept-post'))) return true;
  // A path with one of these names on a server that accepts POST.
  if (!named) return false;
  if (options && /\bPOST\b/.test(`${headerOf('allow')} ${headerOf('access-control-allow-methods')}`)) return true;
  return http
    .request({
      method: 'POST',
      url,
      headers: { 'Content-Type': 'application/sdp' },
      body: '',
      timeoutMs: probeMs,
    })
    .then(
      ({ status }) => [400, 401, 403, 406, 415, 422].includes(status),
      // SRS closes the connection on an invalid offer.
      (error: unknown) => (error as { code?: unknown }).code === 'closed',
    );
}

function probeRtmpUrl(url: URL, clock: Clock): Promise<ServerFound | undefined> {
  const host = bareHost(url.hostname);
  return probeRtmp(clock, host, url.protocol as keyof typeof rtmpPorts, url.port ? Number(url.port) : undefined, url);
}

async function probeRtmp(
  clock: Clock,
  host: string,
  scheme: keyof typeof rtmpPorts,
  port: number = rtmpPorts[scheme],
  url?: URL,
): Promise<ServerFound | undefined> {
  if (!(await supportsRtmp(host, port, clock, probeMs, scheme === 'rtmps:'))) return undefined;
  const place = new URL(url?.href ?? `${scheme}//${hostInAddress(host)}`);
  place.port = port === rtmpPorts[scheme] ? '' : String(port);
  const { address, stream } = templateOf(place);
  const app = /^[^/]+\/\/[^/]+\/(.+)\/\{stream\}/.exec(address)?.[1];
  const details = [app && `app ${app}`, stream === undefined ? undefined : `stream ${stream}`];
  return {
    certainty: url ? certainty.rtmp : certainty.rtmpPort,
    software: scheme === 'rtmps:' ? 'RTMPS' : 'RTMP',
    detail: details.filter(Boolean).join(', '),
    settings: { server: 'generic', rtmp: address },
    ...(stream === undefined ? {} : { stream }),
  };
}
