import type { ServerFamilyModule } from '../adapter';
import { lookForWcs } from './look';
import { openWcs } from './wcsServer';

/** Flashphoner's Web Call Server: its REST API and its statistics. */
export const wcsFamily: ServerFamilyModule = { family: 'wcs', look: lookForWcs, open: openWcs };
