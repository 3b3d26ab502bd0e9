import type { ServerFamily } from '../../domain/model/serverFamilies';
import { FullhouseError } from '../../contract/calls';
import type { ServerFamilyModule } from './adapter';
import { genericFamily } from './generic';
import { livekitFamily } from './livekit';
import { nginxRtmpFamily } from './nginxRtmp';
import { openviduFamily } from './openvidu';
import { srsFamily } from './srs';
import { wcsFamily } from './wcs';

/** All families of remote servers; the lab is our own agent and is opened separately. */
export const families: readonly ServerFamilyModule[] = [
  wcsFamily,
  srsFamily,
  nginxRtmpFamily,
  livekitFamily,
  openviduFamily,
  genericFamily,
];

export function familyOf(family: ServerFamily): ServerFamilyModule {
  const found = families.find((each) => each.family === family);
  if (found) return found;
  throw new FullhouseError(
    'no-family',
    `A server of family "${family}" can't be added; this machine's lab exists already.`,
  );
}
