import type { Facts } from '../reading/facts';
import { fail, on, onWcsByUdp, pass, type PreflightRule, usesUdp, warn } from '../rule';
import { counted, formatCount } from '../../../domain/text/numberFormat';
import {
  ephemeralName,
  ephemeralNeeds,
  ephemeralOverlap,
  ephemeralRange,
  overlap,
  type PortRange,
  rangeText,
  reservation,
} from '../text/ports';
import { flashphoner, wcsFix, wcsNumber, wcsSetting } from '../text/properties';
import { sysctlFix } from '../text/sysctl';
import { wcsPorts } from '../text/wcsPorts';

/** Media ports configured in WCS; `isDefault` where the file has none. */
function mediaPorts(facts: Facts): PortRange & { readonly isDefault: boolean } {
  const [from, to] = [wcsNumber(facts, 'media_port_from'), wcsNumber(facts, 'media_port_to')];
  // The last port is never used.
  return {
    first: from ?? 31_001,
    last: (to ?? 32_000) - 1,
    isDefault: from === undefined && to === undefined,
  };
}

/** Ports of one session: an even one, and two without bundling. */
function portsPerSession(facts: Facts): number {
  return wcsSetting(facts, 'rtp_bundle') === 'false' ? 2 : 1;
}

/** Sessions that fit into a range: every second port, from the first even one, unless all are used. */
function sessionsIn({ first, last }: PortRange, facts: Facts): number {
  const isCompact = wcsSetting(facts, 'compact_media_port_usage') === 'true';
  const even = first % 2 === 0 ? first : first + 1;
  const ports = isCompact ? last - first + 1 : Math.floor((last - even) / 2) + 1;
  return Math.max(0, Math.floor(ports / portsPerSession(facts)));
}

const enoughMediaPorts: PreflightRule = {
  id: 'wcs.media-ports',
  title: 'Media ports',
  checks: 'media_port_from and media_port_to: whether every viewer and publisher gets a port.',
  why: 'Each WebRTC session takes its own media port; when none is left, further viewers are refused.',
  good: 'one port per session (every second port counts, two per session without rtp_bundle); 20001 to 40000 has 9,999',
  source:
    'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?; WCS manual: Media ports management',
  applies: onWcsByUdp,
  needs: [flashphoner],
  judge: (facts, { node, viewers, publishers }) => {
    const range = mediaPorts(facts);
    const room = sessionsIn(range, facts);
    const needed = viewers + publishers;
    const read = `${range.isDefault ? 'Media ports are not set (default 31001 to 32000)' : `Media ports are ${range.first} to ${range.last + 1}`} on ${node}, enough for ${counted(room, 'session')}`;
    if (room >= needed) return pass(`${read}; this plan needs ${formatCount(needed)}.`);
    // Twice as many, since a port is quarantined after its session; no other part of WCS uses ports up to 29999.
    const last =
      needed * portsPerSession(facts) <= 3000 ? 29_999 : 20_001 + Math.max(19_999, needed * 3 * portsPerSession(facts));
    return fail(
      `${read}; this plan needs ${formatCount(needed)}.`,
      wcsFix(facts, 'media_port_from=20001', `media_port_to=${Math.min(65_000, last)}`),
    );
  },
};

const mediaPortsFree: PreflightRule = {
  id: 'wcs.media-ports-free',
  title: 'Free media ports',
  checks: 'ports_media_free of the running server.',
  why: 'The running server may differ from its configuration: changes without a restart, other sessions and quarantined ports count here.',
  good: 'one free port per viewer and publisher, on a tester one per pull',
  source: 'WCS manual: Load and resource usage information; Media ports management',
  applies: (context) => on('wcs')(context) || (context.tester === 'wcs' && usesUdp(context)),
  needs: [{ api: 'wcs ports' }],
  judge: (facts, { node, viewers, publishers }) => {
    const free = wcsPorts(facts, 'ports_media_free');
    const resting = facts.maybe((all) => wcsPorts(all, 'ports_media_quarantine')) ?? 0;
    const needed = viewers + publishers;
    const read = `${formatCount(free)} media ports are free on ${node}${resting > 0 ? ` and ${formatCount(resting)} in quarantine` : ''}`;
    if (free >= needed) return pass(`${read}; this plan needs ${formatCount(needed)}.`);
    return free + resting >= needed
      ? warn(`${read}; this plan needs ${formatCount(needed)}; wait until the quarantined ports are free.`)
      : fail(`${read}; this plan needs ${formatCount(needed)}. See Media ports, and restart WCS after a change.`);
  },
};

const mediaPortsEphemeral: PreflightRule = {
  id: 'wcs.media-ports-ephemeral',
  title: 'Media ports and ephemeral ports',
  checks: `Whether the media ports overlap ${ephemeralName}.`,
  why: "A port that the system assigned to another connection can't be a media port, so individual viewers fail at random.",
  good: 'no overlap, or the media ports are reserved in net.ipv4.ip_local_reserved_ports',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?; Linux: ip-sysctl',
  applies: onWcsByUdp,
  needs: [flashphoner, ...ephemeralNeeds],
  judge: (facts, { node }) => {
    const { first, last } = mediaPorts(facts);
    const range = { first, last };
    const taken = ephemeralOverlap(facts, range);
    const system = rangeText(ephemeralRange(facts));
    return taken
      ? fail(
          `Of the media ports ${rangeText(range)} on ${node}, the system may assign ${rangeText(taken)} to other connections (${ephemeralName} is ${system}).`,
          sysctlFix(reservation(facts, range)),
        )
      : pass(`The media ports ${rangeText(range)} on ${node} do not overlap the ephemeral ports (${system}).`);
  },
};

/** Other port ranges of WCS, from its manual. */
const otherRanges = [
  { what: 'SIP', first: 30_000, last: 31_000 },
  { what: 'the RTSP client', first: 32_000, last: 32_999 },
  { what: 'the RTMP client', first: 33_001, last: 34_000 },
  { what: 'CDN and pulls', first: 34_001, last: 35_000 },
] as const;

const mediaPortsOwn: PreflightRule = {
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
    const shared = otherRanges.flatMap((other) => {
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

const rtpBundle: PreflightRule = {
  id: 'wcs.rtp-bundle',
  title: 'One port per session',
  checks: 'rtp_bundle: whether audio and video share a port.',
  why: 'Without it each viewer takes two media ports, which halves the capacity.',
  good: 'true, or not set',
  source: 'WCS manual: Media ports management',
  applies: onWcsByUdp,
  needs: [flashphoner],
  judge: (facts, { node }) =>
    wcsSetting(facts, 'rtp_bundle') === 'false'
      ? warn(`rtp_bundle is false on ${node}: each session takes two ports.`, wcsFix(facts, 'rtp_bundle=true'))
      : pass(`Audio and video share a port on ${node}.`),
};

export const wcsPortsRules: readonly PreflightRule[] = [
  enoughMediaPorts,
  mediaPortsFree,
  mediaPortsEphemeral,
  mediaPortsOwn,
  rtpBundle,
];
