import type { ServerFamilyModule } from '../adapter';
import { openGeneric } from './genericServer';
import { lookForAddress } from './look';

/** Any server of which addresses are known and nothing else, with a Prometheus beside it at most. */
export const genericFamily: ServerFamilyModule = {
  family: 'generic',
  look: lookForAddress,
  open: openGeneric,
};
