import { fail, onWcsByUdp, pass, type PreflightRule } from '../../rule';
import {
  ephemeralName,
  ephemeralNeeds,
  ephemeralRange,
  rangeText,
  reservation,
  takenByOthers,
} from '../../text/ports';
import { flashphoner } from '../../text/properties';
import { sysctlFix } from '../../text/sysctl';
import { mediaPorts } from './range';

export const mediaPortsEphemeral: PreflightRule = {
  id: 'wcs.media-ports-ephemeral',
  title: 'Media ports and the ports the system hands out',
  checks: `Whether the media ports overlap ${ephemeralName}.`,
  why: 'A port that the system has given to another connection cannot be a media port, so single viewers fail at random.',
  good: 'no overlap, or the media ports are reserved in net.ipv4.ip_local_reserved_ports',
  source: 'Flashphoner: What kind of server do you need to run a thousand WebRTC streams?; Linux: ip-sysctl',
  applies: onWcsByUdp,
  needs: [flashphoner, ...ephemeralNeeds],
  judge: (facts, { node }) => {
    const { first, last } = mediaPorts(facts);
    const range = { first, last };
    const taken = takenByOthers(facts, range);
    const system = rangeText(ephemeralRange(facts));
    return taken
      ? fail(
          `Of the media ports ${rangeText(range)} on ${node}, the system may hand out ${rangeText(taken)} to anybody (${ephemeralName} is ${system}).`,
          sysctlFix(reservation(facts, range)),
        )
      : pass(
          `The system leaves the media ports ${rangeText(range)} on ${node} alone (it hands out ${system}).`,
        );
  },
};
