import { imported, longNames, wideDone, wideLive } from './extremes';
import { fail256 } from './fail256';
import { fleet742 } from './fleet742';
import { hour16 } from './hour16';
import { idle } from './idle';
import { limitFound, limitSearching } from './limit';
import { limited, limitedAlone, limitedLive } from './limited';
import { nodes20, nodes20Idle, nodes40, nodes40Idle } from './manyNodes';
import { pull742 } from './pull742';
import { wide24 } from './wide24';
import { smallLoad } from './smallLoad';
import type { Scenario } from './scenario';

/** Fake runs by name. */
export const scenarios: Readonly<Record<string, () => Scenario>> = {
  pull742,
  fleet742,
  fleetIdle: () => ({ ...fleet742(), ended: true }),
  fail256,
  limited,
  limitedLive,
  limitedAlone,
  limitFound,
  limitSearching,
  hour16,
  wide24,
  smallLoad,
  idle,
  nodes20,
  nodes40,
  nodes20Idle,
  nodes40Idle,
  wideLive,
  wideDone,
  imported,
  longNames,
};
export type { Scenario } from './scenario';
