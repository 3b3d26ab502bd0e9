import type { ServerFamilyModule } from '../adapter';
import { look } from './look';
import { openviduServer } from './openviduServer';

export const openviduFamily: ServerFamilyModule = { family: 'openvidu', look, open: openviduServer };
