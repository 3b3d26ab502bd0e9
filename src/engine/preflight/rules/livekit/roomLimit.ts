import { fail, on, pass, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { livekitFix, livekitYaml, number } from './conf';

export const roomLimit: PreflightRule = {
  id: 'livekit.room-limit',
  title: 'Participants of a room',
  checks: 'room.max_participants and limit.num_tracks.',
  why: 'Whoever comes beyond is refused, which looks like a server that gives out.',
  good: 'no limit (0), or above what the plan needs',
  source: 'LiveKit: config-sample.yaml',
  applies: on('livekit'),
  needs: [livekitYaml],
  judge: (facts, { node, viewersOfOneStream, viewers, publishers }) => {
    const people = number(facts, 'room', 'max_participants') ?? 0;
    const tracks = number(facts, 'limit', 'num_tracks') ?? 0;
    // Audio and video, of the publishers and to every viewer.
    const neededTracks = 2 * (viewers + publishers);
    const neededPeople = viewersOfOneStream + 1;
    if (people > 0 && people < neededPeople)
      return fail(
        `room.max_participants of ${node} is ${whole(people)}; ${whole(neededPeople)} are to be in one room.`,
        livekitFix(facts, 'room:', `  max_participants: 0`),
      );
    if (tracks > 0 && tracks < neededTracks)
      return fail(
        `limit.num_tracks of ${node} is ${whole(tracks)}; this plan makes about ${whole(neededTracks)}.`,
        livekitFix(facts, 'limit:', `  num_tracks: 0`),
      );
    return pass(`${node} sets no limit that this plan would reach.`);
  },
};
