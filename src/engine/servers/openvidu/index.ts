import type { ServerFamilyModule } from '../adapter';
import { look } from './detect';
import { openviduServer } from './openviduServer';

export const openviduFamily: ServerFamilyModule = { family: 'openvidu', look, open: openviduServer };
