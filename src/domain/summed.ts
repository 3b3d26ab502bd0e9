import type { SeriesId } from './series';

/**
 * Series that charts add up over all testers. Overviews keep their sums beside them, second by second: from the highest values of each
 * tester alone nobody could tell what was the highest at once.
 */
export const summedSeries = ['viewersRequested', 'viewersDegraded'] as const satisfies readonly SeriesId[];

/** In place of a node's id: the sum over all testers. No node can have this name. */
export const everyTester = '*';
