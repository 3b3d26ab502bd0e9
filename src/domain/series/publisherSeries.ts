import type { SeriesId } from './series';

/** Whether testers report a figure of their publishers, not of their viewers. */
export const isOfPublishers = (series: SeriesId): boolean => /^publish/.test(series);
