import type { ServerFamilyModule } from '../adapter';
import { detectWcs } from './detect';
import { openWcs } from './wcsServer';

/** Flashphoner's Web Call Server: its REST API and its statistics. */
export const wcsFamily: ServerFamilyModule = { family: 'wcs', look: detectWcs, open: openWcs };
