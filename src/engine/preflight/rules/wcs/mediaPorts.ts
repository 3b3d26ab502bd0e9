import { fail, onWcsByUdp, pass, type PreflightRule } from '../../rule';
import { counted, whole } from '../../text/numbers';
import { flashphoner, wcsFix } from '../../text/properties';
import { mediaPorts as portsOf, portsPerSession, sessionsIn } from './range';

export const mediaPorts: PreflightRule = {
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
    const range = portsOf(facts);
    const room = sessionsIn(range, facts);
    const needed = viewers + publishers;
    const read = `${range.isDefault ? 'Media ports are not set (default 31001 to 32000)' : `Media ports are ${range.first} to ${range.last + 1}`} on ${node}, enough for ${counted(room, 'session')}`;
    if (room >= needed) return pass(`${read}; this plan needs ${whole(needed)}.`);
    // Twice as many, since a port is quarantined after its session; no other part of WCS uses ports up to 29999.
    const last =
      needed * portsPerSession(facts) <= 3000 ? 29_999 : 20_001 + Math.max(19_999, needed * 3 * portsPerSession(facts));
    return fail(
      `${read}; this plan needs ${whole(needed)}.`,
      wcsFix(facts, 'media_port_from=20001', `media_port_to=${Math.min(65_000, last)}`),
    );
  },
};
