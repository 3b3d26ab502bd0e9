import { judgeDelays } from '../../../domain/delay/expectation';
import type { DelayTable } from '../../../domain/delay/table';
import { delayLegend, delayLines, delaySentence } from '../../../domain/delay/tableText';
import { exitCodes, worstCode } from '../../exitCodes';
import { print, printJson, printStatus } from '../../print';
import type { DelayInput } from './measureDelay';

const codes = { pass: exitCodes.pass, fail: exitCodes.fail, inconclusive: exitCodes.inconclusive } as const;

/** Prints a table and what is expected of it; the exit code is the worst of these. */
export function reportDelays(
  table: DelayTable,
  _before: DelayTable | undefined,
  { expectations, json }: Pick<DelayInput, 'expectations' | 'json'>,
): number {
  const say = json ? printStatus : print;
  const judged = judgeDelays(table, expectations);
  say(delaySentence(table), '');
  for (const line of delayLines(table)) say(line);
  say('', delayLegend);
  for (const { verdict, sentence } of judged) say(`${verdict.toUpperCase()} ${sentence}`);
  if (json) printJson({ table, expectations: judged });
  if (table.isCancelled) return exitCodes.stopped;
  return worstCode([exitCodes.pass, ...judged.map(({ verdict }) => codes[verdict])]);
}
