import type { HttpLink } from '../../links/http/httpLink';
import { flvCandidates, flvTemplate, nginxAddresses, writeName } from './nginxAddresses';
import type { Stat, StatStream } from './stat';

/** A stream by which the location of HTTP-FLV can be found: without one it does not respond at all. */
export const flvSample = ({ module, streams }: Stat): StatStream | undefined =>
  module === 'nginx-http-flv' ? streams.find(({ isPublished, server }) => isPublished && server === 0) : undefined;

/** Checks the usual locations of HTTP-FLV beside the stat page; the template of the addresses of the one that responds. */
export async function findFlv(http: HttpLink, statUrl: string, stat: Stat): Promise<string | undefined> {
  const sample = flvSample(stat);
  if (!sample) return undefined;
  const stream = writeName({ ...sample, stream: sample.name });
  const settings = { server: 'nginx-rtmp', url: statUrl } as const;
  for (const location of flvCandidates) {
    const flv = flvTemplate(new URL(statUrl).origin + location, stat.ports[0]);
    const { play } = nginxAddresses(settings, statUrl, { flv, ports: stat.ports }, stream);
    const found = await http
      .request({ url: play['http-flv'] ?? flv, timeoutMs: 1500, firstBytes: 3, encoding: 'latin1' })
      .then(
        ({ status, body }) => status === 200 && body.startsWith('FLV'),
        () => false,
      );
    if (found) return flv;
  }
  return undefined;
}
