import type { RunSummary } from '../model/run';

/** A verdict in words, e.g. `not started`; without one the run still runs. */
export const verdictText = (verdict: RunSummary['verdict'] = 'running'): string => verdict.replace('-', ' ');
