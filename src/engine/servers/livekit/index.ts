import type { ServerFamilyModule } from '../adapter';
import { livekitServer } from './livekitServer';
import { look } from './look';

export const livekitFamily: ServerFamilyModule = { family: 'livekit', look, open: livekitServer };
