import { hostInAddress } from '../addressTemplate';
import type { ProbeTarget, ServerFound } from '../adapter';
import { supportsRtmp } from '../rtmpHandshake';
import { findFlv } from './flvLocation';
import { flvTemplate, writeName } from './nginxAddresses';
import { readStat } from './stat';
import { probeMs } from '../probeTimeout';

const httpPorts = [80, 8080];
const rtmpPort = 1935;
const statPaths = ['/stat', '/rtmp_stat', '/stat.xml', '/stat.json'];

/** Probes the entered address and the usual ones for a stat page. */
export async function detectNginxRtmp(target: ProbeTarget): Promise<ServerFound | undefined> {
  const typedRtmp = target.url?.protocol === 'rtmp:' ? Number(target.url.port || rtmpPort) : undefined;
  const [found, hasRtmp] = await Promise.all([
    firstOf(candidatesOf(target).map((url) => probe(target, url))),
    supportsRtmp(target.host, typedRtmp ?? rtmpPort, target.clock, probeMs),
  ]);
  if (!found) return undefined;
  const port = typedRtmp ?? rtmpPort;
  const flv = target.url && flvOf(target.url);
  return {
    ...found,
    ...(flv ? { stream: flv.stream } : {}),
    detail: `${found.detail}, ${hasRtmp ? `RTMP on ${port}` : 'no RTMP on 1935'}`,
    settings: {
      ...found.settings,
      ...(hasRtmp && port !== rtmpPort ? { rtmp: `rtmp://${hostInAddress(target.host)}:${port}/{app}/{stream}` } : {}),
      ...(flv ? { flv: flv.template } : {}),
    },
  };
}

function candidatesOf({ host, port, url }: ProbeTarget): string[] {
  const at = hostInAddress(host);
  if (url && /^https?:$/.test(url.protocol))
    // A stream is no stat page, and has no end.
    return [...new Set([...(flvOf(url) ? [] : [url.href]), ...statPaths.map((path) => url.origin + path)])];
  const ports = port === undefined || port === rtmpPort || url ? httpPorts : [port];
  return ports.flatMap((port) => statPaths.map((path) => `http://${at}:${port}${path}`));
}

/** The stream of an address of nginx-http-flv-module, and the address of all its streams. */
function flvOf(url: URL): { readonly stream: string; readonly template: string } | undefined {
  const [app, stream] = [url.searchParams.get('app'), url.searchParams.get('stream')];
  if (!/^https?:$/.test(url.protocol) || !app || !stream) return undefined;
  const port = Number(url.searchParams.get('port'));
  return {
    stream: writeName({ app, stream, server: 0 }),
    template: flvTemplate(url.origin + url.pathname, port > 0 ? port : undefined),
  };
}

/** The first in order that matches, not the first to respond: the entered address has priority over guesses. */
async function firstOf(looks: ReadonlyArray<Promise<ServerFound | undefined>>): Promise<ServerFound | undefined> {
  return (await Promise.all(looks)).find((result) => result !== undefined);
}

async function probe({ http }: ProbeTarget, url: string): Promise<ServerFound | undefined> {
  const answer = await http.request({ url, timeoutMs: probeMs }).catch(() => undefined);
  if (answer?.status !== 200) return undefined;
  const stat = readStat(answer.body);
  if (!stat) return undefined;
  const { pathname, port } = new URL(url);
  const flv = await findFlv(http, url, stat);
  const live = stat.streams.filter(({ isPublished }) => isPublished).length;
  return {
    certainty: 1,
    software: `${stat.module} ${stat.moduleVersion}`,
    detail: `stat page ${port ? `on ${port} ` : ''}at ${pathname}, ${live === 1 ? 'one stream' : `${live === 0 ? 'no' : live} streams`} live`,
    settings: { server: 'nginx-rtmp', url, ...(flv === undefined ? {} : { flv }) },
  };
}
