import type { ServerFamilyModule } from '../adapter';
import { livekitServer } from './livekitServer';
import { look } from './detect';

export const livekitFamily: ServerFamilyModule = { family: 'livekit', look, open: livekitServer };
