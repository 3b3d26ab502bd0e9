import type { RunView } from '../../domain/run';
import type { TrialResult } from '../../domain/search/found';
import { formatDuration } from '../../domain/timeFormat';
import { runTime, whole } from './figures';
import { markup, table, type Markup } from './markup';

const words: Readonly<Record<TrialResult, string>> = {
  met: 'held',
  missed: 'did not hold',
  'tester-limited': 'says nothing of the origin',
  unknown: 'unknown',
};

/** What a search for the largest audience found, and each size that it tried; nothing where the plan did not search. */
export function limitSection(view: RunView): Markup | undefined {
  const { limit } = view;
  if (!limit) return undefined;
  const { trials, gaveOut, sentence } = limit;
  const rows = trials.map((trial) => [
    runTime(view, trial.fromMs),
    whole(trial.viewers),
    words[trial.result],
    formatDuration(trial.toMs - trial.fromMs),
    whole(trial.repeat),
    trial.sentence,
  ]);
  const head = ['Run time', 'Viewers', 'Result', 'Watched', 'Repeat', 'Why'];
  const giver = gaveOut && markup`<p>${gaveOut.sentence}</p>`;
  return markup`<section><h2>Limit<small>${whole(trials.length)} sizes tried; the interval holds the break of every repeat</small></h2><p><b>${sentence}</b></p>${giver}${table(head, rows, { numbers: ['Viewers', 'Repeat'], wide: 'Why' })}</section>`;
}
