/** A series queried from a Prometheus, and its query. */
export interface QueryRow {
  readonly series: string;
  readonly query: string;
}
