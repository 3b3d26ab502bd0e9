import { numberAt, type Database } from './database';
import { runFormat } from './format/steps';
import { soundMeta, writeMeta, type Meta } from './meta';
import { hasTable } from './rows';
import { everyTable, type Table } from './tables';

export type Tally = Meta<'manifest'>['tables'][string];

const none: Tally = { rows: 0, sum: 0 };

/** Tables whose rows are counted: missing derived rows are created again. */
export const countedTables: readonly Table[] = everyTable.filter(({ isDerived }) => isDerived !== true);

/** Those that are written to after the end of a run. */
const changing = countedTables.filter(({ name }) => name === 'meta' || name === 'annotation');

/** Number of rows of a table and the sum of their checksums; without the manifest itself. */
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
 * Records the contents of a complete file. A file without checksums throughout has none. Inside the caller's
 * transaction.
 */
export function settleManifest(database: Database): void {
  if (database.hasChecksums)
    writeMeta(database, 'manifest', { isSettled: true, tables: tallies(database, countedTables) });
}

/**
 * Changes a run file in one transaction and updates its manifest: by the difference, so that earlier losses are still
 * detected. The file has the current format (`upgrade.ts`).
 */
export function changeRun<T>(database: Database, act: () => T): T {
  if (database.format !== runFormat) throw new Error(`${database.path} has to be upgraded before it is changed.`);
  return database.transaction(() => {
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
}
