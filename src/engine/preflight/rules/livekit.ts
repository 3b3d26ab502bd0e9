import type { Facts } from '../reading/facts';
import type { Need } from '../reading/need';
import { yamlAt, yamlNumberAt } from '../reading/yamlOf';
import { fail, on, pass, type PreflightRule, warn } from '../rule';
import { formatCount } from '../../../domain/text/numberFormat';
import { ephemeralName, ephemeralNeeds, ephemeralOverlap, type PortRange, rangeText, reservation } from '../text/ports';
import { linesFor } from '../text/properties';
import { sysctlFix, sysctlNumber, sysctlPath } from '../text/sysctl';

const livekitYaml: Need = { config: 'livekit.yaml' };

/** A number of LiveKit's configuration. Nothing else in it, its keys included, is read. */
function numberAt(facts: Facts, ...path: readonly string[]): number | undefined {
  const { text, path: file } = facts.config('livekit.yaml');
  return yamlNumberAt(text, file, ...path);
}

/** Media ports: one or several that all viewers share (`udp_port`), or a range with separate ports for each viewer. */
function mediaPorts(facts: Facts): PortRange & { readonly isShared: boolean } {
  const { text, path: file } = facts.config('livekit.yaml');
  const shared = yamlAt(text, file, 'rtc', 'udp_port');
  if (typeof shared === 'number' && shared > 0) return { first: shared, last: shared, isShared: true };
  const match = typeof shared === 'string' ? /^(\d+)(?:-(\d+))?$/.exec(shared) : null;
  if (match) return { first: Number(match[1]), last: Number(match[2] ?? match[1]), isShared: true };
  return {
    first: numberAt(facts, 'rtc', 'port_range_start') ?? 50_000,
    last: numberAt(facts, 'rtc', 'port_range_end') ?? 60_000,
    isShared: false,
  };
}

const livekitFix = (facts: Facts, ...lines: readonly string[]): string =>
  linesFor(facts.config('livekit.yaml').path, lines, 'restart livekit-server');

const ports: PreflightRule = {
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
    const read = `The media ports of ${node} are ${rangeText({ first, last })}, which are ${formatCount(room)}`;
    return room >= needed
      ? pass(`${read}; this plan needs ${formatCount(needed)}.`)
      : fail(`${read}; this plan needs ${formatCount(needed)}.`, livekitFix(facts, 'rtc:', '  udp_port: 7882'));
  },
};

const portsEphemeral: PreflightRule = {
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

const receiveBuffer = 'net.core.rmem_max';
/** The server's own recommendation. */
const minBufferBytes = 5_000_000;

const sharedPortBuffer: PreflightRule = {
  id: 'livekit.shared-port-buffer',
  title: 'Buffer of the shared media port',
  checks: `${receiveBuffer} where all media shares one UDP port.`,
  why: 'All media of publishers and feedback of viewers arrive at one socket, so they share its buffer.',
  good: 'at least 5,000,000 bytes, below which livekit-server warns at its start; 16 MB is better',
  source: 'LiveKit: server log at start; StreamHub: Capacity planning & latency tuning (L1)',
  applies: on('livekit'),
  needs: [livekitYaml, { file: sysctlPath(receiveBuffer) }],
  judge: (facts, { node }) => {
    const { isShared } = mediaPorts(facts);
    if (!isShared) return pass(`Every viewer of ${node} has its own socket.`);
    const bytes = sysctlNumber(facts, receiveBuffer);
    const read = `The shared media port of ${node} has a buffer of ${formatCount(bytes)} bytes`;
    return bytes >= minBufferBytes
      ? pass(`${read}.`)
      : fail(
          `${read}; min ${formatCount(minBufferBytes)}, 16 MB is better.`,
          sysctlFix([receiveBuffer, 16 * 1024 * 1024]),
        );
  },
};

const roomLimit: PreflightRule = {
  id: 'livekit.room-limit',
  title: 'Participants of a room',
  checks: 'room.max_participants and limit.num_tracks.',
  why: 'Further participants are refused, which looks like an overloaded server.',
  good: 'no limit (0), or above what the plan needs',
  source: 'LiveKit: config-sample.yaml',
  applies: on('livekit'),
  needs: [livekitYaml],
  judge: (facts, { node, viewersOfOneStream, viewers, publishers }) => {
    const participants = numberAt(facts, 'room', 'max_participants') ?? 0;
    const tracks = numberAt(facts, 'limit', 'num_tracks') ?? 0;
    // Audio and video, of the publishers and to every viewer.
    const neededTracks = 2 * (viewers + publishers);
    const neededParticipants = viewersOfOneStream + 1;
    if (participants > 0 && participants < neededParticipants)
      return fail(
        `room.max_participants of ${node} is ${formatCount(participants)}; this plan needs ${formatCount(neededParticipants)} in one room.`,
        livekitFix(facts, 'room:', `  max_participants: 0`),
      );
    if (tracks > 0 && tracks < neededTracks)
      return fail(
        `limit.num_tracks of ${node} is ${formatCount(tracks)}; this plan needs about ${formatCount(neededTracks)}.`,
        livekitFix(facts, 'limit:', `  num_tracks: 0`),
      );
    return pass(`${node} has no limit that this plan would reach.`);
  },
};

export const livekitRules: readonly PreflightRule[] = [ports, portsEphemeral, sharedPortBuffer, roomLimit];
