/** The tables and views of an export as plain SQLite (docs/run-file.md). Times are Unix ms, absent values NULL. */

export interface PlainTable {
  readonly name: string;
  /** Name and type of each column. */
  readonly columns: readonly (readonly [name: string, type: 'INTEGER' | 'REAL' | 'TEXT'])[];
  readonly key?: string;
}

const integers = <N extends string>(...names: N[]) => names.map((name) => [name, 'INTEGER'] as const);
const reals = <N extends string>(...names: N[]) => names.map((name) => [name, 'REAL'] as const);
const texts = <N extends string>(...names: N[]) => names.map((name) => [name, 'TEXT'] as const);

export const plainTables = [
  {
    name: 'run',
    columns: [
      ...texts('id', 'name'),
      ...integers('started_ms', 'ended_ms'),
      ...texts('verdict', 'sentence'),
      ...integers('viewers_requested', 'viewers_connected_peak', 'viewers_failed', 'viewers_degraded_peak'),
      ...integers('outages', 'outages_sum_ms', 'outages_longest_ms', 'reconnections'),
      ...texts('plan', 'fullhouse', 'integrity'),
    ],
  },
  { name: 'node', columns: texts('id', 'name', 'role', 'server', 'software', 'host') },
  { name: 'phase', columns: [...texts('name'), ...integers('start_ms', 'end_ms')] },
  {
    name: 'reason',
    columns: [...integers('number', 'time_ms'), ...texts('sentence', 'expected', 'node', 'series')],
  },
  {
    name: 'outage',
    columns: [
      ...texts('audience'),
      ...integers('from_ms', 'to_ms', 'connected_min', 'connected_min_ms', 'requested'),
      ...texts('caused_by'),
    ],
  },
  { name: 'series', columns: [...integers('id'), ...texts('node', 'series', 'title', 'unit')], key: 'id' },
  {
    name: 'sample_value',
    columns: [...integers('series_id', 'time_ms'), ...reals('value')],
    key: 'series_id, time_ms',
  },
  {
    name: 'figure',
    columns: [
      ...texts('node', 'series', 'unit'),
      ...integers('count'),
      ...reals('min', 'mean', 'p50', 'p95', 'p99', 'max', 'last'),
      ...integers('max_ms'),
    ],
  },
  {
    name: 'event',
    columns: [...integers('id', 'time_ms'), ...texts('kind', 'mark', 'node', 'who', 'sentence', 'outcome')],
  },
  {
    name: 'viewer',
    columns: [
      ...texts('tester', 'job'),
      ...integers('viewer'),
      ...texts('state'),
      ...integers('arrived_ms'),
      ...reals('connect_ms', 'first_frame_ms'),
      ...integers('packets', 'bytes', 'lost', 'frames', 'stalls', 'freeze_count'),
      ...reals(
        'loss_percent',
        'jitter_ms',
        'stalled_ms',
        'freeze_duration_ms',
        'round_trip_ms',
        'delay_ms',
        'degraded_ms',
      ),
      ...texts('degraded_reason', 'failure_stage', 'failure_cause'),
    ],
  },
] as const satisfies readonly PlainTable[];

export type PlainTableName = (typeof plainTables)[number]['name'];
/** The names of a table's columns. */
export type PlainColumn<N extends PlainTableName> = Extract<
  (typeof plainTables)[number],
  { readonly name: N }
>['columns'][number][0];

/** Every sample with its names, and the mean of each second for joins of several series. */
export const plainViews = {
  sample: `SELECT v.time_ms, (v.time_ms - run.started_ms) / 1000.0 AS time_s, s.node, s.series, s.unit, v.value
    FROM sample_value v JOIN series s ON s.id = v.series_id CROSS JOIN run`,
  // Rounded down by hand: floor() is missing in some builds of SQLite, and a division rounds towards 0.
  second: `SELECT (v.time_ms - run.started_ms - ((v.time_ms - run.started_ms) % 1000 + 1000) % 1000) / 1000 AS second,
    s.node, s.series,
    avg(v.value) AS value
    FROM sample_value v JOIN series s ON s.id = v.series_id CROSS JOIN run GROUP BY v.series_id, second`,
} as const;

export function createPlain({ name, columns, key }: PlainTable): string {
  const defined = columns.map(([column, type]) => `"${column}" ${type}`).join(', ');
  return key === undefined
    ? `CREATE TABLE ${name} (${defined})`
    : `CREATE TABLE ${name} (${defined}, PRIMARY KEY (${key})) WITHOUT ROWID`;
}
