import type { RunView } from '../../domain/model/run';
import type { TrialResult } from '../../domain/model/limitFound';
import { formatDuration } from '../../domain/text/timeFormat';
import { runTime } from './figures';
import { markup, table, type Markup } from './markup';
import { formatCount } from '../../domain/text/numberFormat';

const words: Readonly<Record<TrialResult, string>> = {
  met: 'passed',
  missed: 'failed',
  'tester-limited': 'tester-limited',
  unknown: 'unknown',
};

/** The result of a limit search, and each size that it tried; nothing without a search in the plan. */
export function limitSection(view: RunView): Markup | undefined {
  const { limit } = view;
  if (!limit) return undefined;
  const { trials, bottleneck, sentence, clients } = limit;
  const sizes = clients ? 'Publishers' : 'Viewers';
  const rows = trials.map((trial) => [
    runTime(view, trial.fromMs),
    formatCount(trial.viewers),
    words[trial.result],
    formatDuration(trial.toMs - trial.fromMs),
    formatCount(trial.repeat),
    trial.sentence,
  ]);
  const head = ['Run time', sizes, 'Result', 'Measured', 'Repeat', 'Why'];
  const giver = bottleneck && markup`<p>${bottleneck.sentence}</p>`;
  return markup`<section><h2>Limit<small>${formatCount(trials.length)} sizes tried; the interval contains the limit of every repeat</small></h2><p><b>${sentence}</b></p>${giver}${table(head, rows, { numbers: [sizes, 'Repeat'], wide: 'Why' })}</section>`;
}
