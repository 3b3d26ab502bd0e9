import type { Step, StepTable, Values } from './step';
import { unreleased } from './unreleased';

/** Before it no version was released. */
const firstReleasedFormat = 5;

/**
 * The changes from released format to format; the first step leads from 5 to 6. A released step is never edited. Rows of
 * older files pass the steps whenever they are read, so reading never writes; before a change the file is rewritten
 * (`upgrade.ts`). Definitions of tables by format are in `tables.ts`.
 */
const steps: readonly Step[] = [];

/** The format of new files, `user_version` of SQLite: the tables and what their rows contain. */
export const runFormat = firstReleasedFormat + steps.length;

/** The values of a row of a file of `format`, converted to the current format. */
export function migrated(table: string, values: Values, format: number): Values {
  if (format >= runFormat) return values;
  const due = [
    ...(format < firstReleasedFormat ? [unreleased] : []),
    ...steps.slice(Math.max(0, format - firstReleasedFormat)),
  ];
  return due.reduce((row, step) => step[table as StepTable]?.(row) ?? row, values);
}
