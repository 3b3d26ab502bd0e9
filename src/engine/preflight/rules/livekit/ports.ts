import { fail, on, pass, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { rangeText } from '../../text/ports';
import { livekitFix, livekitYaml, mediaPorts } from './conf';

export const ports: PreflightRule = {
  id: 'livekit.ports',
  title: 'Media ports',
  checks: 'rtc.port_range_start and rtc.port_range_end, or rtc.udp_port.',
  why: 'With a range each viewer takes ports of it; when they are used up further viewers get no media.',
  good: 'one shared udp_port, or two ports per participant in the range',
  source: 'LiveKit: Ports and firewall; config-sample.yaml',
  applies: on('livekit'),
  needs: [livekitYaml],
  judge: (facts, { node, viewers, publishers }) => {
    const { first, last, isShared } = mediaPorts(facts);
    if (isShared) return pass(`All media of ${node} shares UDP port ${rangeText({ first, last })}.`);
    const [room, needed] = [last - first + 1, 2 * (viewers + publishers)];
    const read = `The media ports of ${node} are ${rangeText({ first, last })}, which are ${whole(room)}`;
    return room >= needed
      ? pass(`${read}; this plan needs ${whole(needed)}.`)
      : fail(`${read}; this plan needs ${whole(needed)}.`, livekitFix(facts, 'rtc:', '  udp_port: 7882'));
  },
};
