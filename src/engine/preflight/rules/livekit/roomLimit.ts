import { fail, on, pass, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { livekitFix, livekitYaml, number } from './conf';

export const roomLimit: PreflightRule = {
  id: 'livekit.room-limit',
  title: 'Participants of a room',
  checks: 'room.max_participants and limit.num_tracks.',
  why: 'Further participants are refused, which looks like an overloaded server.',
  good: 'no limit (0), or above what the plan needs',
  source: 'LiveKit: config-sample.yaml',
  applies: on('livekit'),
  needs: [livekitYaml],
  judge: (facts, { node, viewersOfOneStream, viewers, publishers }) => {
    const participants = number(facts, 'room', 'max_participants') ?? 0;
    const tracks = number(facts, 'limit', 'num_tracks') ?? 0;
    // Audio and video, of the publishers and to every viewer.
    const neededTracks = 2 * (viewers + publishers);
    const neededParticipants = viewersOfOneStream + 1;
    if (participants > 0 && participants < neededParticipants)
      return fail(
        `room.max_participants of ${node} is ${whole(participants)}; this plan needs ${whole(neededParticipants)} in one room.`,
        livekitFix(facts, 'room:', `  max_participants: 0`),
      );
    if (tracks > 0 && tracks < neededTracks)
      return fail(
        `limit.num_tracks of ${node} is ${whole(tracks)}; this plan needs about ${whole(neededTracks)}.`,
        livekitFix(facts, 'limit:', `  num_tracks: 0`),
      );
    return pass(`${node} has no limit that this plan would reach.`);
  },
};
