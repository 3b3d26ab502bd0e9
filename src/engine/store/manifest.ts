import { numberAt, type Database } from './database';
import { soundMeta, writeMeta, type Meta } from './meta';
import { hasTable } from './rows';
import { migrate } from './schema';
import { everyTable, type Table } from './tables';

export type Tally = Meta<'manifest'>['tables'][string];

const none: Tally = { rows: 0, sum: 0 };

/** Tables whose rows are counted: what is derived is made again when a row of it is missing. */
export const countedTables: readonly Table[] = everyTable.filter(({ isDerived }) => isDerived !== true);

/** Those that are written to after the end of a run. */
const changing = countedTables.filter(({ name }) => name === 'meta' || name === 'annotation');

/** Rows of a table with the sum of their checksums; the manifest itself is not among them. */
function tallyOf(database: Database, table: Table): Tally {
  if (!hasTable(database, table)) return none;
  const where = table.name === 'meta' ? "WHERE key <> 'manifest'" : '';
  const row = database.row(`SELECT count(*), CAST(total(crc) AS INTEGER) FROM ${table.name} ${where}`);
  return row ? { rows: numberAt(row, 0), sum: numberAt(row, 1) } : none;
}

function tallies(database: Database, of: readonly Table[]): Record<string, Tally> {
  return Object.fromEntries(of.map((table) => [table.name, tallyOf(database, table)]));
}

/**
 * Writes down what a file that is complete holds. A file that is not checked throughout stays without. Inside the
 * caller's transaction.
 */
export function settleManifest(database: Database): void {
  if (database.hasChecksums)
    writeMeta(database, 'manifest', { isSettled: true, tables: tallies(database, countedTables) });
}

/**
 * Changes a run file in one transaction and keeps its manifest true: by the difference, so that what was lost before
 * is still noticed. A file of format 1 becomes one of this format.
 */
export function changeRun<T>(database: Database, act: () => T): T {
  try {
    return database.transaction(() => {
      migrate(database);
      const manifest = database.hasChecksums ? soundMeta(database, 'manifest') : undefined;
      if (manifest?.isSettled !== true) return act();
      const before = tallies(database, changing);
      const result = act();
      const after = tallies(database, changing);
      const changed = changing.map(({ name }): [string, Tally] => {
        const [was, old, now] = [manifest.tables[name] ?? none, before[name] ?? none, after[name] ?? none];
        return [name, { rows: was.rows + now.rows - old.rows, sum: was.sum + now.sum - old.sum }];
      });
      writeMeta(database, 'manifest', {
        isSettled: true,
        tables: { ...manifest.tables, ...Object.fromEntries(changed) },
      });
      return result;
    });
  } catch (error) {
    database.formatChanged();
    throw error;
  }
}
