import type { OutageCause } from '../../domain/model/outages';
import { clientsOf, publishesOnly } from '../../domain/model/publisherGroup';
import type { RunView } from '../../domain/model/run';
import { outagesText } from '../../domain/run/outagesText';
import { formatDuration } from '../../domain/text/timeFormat';
import { runTime } from './figures';
import { markup, table, type Markup } from './markup';
import { formatCount } from '../../domain/text/numberFormat';

const headOf = ({ plan }: RunView): readonly string[] => [
  'From',
  'Length',
  'Audience',
  `Fewest ${clientsOf(plan)}`,
  'At',
  'Caused by',
];

const causes: Readonly<Record<OutageCause, string>> = {
  machine: 'busy machine',
  tester: 'tester-limited',
  'tester-lost': 'tester stopped',
  publisher: 'publisher ended',
};

/** Figures of outages by name, for tables of figures; none of a run that was not judged. */
export function outageFigures({ verdict, plan }: RunView): ReadonlyArray<readonly [name: string, text: string]> {
  const { outages } = verdict ?? {};
  if (!outages) return [];
  const { count, sumMs, gaps, reconnections } = outages;
  const total = count > 1 ? `, ${formatDuration(sumMs)} in total` : '';
  return [
    ['Outages', count === 0 ? 'none' : `${outagesText(outages) ?? ''}${total}`],
    ...(publishesOnly(plan) ? [] : [['Reconnections', formatCount(reconnections)] as const]),
    [
      'Gaps in the data',
      gaps.count === 0 ? 'none' : `${formatCount(gaps.count)}, ${formatDuration(gaps.sumMs)} in total`,
    ],
  ];
}

/** One row per outage and gap, in order of time; both reports show it. */
export function outageTable(view: RunView): {
  readonly head: readonly string[];
  readonly rows: ReadonlyArray<readonly string[]>;
} {
  const { list = [], gaps } = view.verdict?.outages ?? {};
  const outages = list.map(({ fromMs, toMs, audience, lowest, lowestMs, requested, causedBy }) => ({
    fromMs,
    cells: [
      formatDuration(toMs - fromMs),
      audience ?? '',
      `${formatCount(lowest)} of ${formatCount(requested)}`,
      runTime(view, lowestMs),
      causedBy === undefined ? '' : causes[causedBy],
    ],
  }));
  const missing = (gaps?.list ?? []).map(({ fromMs, toMs, audience }) => ({
    fromMs,
    cells: [formatDuration(toMs - fromMs), audience ?? '', 'no data', '', ''],
  }));
  const all = [...outages, ...missing].sort((a, b) => a.fromMs - b.fromMs);
  return { head: headOf(view), rows: all.map(({ fromMs, cells }) => [runTime(view, fromMs), ...cells]) };
}

export function outagesSection(view: RunView): Markup | undefined {
  const { head, rows } = outageTable(view);
  if (rows.length === 0) return undefined;
  const about = outageFigures(view)
    .map(([name, text]) => `${name}: ${text}`)
    .join(' · ');
  return markup`<section><h2>Outages<small>${about}</small></h2>${table(head, rows, { numbers: ['Length', `Fewest ${clientsOf(view.plan)}`] })}</section>`;
}
