import { fail, on, pass, warn, type PreflightRule } from '../../rule';
import { ephemeralName, ephemeralNeeds, rangeText, reservation, ephemeralOverlap } from '../../text/ports';
import { sysctlFix } from '../../text/sysctl';
import { livekitYaml, mediaPorts } from './conf';

export const portsEphemeral: PreflightRule = {
  id: 'livekit.ports-ephemeral',
  title: 'Media ports and ephemeral ports',
  checks: `Whether the media ports overlap ${ephemeralName}.`,
  why: 'A port that the system assigned to another connection is missing from the range, at random.',
  good: 'no overlap, or the media ports are reserved in net.ipv4.ip_local_reserved_ports',
  source: 'LiveKit: config-sample.yaml; Linux: ip-sysctl',
  applies: on('livekit'),
  needs: [livekitYaml, ...ephemeralNeeds],
  judge: (facts, { node }) => {
    const { first, last, isShared } = mediaPorts(facts);
    const taken = ephemeralOverlap(facts, { first, last });
    const range = rangeText({ first, last });
    return taken
      ? (isShared ? fail : warn)(
          `Of the media ports ${range} on ${node}, the system may assign ${rangeText(taken)} to other connections.`,
          sysctlFix(reservation(facts, { first, last })),
        )
      : pass(`The media ports ${range} on ${node} do not overlap the ephemeral ports.`);
  },
};
