import type { OriginSettings } from '../../../domain/nodeSettings';
import type { HttpLink } from '../../links/http/httpLink';
import { hostInAddress } from '../addressTemplate';
import type { ProbeTarget, ServerFound } from '../adapter';
import { rtmpPorts, speaksRtmp } from '../rtmpHandshake';
import { addressNames, type AddressKind } from './genericAddresses';
import { isLab, labStreams } from './lab';
import { templateOf, twinOf, type Template } from './template';
import { lookMs } from '../lookLimit';

/** Low, so that a server whose family is known comes first. */
const certainty = { lab: 0.5, stream: 0.4, rtmp: 0.3, rtmpPort: 0.2 };

/** Recognises an address by its path and by what answers there; makes no session. */
export async function lookForAddress(target: ProbeTarget): Promise<ServerFound | undefined> {
  const { host, port, url, http } = target;
  if (url?.protocol === 'rtmp:' || url?.protocol === 'rtmps:')
    return lookAtRtmp(host, url.protocol, url.port ? Number(url.port) : undefined, url);
  const place = url ?? (port === undefined ? undefined : new URL(`http://${hostInAddress(host)}:${port}`));
  if (place && /^https?:$/.test(place.protocol)) {
    const [lab, stream] = await Promise.all([
      lookForLab(http, place),
      place.pathname === '/' && place.search === '' ? undefined : lookAtStream(http, place),
    ]);
    if (lab ?? stream) return lab ?? stream;
    if (url) return undefined;
  }
  return lookAtRtmp(host, 'rtmp:', port);
}

async function lookForLab(http: HttpLink, { origin }: URL): Promise<ServerFound | undefined> {
  const answer = await http
    .request({ url: `${origin}/`, timeoutMs: lookMs, firstBytes: 1_000_000 })
    .catch(() => undefined);
  if (answer?.status !== 200 || !isLab(answer.body)) return undefined;
  const streams = labStreams(answer.body).length;
  return {
    certainty: certainty.lab,
    software: "Fullhouse's lab",
    detail: `WHIP and WHEP, ${streams === 1 ? 'one stream' : `${streams === 0 ? 'no' : streams} streams`} live`,
    settings: { server: 'generic', whep: `${origin}/whep/{stream}`, whip: `${origin}/whip/{stream}` },
  };
}

async function lookAtStream(http: HttpLink, url: URL): Promise<ServerFound | undefined> {
  const template = templateOf(url);
  const [offers, media] = await Promise.all([takesOffers(http, url.href), mediaAt(http, url.href)]);
  if (media) return found(template, media, {});
  if (!offers) return undefined;
  const kind: AddressKind = /\/whip(?=[/?]|$)/i.test(url.href) ? 'whip' : 'whep';
  const twin = twinOf(url.href);
  const twinTemplate = twinOf(template.address);
  const hasTwin = twin !== undefined && (await takesOffers(http, twin));
  return found(
    template,
    kind,
    hasTwin && twinTemplate ? { [kind === 'whep' ? 'whip' : 'whep']: twinTemplate } : {},
  );
}

function found(template: Template, kind: AddressKind, beside: Partial<OriginSettings>): ServerFound {
  return {
    certainty: certainty.stream,
    software: addressNames([kind, ...(Object.keys(beside) as AddressKind[])]),
    detail:
      template.stream === undefined ? 'one address for whatever it serves' : `stream ${template.stream}`,
    settings: { server: 'generic', [kind]: template.address, ...beside },
  };
}

/** What is played there, by its first bytes. */
async function mediaAt(http: HttpLink, url: string): Promise<'hls' | 'flv' | undefined> {
  const answer = await http.request({ url, timeoutMs: lookMs, firstBytes: 7 }).catch(() => undefined);
  if (answer?.status !== 200) return undefined;
  if (answer.body.replace(/^\uFEFF/, '').startsWith('#EXTM3U')) return 'hls';
  return answer.body.startsWith('FLV') ? 'flv' : undefined;
}

/** Whether offers of WHIP or WHEP are taken there. It is asked what it takes; where it does not say, it gets an offer that is none. */
async function takesOffers(http: HttpLink, url: string): Promise<boolean> {
  const named = /\/(whep|whip|rtc\/v1)(?=[/?]|$)/i.test(url);
  const options = await http.request({ method: 'OPTIONS', url, timeoutMs: lookMs }).catch(() => undefined);
  const says = (header: string): string => String(options?.headers[header] ?? '');
  if (options && /application\/sdp/i.test(says('accept-post'))) return true;
  // A path by one of these names and a server that takes POST at it.
  if (!named) return false;
  if (options && /\bPOST\b/.test(`${says('allow')} ${says('access-control-allow-methods')}`)) return true;
  return http
    .request({
      method: 'POST',
      url,
      headers: { 'Content-Type': 'application/sdp' },
      body: '',
      timeoutMs: lookMs,
    })
    .then(
      ({ status }) => [400, 401, 403, 406, 415, 422].includes(status),
      // SRS closes the connection on an offer that is none.
      (error: unknown) => (error as { code?: unknown }).code === 'closed',
    );
}

async function lookAtRtmp(
  host: string,
  scheme: keyof typeof rtmpPorts,
  port: number = rtmpPorts[scheme],
  url?: URL,
): Promise<ServerFound | undefined> {
  if (!(await speaksRtmp(host, port, lookMs, scheme === 'rtmps:'))) return undefined;
  const base = `${scheme}//${hostInAddress(host)}${port === rtmpPorts[scheme] ? '' : `:${port}`}`;
  const parts = (url?.pathname ?? '').split('/').filter(Boolean);
  const stream = parts.length > 1 ? parts.pop() : undefined;
  const app = parts.join('/') || 'live';
  return {
    certainty: url ? certainty.rtmp : certainty.rtmpPort,
    software: scheme === 'rtmps:' ? 'RTMPS' : 'RTMP',
    detail: stream ? `app ${app}, stream ${decodeURIComponent(stream)}` : `app ${app}`,
    settings: { server: 'generic', rtmp: `${base}/${app}/{stream}${url?.search ?? ''}` },
  };
}
