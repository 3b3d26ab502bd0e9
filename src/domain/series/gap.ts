/** Interval between two samples of a series, unless its run says otherwise. */
export const usualStepMs = 1000;

/** More than this many steps between two samples are a gap: nothing is drawn, summed or assumed in it. */
export const gapSteps = 2.5;
