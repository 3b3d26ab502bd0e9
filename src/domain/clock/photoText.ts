import type { PhotoDelay } from './photoDelays';
import { wallClock } from './wallClock';

/**
 * `clock 52: 742 ± 34 ms, and up to a frame of the stream (17:41:51.482 beside 17:41:50.740; …)`; local times. A picture
 * of the page has the same codes as the page itself, so that only their times tell which is which.
 */
export const photoDelayLine = ({ source, delayMs, uncertaintyMs, newestMs, olderMs }: PhotoDelay): string =>
  `clock ${source}: ${delayMs} ± ${uncertaintyMs} ms, and up to a frame of the stream (${wallClock(newestMs)} beside ${wallClock(olderMs)}; the newest readable screen is taken as the clock page, which must be in the picture)`;
