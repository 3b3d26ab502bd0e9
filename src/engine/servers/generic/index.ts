import type { ServerFamilyModule } from '../adapter';
import { openGeneric } from './genericServer';
import { detectAddress } from './detect';

/** Any server with known addresses only, and optionally a Prometheus. */
export const genericFamily: ServerFamilyModule = {
  family: 'generic',
  look: detectAddress,
  open: openGeneric,
};
