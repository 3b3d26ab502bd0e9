import type { Fidelity } from '../../domain/model/audienceValues';
import { markRule, type Likeness } from './compare';
import { reportedFidelities, type FidelityReport, type ReportCell, type ReportRow } from './report';

const signs: Readonly<Record<Likeness, string>> = { equal: '=', close: '≈', different: '≠' };
const columns: Readonly<Record<Fidelity, string>> = { browser: 'browser fidelity', 'media-only': 'media-only' };

/** The report as Markdown. */
export function fidelityMarkdown(report: FidelityReport): string {
  const { browser, recordedOn, seconds, counts, session, conditions, reasons } = report;
  const name = recordedOn === undefined ? browser : `${browser}, recorded on ${recordedOn}`;
  return [
    '# Fidelity: viewers beside a browser',
    `What the lab received from ${name}, and from one viewer of each fidelity, in ${seconds} s under each condition, on this machine.`,
    ...(recordedOn === undefined
      ? []
      : [
          '**The figures of the browser are recorded ones**: no Chromium was started. Install one, or name its program with `--chromium`.',
        ]),
    `${signs.equal} equal, ${signs.close} close, ${signs.different} different. ${markRule} A number in brackets is the reason below; **?** has none.`,
    reportedFidelities
      .map((fidelity) => {
        const { equal, close, different } = counts[fidelity];
        return `- ${columns[fidelity]}: ${equal} rows equal, ${close} close, ${different} different`;
      })
      .join('\n'),
    '## Offer and DTLS, under every condition',
    table(session, name),
    ...conditions.flatMap(({ title, meaning, rows }) => [`## ${title}`, meaning, table(rows, name)]),
    '## Reasons',
    reasons.map((why, place) => `${place + 1}. ${why}`).join('\n'),
  ]
    .join('\n\n')
    .concat('\n');
}

function table(rows: readonly ReportRow[], browser: string): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |`;
  return [
    line(['', browser, ...reportedFidelities.map((fidelity) => columns[fidelity])]),
    line(['---', '---', '---', '---']),
    ...rows.map((row) =>
      line([
        `${row.group}: ${row.name}`,
        row.browser,
        ...reportedFidelities.map((fidelity) => cellText(row.viewers[fidelity])),
      ]),
    ),
  ].join('\n');
}

function cellText({ text, mark, notes, isUnexplained }: ReportCell): string {
  const why = [...notes.map((note) => `[${note}]`), ...(isUnexplained ? ['**?**'] : [])].join(' ');
  return [signs[mark], text, mark === 'equal' ? '' : why].filter(Boolean).join(' ');
}

const escaped = (text: string): string => text.replaceAll('|', '\\|');
