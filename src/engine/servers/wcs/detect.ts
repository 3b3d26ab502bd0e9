import { timeoutSignal } from '../../base/clock';
import type { ProbeTarget, ServerFound } from '../adapter';
import { hostInAddress, webPortOf } from '../addressTemplate';
import { resemblance } from './statistics/detectFormat';
import { seriesOf } from './statistics/values';
import { versionOf } from './identity';
import { wcsPorts } from './wcsAddresses';
import { restBase, wcsRest } from './wcsRest';
import { probeMs } from '../probeTimeout';

/** Port of the REST API in WCS 5.1 and older, and of the demo pages in newer ones. */
const oldPort = 9091;

/** Probes the usual ports, or the entered one, for a WCS; undefined when none responds there. */
export async function detectWcs(target: ProbeTarget): Promise<ServerFound | undefined> {
  const found = await Promise.all(candidatesOf(target).map((place) => probe(target, place)));
  let best: ServerFound | undefined;
  for (const candidate of found) if (candidate && (!best || candidate.certainty > best.certainty)) best = candidate;
  return best;
}

/** Addresses to probe, the likeliest first. An entered port may be the signalling port, which serves no REST. */
function candidatesOf({ host, port, url }: ProbeTarget): string[] {
  if (url && /^https?:$/.test(url.protocol)) return [restBase(url.href)];
  const [rest, secureRest] = wcsPorts.rest;
  const bare = hostInAddress(host);
  const plain = `http://${bare}:${rest}`;
  const secure = `https://${bare}:${secureRest}`;
  const [signalling, secureSignalling] = wcsPorts.signalling;
  if (port === undefined) return [plain, secure, `http://${bare}:${oldPort}`];
  if (port === secureRest || port === secureSignalling) return [secure];
  return port === signalling ? [plain] : [`http://${bare}:${port}`];
}

async function probe({ http, clock }: ProbeTarget, place: string): Promise<ServerFound | undefined> {
  const rest = wcsRest({ http, who: new URL(place).hostname, url: place });
  try {
    // All formats of the statistics together may take no longer than one.
    const statistics = await rest.statistics({ timeoutMs: probeMs, signal: timeoutSignal(clock, probeMs) });
    const certainty = resemblance(statistics);
    if (certainty === 0) return undefined;
    const { originStreams: streams, originViewers: viewers } = seriesOf(statistics);
    const version = versionOf(statistics);
    const shownPort = webPortOf(new URL(place));
    const parts = [
      `REST on ${shownPort}`,
      ...(streams === undefined ? [] : [`${streams === 1 ? 'one stream' : `${streams} streams`} live`]),
      ...(viewers === undefined ? [] : [viewers === 1 ? 'one viewer' : `${viewers} viewers`]),
      ...(shownPort === String(oldPort) ? ['an old version, by its port'] : []),
    ];
    return {
      certainty,
      software: version ? `WCS ${version}` : 'WCS',
      detail: parts.join(', '),
      settings: { server: 'wcs', url: place },
    };
  } catch {
    // Timeout, refusal and other servers are the same to a probe.
    return undefined;
  }
}
