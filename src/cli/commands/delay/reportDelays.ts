import { compareDelays, comparisonLines, noiseLegend, type DelayComparison } from '../../../domain/delay/compareTables';
import { judgeDelays } from '../../../domain/delay/expectation';
import { summaryOf } from '../../../domain/delay/spread';
import type { DelayTable } from '../../../domain/delay/table';
import { delayLegend, delayLines, delaySentence } from '../../../domain/delay/tableText';
import { exitCodes, worstCode } from '../../exitCodes';
import { print, printJson, printStatus } from '../../print';
import type { DelayInput } from './delayInput';

const codes = { pass: exitCodes.pass, fail: exitCodes.fail, inconclusive: exitCodes.inconclusive } as const;

/** Prints a table, what is expected of it, and what differs from an earlier one; the exit code is the worst of these. */
export function reportDelays(
  table: DelayTable,
  before: DelayTable | undefined,
  { expectations, json }: Pick<DelayInput, 'expectations' | 'json'>,
  isStopped = false,
): number {
  const say = (...lines: readonly string[]): void => (json ? lines.forEach(printStatus) : print(...lines));
  const judged = judgeDelays(table, expectations);
  const comparison = before && compareDelays(before, table);
  say(delaySentence(table), '');
  for (const line of delayLines(table)) say(indented(line));
  say('', delayLegend);
  if (comparison) {
    say('', `Compared with ${before.name}:`, '');
    for (const line of comparisonLines(comparison)) say(indented(line));
    say(noiseLegend);
  }
  for (const { verdict, sentence } of judged) say(`${verdict.toUpperCase()} ${sentence}`);
  if (json) printJson({ table, expectations: judged, ...(comparison ? { comparison: valuesOf(comparison) } : {}) });
  const measured = table.rows.filter((row) => row.path.publish !== undefined && summaryOf(row) !== undefined);
  return worstCode([
    ...(isStopped ? [exitCodes.stopped] : []),
    // Nothing of the server was measured, or the test has ended early.
    measured.length === 0 || table.problem !== undefined ? exitCodes.inconclusive : exitCodes.pass,
    ...judged.map(({ verdict }) => codes[verdict]),
    ...(comparison ? comparedCodes(comparison) : []),
  ]);
}

/** A text of a table does not look like a verdict. */
const indented = (line: string): string => `  ${line}`;

/** A delay that is higher fails; one that was measured before and is not any more is inconclusive. */
function comparedCodes({ before, rows, onlyBefore }: DelayComparison): number[] {
  const wasMeasured = (id: string): boolean =>
    before.rows.some((row) => row.path.id === id && summaryOf(row) !== undefined);
  return [
    onlyBefore.length > 0 ? exitCodes.inconclusive : exitCodes.pass,
    ...rows.map(({ id, change }) => {
      if (change === 'higher' || change === 'mixed') return exitCodes.fail;
      return change === 'not measured' && wasMeasured(id) ? exitCodes.inconclusive : exitCodes.pass;
    }),
  ];
}

/** The tables are in the result already, or were named by the person. */
const valuesOf = ({ before, after: _, ...rest }: DelayComparison): object => ({ before: before.id, ...rest });
