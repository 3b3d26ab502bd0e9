import type { ServerFamily } from '../../domain/nodeSettings';
import { FullhouseError } from '../../contract/calls';
import type { ServerFamilyModule } from './adapter';
import { genericFamily } from './generic';
import { livekitFamily } from './livekit';
import { nginxRtmpFamily } from './nginxRtmp';
import { openviduFamily } from './openvidu';
import { srsFamily } from './srs';
import { wcsFamily } from './wcs';

/** Every family of servers that runs elsewhere; the lab is our own agent and comes by another way. */
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
    `A server of the kind "${family}" can't be added; the lab of this machine is there already.`,
  );
}
