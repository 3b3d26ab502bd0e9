import type { Database, SqlValue } from './database';
import { settleManifest } from './manifest';
import { soundMeta, writeMeta, type Meta } from './meta';
import { lacksSamples } from './overview';
import { ensureTable, insertChecked, rowChecksum, rowValues } from './rows';
import { tables, type Table, type TableName } from './tables';
import { isLost, lostOf, walkTable, type ScannedTable } from './walk';

/** Changes a row on its way into another file, its texts decoded; undefined drops it. */
export type RowChange = (table: Table, values: readonly SqlValue[]) => readonly SqlValue[] | undefined;

/**
 * The order in the new file: what is needed to open a truncated run comes first, and its minutes follow in their order.
 */
const order: readonly TableName[] = [
  'meta',
  'series',
  'event',
  'annotation',
  'viewer',
  'still',
  'sample',
  'block',
  'histogram',
  'histogram_block',
  'overview',
  'figures',
];

/**
 * Writes the run of `source` into the new file of `target`, which has our own tables: row by row, each of them checked,
 * so that nothing else of the source gets there and nothing of it is executed. Rows that can't be read are left out,
 * which the new file records. A row without a checksum has none afterwards. Runs inside the caller's transaction.
 */
export function rebuildRun(source: Database, target: Database, change?: RowChange): void {
  const manifest = soundMeta(source, 'manifest');
  const scannedTables = new Map<TableName, ScannedTable>();
  for (const name of order) {
    const table = tables[name];
    if (table.isDerived === true && lacksSamples(source)) continue;
    const copied = walkTable(source, table, (row, state) => {
      const values = rowValues(source, table, row);
      const changed = change ? change(table, values) : values;
      if (!changed) return;
      ensureTable(target, table);
      insertChecked(target, table, changed, state === 'verified' ? rowChecksum(table, changed) : null);
    });
    scannedTables.set(name, copied);
  }
  keepLost(target, lostOf(source, scannedTables));
  if (!manifest) return;
  writeMeta(target, 'manifest', { isSettled: false, tables: {} });
  target.formatChanged();
  if (manifest.isSettled) settleManifest(target);
}

function keepLost(target: Database, lost: Meta<'lost'>): void {
  if (isLost(lost)) writeMeta(target, 'lost', lost);
}
