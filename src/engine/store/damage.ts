import { isMinute } from './bounds';
import type { TableName } from './tables';

/** Rows of a run file that are excluded everywhere, each by its table and key. */
export class Damage {
  private readonly keys = new Map<TableName, Set<string>>();

  add(table: TableName, key: string | number): void {
    const known = this.keys.get(table) ?? new Set<string>();
    this.keys.set(table, known.add(String(key)));
  }

  has(table: TableName, key: string | number): boolean {
    return this.keys.get(table)?.has(String(key)) === true;
  }

  count(table: TableName): number {
    return this.keys.get(table)?.size ?? 0;
  }

  /** Starts of the minutes whose samples are excluded, in order. */
  get minutes(): number[] {
    return [...(this.keys.get('block') ?? [])]
      .map(Number)
      .filter(isMinute)
      .sort((a, b) => a - b);
  }

  get isEmpty(): boolean {
    return this.keys.size === 0;
  }

  /** Adds the rows that another connection to the file has found damaged. */
  addAll(other: Damage): void {
    for (const [table, keys] of other.keys) for (const key of keys) this.add(table, key);
  }
}
