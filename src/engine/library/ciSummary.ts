import { dayOf } from '../../domain/baseline/againstBaseline';
import {
  amountText,
  baselineRows,
  figureText,
  type Baseline,
  type BaselineRow,
} from '../../domain/baseline/baselineRows';
import { differences } from '../../domain/compare/differences';
import type { RunSummary, RunView } from '../../domain/model/run';
import { md, tableOf } from '../../domain/text/escape/markdown';
import { figuresTable, reasonsText } from '../report/markdown';
import { readSaved, type RunLibrary, type RunReader } from '../store';
import { baselineOf, measuredBaseline } from './baselineComparison';
import { measureReader } from './compare';
import { verdictText } from '../../domain/run/verdictText';

export interface CiSummaryParts {
  /** The library with the baseline. */
  readonly library: RunLibrary;
  /** Address of the run file and the report. */
  readonly link?: string | undefined;
}

/** The result of an ended run for a summary or a comment in CI: verdict, figures beside the baseline, reasons, link. */
export function ciSummary(reader: RunReader, { library, link }: CiSummaryParts): string {
  const view = reader.view();
  const { verdict } = view;
  const limits = (view.testerLimits ?? []).map(({ sentence }) => sentence);
  const notes = (verdict?.notes ?? []).map(({ sentence }) => sentence);
  const parts = [
    `## ${md(view.name)}: ${verdictText(verdict?.verdict).toUpperCase()}`,
    md(verdict?.sentence ?? 'The run has not ended.'),
    reasonsText(view),
    comparison(reader, view, library),
    [...limits, ...notes].map((sentence) => `- ${md(sentence)}`).join('\n'),
    `<details><summary>Figures of the run</summary>\n\n${figuresTable(view, reader.summaries())}\n\n</details>`,
    link === undefined ? '' : `[Run file and report](${encodeURI(link).replace(/[()]/g, escape)})`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** The table against the baseline, or one sentence why it is missing. A failed comparison must not look like a pass. */
function comparison(reader: RunReader, view: RunView, library: RunLibrary): string {
  const all = library.list().filter(({ id }) => id !== view.id);
  const row = baselineOf(view, all);
  try {
    if (row) return compared(reader, view, row, measuredBaseline(library, row, all));
    const [given] = all.filter(({ isBaseline }) => isBaseline);
    if (!given) return 'No baseline: the run was judged by the expectations of its plan only.';
    const what = differences([readSaved(library, given.id, (baseline) => baseline.view()), view]);
    return `**Not compared** with the baseline "${md(given.name)}", which is another test: ${md(what.join(', '))}.`;
  } catch (error) {
    return `**Not compared** with the baseline${row ? ` "${md(row.name)}"` : ''}: ${md((error as Error).message)}`;
  }
}

function compared(reader: RunReader, view: RunView, row: RunSummary, baseline: Baseline): string {
  const day = dayOf(baseline.measure);
  const judged = view.verdict?.verdict;
  if (judged !== 'pass' && judged !== 'fail')
    return `**Not compared** with the baseline "${md(row.name)}" of ${day}: the run has no pass or fail of its own.`;
  const rows = baselineRows(measureReader(reader), baseline, (view.testerLimits ?? []).length > 0);
  const noise =
    baseline.repeats.length === 0
      ? 'Noise unknown, since the baseline has no repeats: fixed bounds apply.'
      : `Noise of ${baseline.repeats.length + 1} runs.`;
  return [
    tableOf(['Figure', 'Baseline', 'This run', 'Difference', 'Noise', 'Result'], rows.map(cells)),
    `Baseline "${md(row.name)}" of ${day}. ${noise}`,
  ].join('\n\n');
}

const results: Readonly<Record<BaselineRow['result'], string>> = {
  worse: '**worse**',
  better: 'better',
  same: 'within',
  excluded: 'tester-limited',
};

function cells({ rule, value, base, allowed, isNoiseKnown, result }: BaselineRow): string[] {
  const difference = value - base;
  const sign = difference > 0 ? '+' : difference < 0 ? '−' : '';
  return [
    md(rule.title),
    figureText(rule, base),
    figureText(rule, value),
    `${sign}${amountText(rule, Math.abs(difference))}`,
    `${amountText(rule, allowed)}${isNoiseKnown ? '' : ' (bound)'}`,
    results[result],
  ];
}
