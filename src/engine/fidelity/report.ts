import type { Fidelity } from '../../domain/model/audienceValues';
import { formatFigure } from '../../domain/text/numberFormat';
import { compareRows, type ComparedRow, type Likeness } from './compare';
import type { FidelityCondition } from './conditions';
import { reasonFor } from './reasons';
import type { MeasuredViewer } from './recorded';
import { ofSession, rowsOf, type FidelityRow, type RowValue } from './rows';

/** Viewers of both fidelities beside a browser, ready to be printed. */
export interface FidelityReport {
  /** `Chromium 156.0.8078.108`. */
  readonly browser: string;
  /** The day on which the browser was recorded, if it did not play now. */
  readonly recordedOn: string | undefined;
  readonly seconds: number;
  /** Number of rows by mark. */
  readonly counts: Readonly<Record<Fidelity, Readonly<Record<Likeness, number>>>>;
  /** What is the same under all conditions. */
  readonly session: readonly ReportRow[];
  readonly conditions: ReadonlyArray<
    Pick<FidelityCondition, 'title' | 'meaning'> & { readonly rows: readonly ReportRow[] }
  >;
  /** Why viewers differ on purpose; the notes of the rows count from 1. */
  readonly reasons: readonly string[];
}

export interface ReportRow {
  readonly group: string;
  readonly name: string;
  readonly browser: string;
  readonly viewers: Readonly<Record<Fidelity, ReportCell>>;
}

export interface ReportCell {
  readonly text: string;
  readonly mark: Likeness;
  /** Numbers of its reasons. */
  readonly notes: readonly number[];
  /** Something differs without a known reason. */
  readonly isUnexplained: boolean;
}

/** In the order of the columns: the nearest to a browser first. */
export const reportedFidelities = ['browser', 'media-only'] as const satisfies readonly Fidelity[];

export type MeasuredCondition = Pick<FidelityCondition, 'title' | 'meaning'> & {
  readonly browser: MeasuredViewer;
  readonly viewers: Readonly<Record<Fidelity, MeasuredViewer>>;
};

export function fidelityReport(
  browser: Pick<FidelityReport, 'browser' | 'recordedOn' | 'seconds'>,
  conditions: readonly MeasuredCondition[],
): FidelityReport {
  const reasons: string[] = [];
  const counts = { browser: { equal: 0, close: 0, different: 0 }, 'media-only': { equal: 0, close: 0, different: 0 } };
  const cell = (row: ComparedRow, fidelity: Fidelity): ReportCell => {
    counts[fidelity][row.mark] += 1;
    const found = row.differences.map((difference) => reasonFor(`${row.group}: ${row.name}`, difference, fidelity));
    for (const why of found) if (why !== undefined && !reasons.includes(why)) reasons.push(why);
    const known = found.flatMap((why) => (why === undefined ? [] : [reasons.indexOf(why) + 1]));
    return {
      text: row.mark === 'equal' ? textOf(row.value) : differentText(row),
      mark: row.mark,
      notes: [...new Set(known)].sort((a, b) => a - b),
      isUnexplained: found.includes(undefined),
    };
  };
  const rowsFor = (condition: MeasuredCondition, has: (row: FidelityRow) => boolean): ReportRow[] => {
    const own = rowsOf(condition.browser);
    const compared = {
      browser: compareRows(own, rowsOf(condition.viewers.browser)),
      'media-only': compareRows(own, rowsOf(condition.viewers['media-only'])),
    };
    return own.flatMap((row, place): ReportRow[] => {
      const [browserRow, mediaOnlyRow] = [compared.browser[place], compared['media-only'][place]];
      if (!browserRow || !mediaOnlyRow || !has(row)) return [];
      if ([row, browserRow, mediaOnlyRow].every(({ value }) => value === undefined)) return [];
      return [
        {
          group: row.group,
          name: row.name,
          browser: textOf(row.value),
          viewers: { browser: cell(browserRow, 'browser'), 'media-only': cell(mediaOnlyRow, 'media-only') },
        },
      ];
    });
  };
  const [first] = conditions;
  const session = first ? rowsFor(first, ({ group }) => ofSession.has(group)) : [];
  const rest = conditions.map((condition) => ({
    title: condition.title,
    meaning: condition.meaning,
    rows: rowsFor(condition, ({ group }) => !ofSession.has(group)),
  }));
  return { ...browser, counts, session, conditions: rest, reasons };
}

/** Lists of more are shown by their number. */
const maxListText = 60;

function textOf(value: RowValue | undefined): string {
  if (value === undefined) return '–';
  if ('word' in value) return value.word;
  if ('number' in value) {
    const style = value.unit === '' || value.unit === 'bytes' ? 'integer' : 'adaptive';
    return `${formatFigure(value.number, style)} ${value.unit}`.trim();
  }
  const all = value.items.join(', ');
  return all.length <= maxListText ? all || 'none' : String(value.items.length);
}

/** How a list differs: `18: no red, ulpfec; also H265`. */
function differentText({ value, differences }: ComparedRow): string {
  if (!value || !('items' in value)) return textOf(value);
  const of = (kind: 'no ' | 'also '): string => {
    const own = differences
      .filter((difference) => difference.startsWith(kind))
      .map((difference) => difference.slice(kind.length));
    return own.length === 0 ? '' : `${kind}${own.join(', ')}`;
  };
  return `${value.items.length}: ${[of('no '), of('also ')].filter(Boolean).join('; ')}`;
}
