import type { Step, StepTable, Values } from './step';
import { to3 } from './to3';
import { to4 } from './to4';
import { to5 } from './to5';

/**
 * The changes from format to format; the first step leads from 1 to 2. A released step is never edited. Rows of older
 * files pass the steps whenever they are read, so reading never writes; before a change the file is rewritten
 * (`upgrade.ts`). Definitions of tables by format are in `tables.ts`.
 */
const steps: readonly Step[] = [
  // 2: each row has a checksum.
  {},
  to3,
  to4,
  to5,
];

/** The format of new files, `user_version` of SQLite: the tables and what their rows contain. */
export const runFormat = steps.length + 1;

/** The values of a row of a file of `format`, converted to the current format. */
export function migrated(table: string, values: Values, format: number): Values {
  if (format >= runFormat) return values;
  return steps.slice(format - 1).reduce((row, step) => step[table as StepTable]?.(row) ?? row, values);
}
