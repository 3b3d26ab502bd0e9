import type { SeriesId } from './series';

/**
 * Names of series that changed, with the current ones: plans, layouts, run files and recorded metrics with an old one
 * are still read.
 */
export const oldSeries = [
  ['arrivalRateAsked', 'arrivalRateTarget'],
  ['originAnswerMs', 'originResponseMs'],
  ['testerFailedHere', 'viewersFailedOnTester'],
  ['freezesTotal', 'stallsTotal'],
] as const satisfies ReadonlyArray<readonly [old: string, now: SeriesId]>;

const names: ReadonlyMap<string, string> = new Map(oldSeries);

/** The current name of an old one, also of one from a second source such as `originAnswerMs@server`. */
export const renamedSeries = {
  get: (id: string): string | undefined => {
    const [name = '', ...source] = id.split('@');
    const now = names.get(name);
    return now === undefined ? undefined : [now, ...source].join('@');
  },
};

export function currentSeries(id: string): string {
  return renamedSeries.get(id) ?? id;
}
