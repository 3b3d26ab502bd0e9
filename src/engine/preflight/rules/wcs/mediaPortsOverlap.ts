import { onWcsByUdp, pass, warn, type PreflightRule } from '../../rule';
import { overlap, rangeText } from '../../text/ports';
import { flashphoner, wcsFix } from '../../text/properties';
import { mediaPorts } from './range';

/** Other port ranges of WCS, from its manual. */
const others = [
  { what: 'SIP', first: 30_000, last: 31_000 },
  { what: 'the RTSP client', first: 32_000, last: 32_999 },
  { what: 'the RTMP client', first: 33_001, last: 34_000 },
  { what: 'CDN and pulls', first: 34_001, last: 35_000 },
] as const;

export const mediaPortsOwn: PreflightRule = {
  id: 'wcs.media-ports-own',
  title: "Media ports and WCS's other ports",
  checks: "Whether the media ports overlap WCS's ranges for SIP, RTSP, RTMP and CDN.",
  why: 'Two components of one server conflict over the same port once there are enough viewers.',
  good: 'no overlap with 30000-31000, 32000-32999, 33001-34000, 34001-35000 if these are used',
  source: 'WCS manual: Server core; Media ports management',
  applies: onWcsByUdp,
  needs: [flashphoner],
  judge: (facts, { node, viewers }) => {
    const range = mediaPorts(facts);
    const shared = others.flatMap((other) => {
      const both = overlap(range, other);
      return both ? [`${other.what} (${rangeText(both)})`] : [];
    });
    if (shared.length === 0)
      return pass(`The media ports ${rangeText(range)} on ${node} do not overlap WCS's other ports.`);
    return warn(
      `The media ports ${rangeText(range)} on ${node} overlap those of ${shared.join(', ')}; this is harmless only if these are not used.`,
      // 20001 to 29999 overlaps none of them and has 4,999 sessions.
      viewers <= 4900
        ? wcsFix(facts, 'media_port_from=20001', 'media_port_to=29999')
        : wcsFix(facts, 'media_port_from=35001', 'media_port_to=65000'),
    );
  },
};
