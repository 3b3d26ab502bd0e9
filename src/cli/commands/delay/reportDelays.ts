import { compareDelays, comparisonLines, noiseLegend, type DelayComparison } from '../../../domain/delay/compareTables';
import { judgeDelays } from '../../../domain/delay/expectation';
import { summaryOf } from '../../../domain/delay/spread';
import type { DelayTable } from '../../../domain/delay/table';
import { delayLegend, delayLines, delaySentence } from '../../../domain/delay/tableText';
import { exitCodes, worstCode } from '../../exitCodes';
import { print, printJson, printStatus } from '../../print';
import type { DelayInput } from './measureDelay';

const codes = { pass: exitCodes.pass, fail: exitCodes.fail, inconclusive: exitCodes.inconclusive } as const;

/** Prints a table, what is expected of it, and what differs from an earlier one; the exit code is the worst of these. */
export function reportDelays(
  table: DelayTable,
  before: DelayTable | undefined,
  { expectations, json }: Pick<DelayInput, 'expectations' | 'json'>,
): number {
  const say = (...lines: readonly string[]): void => (json ? lines.forEach(printStatus) : print(...lines));
  const judged = judgeDelays(table, expectations);
  const comparison = before && compareDelays(before, table);
  say(delaySentence(table), '');
  for (const line of delayLines(table)) say(line);
  say('', delayLegend);
  if (comparison) {
    say('', `Compared with ${before.name}:`, '');
    for (const line of comparisonLines(comparison)) say(line);
    say(noiseLegend);
  }
  for (const { verdict, sentence } of judged) say(`${verdict.toUpperCase()} ${sentence}`);
  if (json) printJson({ table, expectations: judged, ...(comparison ? { comparison: valuesOf(comparison) } : {}) });
  if (table.isCancelled) return exitCodes.stopped;
  // Nothing of the server was measured.
  const isEmpty = !table.rows.some((row) => row.path.publish !== undefined && summaryOf(row) !== undefined);
  return worstCode([
    isEmpty ? exitCodes.inconclusive : exitCodes.pass,
    ...judged.map(({ verdict }) => codes[verdict]),
    ...(comparison?.rows ?? []).map(({ change }) => (change === 'higher' ? exitCodes.fail : exitCodes.pass)),
  ]);
}

/** The tables are in the result already, or were named by the person. */
const valuesOf = ({ before, after: _, ...rest }: DelayComparison): object => ({ before: before.id, ...rest });
