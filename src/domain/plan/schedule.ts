/** A plan that begins by itself, as long as the console runs. */
export interface ScheduleView {
  readonly id: string;
  readonly name: string;
  /** Runs in all, and those that have ended. */
  readonly runs: number;
  readonly done: number;
  readonly state: 'waiting' | 'running';
  /** When the next one begins, Unix ms; absent while one runs. */
  readonly nextMs?: number;
  /** The run that began last. */
  readonly lastRun?: string;
}
