import type { ServerFamilyModule } from '../adapter';
import { detectSrs } from './detect';
import { openSrs } from './srsServer';

/** SRS, the Simple Realtime Server: its HTTP API and, where enabled, its exporter. */
export const srsFamily: ServerFamilyModule = { family: 'srs', look: detectSrs, open: openSrs };
