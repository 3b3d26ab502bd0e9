import type { ServerFamilyModule } from '../adapter';
import { lookForSrs } from './look';
import { openSrs } from './srsServer';

/** SRS, the Simple Realtime Server: its HTTP API and, where it is on, its exporter. */
export const srsFamily: ServerFamilyModule = { family: 'srs', look: lookForSrs, open: openSrs };
