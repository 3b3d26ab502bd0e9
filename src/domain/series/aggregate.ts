import type { SeriesId } from './series';

/**
 * Series that charts sum over all testers. Overviews store their sums per second: the sum's peak cannot be derived from
 * the peaks of each tester.
 */
export const aggregateSeries = ['viewersRequested', 'viewersDegraded'] as const satisfies readonly SeriesId[];

/** Instead of a node id: the sum over all testers. No node can have this name. */
export const allTestersId = '*';
