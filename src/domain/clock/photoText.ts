import type { PhotoDelay } from './photoDelays';
import { wallClock } from './wallClock';

/** `clock 52: 742 ± 34 ms (17:41:51.482 beside 17:41:50.740)`; local times. */
export const photoDelayLine = ({ source, delayMs, uncertaintyMs, newestMs, olderMs }: PhotoDelay): string =>
  `clock ${source}: ${delayMs} ± ${uncertaintyMs} ms (${wallClock(newestMs)} beside ${wallClock(olderMs)})`;
