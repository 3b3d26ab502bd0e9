import { fail, onWcsByUdp, pass, type PreflightRule } from '../../rule';
import {
  ephemeralName,
  ephemeralNeeds,
  ephemeralRange,
  rangeText,
  reservation,
  ephemeralOverlap,
} from '../../text/ports';
import { flashphoner } from '../../text/properties';
import { sysctlFix } from '../../text/sysctl';
import { mediaPorts } from './range';

export const mediaPortsEphemeral: PreflightRule = {
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
